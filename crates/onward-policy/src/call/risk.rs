//! What a command risks, by its words: a table of programs that speak to other machines, and of those that destroy what
//! cannot be brought back.
//!
//! The table makes questions better; it is no boundary. A program that is not in it may do all of this, and the sandbox
//! is what keeps it from it.

use onward_event::Risk;

/// A program, the subcommand that it takes (`&[]`: any words), and words of which one must be there (`&[]`: none need be).
struct Row {
    risk: Risk,
    programs: &'static [&'static str],
    subcommands: &'static [&'static str],
    with: &'static [&'static str],
}

const TABLE: &[Row] = &[
    row(
        Risk::Network,
        &[
            "aria2c", "curl", "ftp", "gh", "glab", "lftp", "nc", "ncat", "netcat", "ping", "rsync", "scp",
            "sftp", "socat", "ssh", "telnet", "wget",
        ],
        &[],
        &[],
    ),
    row(
        Risk::Network,
        &["git"],
        &["clone", "fetch", "ls-remote", "pull", "push", "remote", "submodule", "send-email", "svn"],
        &[],
    ),
    row(
        Risk::Network,
        &["npm", "pnpm", "yarn", "bun"],
        &[
            "add", "audit", "ci", "create", "dlx", "exec", "i", "info", "init", "install", "it", "login",
            "outdated", "publish", "up", "update", "upgrade", "view", "x",
        ],
        &[],
    ),
    row(Risk::Network, &["npx", "bunx", "pnpx", "uvx", "pipx"], &[], &[]),
    row(
        Risk::Network,
        &["pip", "pip3", "uv", "poetry"],
        &["add", "download", "install", "publish", "sync", "lock"],
        &[],
    ),
    row(
        Risk::Network,
        &["cargo"],
        &["add", "fetch", "install", "login", "owner", "publish", "search", "update", "yank"],
        &[],
    ),
    row(Risk::Network, &["go"], &["get", "install", "mod"], &[]),
    row(
        Risk::Network,
        &["docker", "podman", "kubectl", "helm", "terraform", "aws", "gcloud", "az"],
        &[],
        &[],
    ),
    row(
        Risk::Network,
        &["apt", "apt-get", "dnf", "yum", "apk", "brew", "pacman", "snap", "gem", "composer"],
        &[],
        &[],
    ),
    row(Risk::Dangerous, &["rm"], &[], &["-r", "-R", "-f", "--recursive", "--force"]),
    row(
        Risk::Dangerous,
        &[
            "shred", "dd", "mkfs", "wipefs", "truncate", "unlink", "rmdir", "shutdown", "reboot", "halt",
            "poweroff",
        ],
        &[],
        &[],
    ),
    row(Risk::Dangerous, &["sudo", "doas", "su", "pkexec"], &[], &[]),
    row(Risk::Dangerous, &["chmod", "chown", "chgrp"], &[], &["-R", "--recursive"]),
    row(Risk::Dangerous, &["find"], &[], &["-delete"]),
    row(Risk::Dangerous, &["git"], &["clean", "filter-branch", "filter-repo", "gc", "prune", "reflog"], &[]),
    row(Risk::Dangerous, &["git"], &["reset"], &["--hard", "--merge", "--keep"]),
    row(
        Risk::Dangerous,
        &["git"],
        &["push"],
        &["-f", "--force", "--force-with-lease", "--mirror", "-d", "--delete", "+"],
    ),
    row(
        Risk::Dangerous,
        &["git"],
        &["checkout", "restore", "switch"],
        &["-f", "--force", "--discard-changes", ".", "--"],
    ),
    row(
        Risk::Dangerous,
        &["git"],
        &["branch", "tag", "worktree", "stash"],
        &["-D", "-d", "--delete", "drop", "clear", "remove"],
    ),
    row(Risk::Dangerous, &["cargo", "npm", "yarn", "pnpm"], &["publish", "unpublish", "yank"], &[]),
];

const fn row(
    risk: Risk,
    programs: &'static [&'static str],
    subcommands: &'static [&'static str],
    with: &'static [&'static str],
) -> Row {
    Row { risk, programs, subcommands, with }
}

/// What a command with these words risks: what the table says, or else what any command does.
pub(super) fn of(argv: &[String]) -> Vec<Risk> {
    let Some((program, words)) = argv.split_first() else { return vec![Risk::Shell] };
    let name = program.rsplit('/').next().unwrap_or(program);
    let rows = TABLE.iter().filter(|row| row.programs.contains(&name) && row.matches(words));
    let mut risks: Vec<Risk> = rows.map(|row| row.risk).collect();
    risks.sort();
    risks.dedup();
    if risks.is_empty() { vec![Risk::Shell] } else { risks }
}

impl Row {
    fn matches(&self, words: &[String]) -> bool {
        let taken =
            self.subcommands.is_empty() || subcommand(words).any(|word| self.subcommands.contains(&word));
        taken
            && (self.with.is_empty() || words.iter().any(|word| self.with.iter().any(|with| has(word, with))))
    }
}

/// The words that may be the subcommand: the first that is no option, and when options are before it, the next one too,
/// because the first may be the value of an option.
fn subcommand(words: &[String]) -> impl Iterator<Item = &str> {
    let options = words.iter().take_while(|word| word.starts_with('-')).count();
    let plain = words.iter().filter(|word| !word.starts_with('-')).map(String::as_str);
    plain.take(if options == 0 { 1 } else { 2 })
}

/// Whether a word is this option, has it among letters that are glued together (`-rf`), or carries a value behind it.
fn has(word: &str, option: &str) -> bool {
    if word == option || option.starts_with("--") && word.split('=').next() == Some(option) {
        return true;
    }
    if option == "+" {
        return word.starts_with('+');
    }
    match (option.strip_prefix('-'), word.strip_prefix('-')) {
        (Some(letter), Some(letters)) if letter.len() == 1 => {
            !letters.starts_with('-') && letters.contains(letter)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_knows_what_speaks_and_what_destroys() {
        let cases: &[(Risk, &[&str])] = &[
            (
                Risk::Network,
                &[
                    "curl https://example.com",
                    "/usr/bin/ssh host",
                    "git fetch",
                    "git -C x pull",
                    "npm ci",
                    "pip install x",
                    "cargo install x",
                    "git clone url",
                ],
            ),
            (
                Risk::Dangerous,
                &[
                    "rm -rf x",
                    "rm -fr x",
                    "rm --recursive x",
                    "git clean -fdx",
                    "git reset --hard HEAD~1",
                    "git push --force",
                    "git push origin +main",
                    "git push -uf origin main",
                    "find . -delete",
                    "sudo ls",
                    "git checkout -- .",
                    "cargo publish",
                ],
            ),
            (
                Risk::Shell,
                &["rm x", "git reset x", "cargo test", "npm run build", "ls -rf", "git checkout -b x", ""],
            ),
        ];
        for (risk, commands) in cases {
            for command in *commands {
                let argv: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
                assert_eq!(of(&argv).last(), Some(risk), "{command}");
            }
        }
        let forced: Vec<String> = ["git", "push", "--force"].map(str::to_owned).into();
        assert_eq!(of(&forced), [Risk::Network, Risk::Dangerous]);
    }
}
