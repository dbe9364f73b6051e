//! The list: each command with the options that are known to only look. An option that is not here is refused, so what
//! is dangerous in it (`sort -o`, `rg --pre`, `date -s`, `file -C`, `tree -o`) need not be known.

use crate::shell::options::Options;

/// What else than options a command may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operands {
    Any,
    /// A further one would be written.
    AtMost(usize),
    /// Only ones that start with `+`; another would set the clock.
    Formats,
}

/// Some commands with the same options.
#[derive(Debug)]
pub(super) struct Harmless {
    pub(super) names: &'static str,
    pub(super) options: Options,
    pub(super) operands: Operands,
}

const fn any(
    names: &'static str,
    flags: &'static str,
    valued: &'static str,
    long: &'static str,
    long_valued: &'static str,
) -> Harmless {
    Harmless { names, options: Options { flags, valued, long, long_valued }, operands: Operands::Any }
}

/// All of them.
pub(super) const HARMLESS: &[Harmless] = &[
    any(
        "ls",
        "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1",
        "ITw",
        "all almost-all author classify color directory full-time group-directories-first human-readable inode \
         numeric-uid-gid no-group recursive reverse si size help version",
        "block-size format hide ignore indicator-style quoting-style sort time time-style width",
    ),
    any("pwd", "LP", "", "", ""),
    any(
        "cat",
        "AbeEnstTuv",
        "",
        "show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version",
        "",
    ),
    any(
        "head tail",
        "qvz0123456789",
        "cn",
        "quiet silent verbose zero-terminated help version",
        "bytes lines",
    ),
    any("wc", "clmLw", "", "bytes chars lines max-line-length words help version", ""),
    any("stat", "Lft", "c", "dereference file-system terse help version", "format printf"),
    any(
        "file",
        "bhiLkN0r",
        "",
        "brief mime mime-type mime-encoding dereference no-dereference help version",
        "",
    ),
    any(
        "du",
        "abcDhHkLlmsSx0",
        "dBtX",
        "all apparent-size bytes total dereference human-readable si summarize separate-dirs one-file-system null \
         help version",
        "block-size exclude max-depth threshold",
    ),
    any(
        "df",
        "ahHiklPT",
        "Btx",
        "all human-readable si inodes local portability print-type total help version",
        "block-size type exclude-type",
    ),
    any("basename", "az", "s", "multiple zero help version", "suffix"),
    any("dirname", "z", "", "zero help version", ""),
    any(
        "realpath",
        "eLmPqsz",
        "",
        "canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero help version",
        "relative-to relative-base",
    ),
    any(
        "readlink",
        "efmnqsvz",
        "",
        "canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version",
        "",
    ),
    any(
        "sort",
        "bdfghiMnRrsuVzcCm",
        "kt",
        "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort month-sort \
         numeric-sort random-sort reverse stable unique version-sort zero-terminated check merge help version",
        "key field-separator sort",
    ),
    Harmless {
        names: "uniq",
        options: Options {
            flags: "cdDiuz",
            valued: "fsw",
            long: "count repeated ignore-case unique zero-terminated all-repeated group help version",
            long_valued: "skip-fields skip-chars check-chars",
        },
        operands: Operands::AtMost(1),
    },
    any(
        "cut",
        "nsz",
        "bcdf",
        "complement only-delimited zero-terminated help version",
        "bytes characters delimiter fields output-delimiter",
    ),
    any("tr", "cCdst", "", "complement delete squeeze-repeats truncate-set1 help version", ""),
    any(
        "od",
        "abcdfiloxsv",
        "AjNStw",
        "output-duplicates help version",
        "address-radix skip-bytes read-bytes format",
    ),
    any("hexdump", "bcCdovx", "ns", "canonical no-squeezing help version", "length skip"),
    any("nl", "p", "bdfhilnsvw", "no-renumber help version", "body-numbering number-format number-width"),
    any("seq", "w", "fs", "equal-width help version", "format separator"),
    any(
        "grep egrep fgrep",
        "acEFGhHiIlLnoPqrRsTUvVwxyzZbu0123456789",
        "ABCefmdD",
        "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case word-regexp line-regexp \
         count color colour files-without-match files-with-matches only-matching quiet silent no-messages \
         byte-offset with-filename no-filename line-number initial-tab null null-data text invert-match recursive \
         dereference-recursive binary line-buffered help version",
        "regexp file max-count label after-context before-context context binary-files devices directories exclude \
         exclude-from exclude-dir include",
    ),
    any(
        "rg",
        "aciFHIlLnNoPpqsSuUvVwx.0",
        "ABCefgmMdrEtTj",
        "case-sensitive column count count-matches debug files files-with-matches files-without-match fixed-strings \
         follow heading hidden ignore-case invert-match json line-number line-regexp multiline multiline-dotall \
         no-config no-filename no-heading no-ignore no-ignore-vcs no-line-number no-messages null only-matching \
         passthru pcre2 pretty quiet smart-case stats text trim type-list unrestricted version vimgrep with-filename \
         word-regexp help",
        "after-context before-context context color colors encoding engine file glob iglob max-columns max-count \
         max-depth max-filesize path-separator regexp replace sort sortr threads type type-not",
    ),
    any(
        "diff",
        "abBdeEHiNnpqrsTtuvwyZc0123456789",
        "CFIUWxXSL",
        "brief report-identical-files unified context side-by-side ignore-case ignore-space-change ignore-all-space \
         ignore-blank-lines ignore-trailing-space ignore-tab-expansion recursive new-file text minimal color \
         expand-tabs strip-trailing-cr normal suppress-common-lines left-column help version",
        "label exclude exclude-from ignore-matching-lines width starting-file show-function-line",
    ),
    any("cmp", "blsv", "in", "print-bytes verbose quiet silent help version", "bytes ignore-initial"),
    any(
        "comm",
        "123z",
        "",
        "check-order nocheck-order total zero-terminated help version",
        "output-delimiter",
    ),
    Harmless {
        names: "date",
        options: Options {
            flags: "uR",
            valued: "dr",
            long: "utc universal iso-8601 rfc-3339 rfc-email help version",
            long_valued: "date reference",
        },
        operands: Operands::Formats,
    },
    any("uname", "asnrvmpio", "", "all kernel-name nodename kernel-release machine help version", ""),
    any("whoami", "", "", "help version", ""),
    any("id", "agGnruZz", "", "user group groups name real help version", ""),
    any("sleep", "", "", "", ""),
    any("which", "as", "", "all", ""),
    any("type", "aftpP", "", "", ""),
    any(
        "tree",
        "adfilpsugDhtrxFnCAQNqJX",
        "LIP",
        "noreport dirsfirst du si prune gitignore",
        "charset filelimit sort",
    ),
    any(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum",
        "bctwz",
        "a",
        "binary check text tag ignore-missing quiet status strict warn zero help version",
        "algorithm length",
    ),
    any(
        "jq",
        "crnsSaejMC",
        "",
        "compact-output raw-output raw-input null-input slurp sort-keys ascii-output exit-status join-output tab \
         monochrome-output color-output arg argjson args jsonargs help version",
        "indent",
    ),
];
