//! Runs a command: uncontained, or by the real `onward sandbox`.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use onward_event::FileAccess;

use super::site::{SECRET, Site};

/// No command of the data needs longer, on a slow machine either.
const LONGEST: Duration = Duration::from_secs(240);
/// Between two looks whether a command has ended.
const PAUSE: Duration = Duration::from_millis(4);

/// The program under test.
#[derive(Clone, Debug)]
pub struct Program {
    binary: PathBuf,
    user: Option<u32>,
}

/// How a command ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Its exit code; `None`: a signal, or it took too long.
    pub code: Option<i32>,
    /// What it printed, on both outputs.
    pub output: Vec<u8>,
}

/// How a command is contained.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contained<'a> {
    pub(crate) tier: &'a str,
    pub(crate) files: FileAccess,
}

/// Whose home folder a command has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// The site's.
    Site,
    /// That of whoever runs this: toolchains are there.
    Own,
}

impl Program {
    /// The program at this path.
    pub fn new(binary: PathBuf) -> Self {
        Self { binary, user: None }
    }

    /// The same, with everything run as another user. Only root can do that.
    pub fn as_user(&self, user: u32) -> Self {
        Self { user: Some(user), ..self.clone() }
    }

    /// A place whose commands are run as they are to be.
    pub(crate) fn site(&self, below: &Path, files: &BTreeMap<String, String>) -> anyhow::Result<Site> {
        Site::new(below, self.user, files)
    }

    /// Why this machine does not have a tier; `None`: it has.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn lacks(&self, tier: &str, below: &Path) -> anyhow::Result<Option<String>> {
        let site = self.site(below, &BTreeMap::new())?;
        site.hand_over()?;
        let home = self.working_home();
        let contained = Contained { tier, files: FileAccess::WorkspaceWrite };
        let ended = match self.run(Some(contained), home, &site, "", &["true".to_owned()]) {
            Ok(ended) => ended,
            // This user may not even see the program, or the folder.
            Err(error) => return Ok(Some(format!("{error:#}"))),
        };
        let said = String::from_utf8_lossy(&ended.output).trim().to_owned();
        Ok((ended.code != Some(0)).then_some(said))
    }

    /// Whether whoever runs the commands finds a program on the search path.
    pub(crate) fn finds(&self, program: &str) -> bool {
        let Some(user) = self.user else { return is_here(program) };
        let mut look = Command::new("/bin/sh");
        look.args(["-c", "command -v \"$0\"", program]).stdout(Stdio::null()).stderr(Stdio::null());
        look.uid(user).gid(user).status().is_ok_and(|status| status.success())
    }

    /// Whose home folder ordinary work has: toolchains are in one's own, and nobody else's.
    pub(crate) fn working_home(&self) -> Home {
        if self.user.is_some() { Home::Site } else { Home::Own }
    }

    /// Has the program work in a site's repository until its model is done, which makes so many calls.
    pub(crate) fn exec(&self, site: &Site, home: Home, calls: usize) -> anyhow::Result<Ended> {
        let words = ["exec", "--json", "work"].map(str::to_owned);
        let longest = LONGEST.saturating_mul(u32::try_from(calls).unwrap_or(u32::MAX));
        self.start(Command::new(&self.binary), &words, home, site, "", longest)
    }

    /// Runs a command in a folder of the site's repository, in a tier; `None`: uncontained.
    pub(crate) fn run(
        &self,
        contained: Option<Contained<'_>>,
        home: Home,
        site: &Site,
        dir: &str,
        argv: &[String],
    ) -> anyhow::Result<Ended> {
        let (first, rest) = argv.split_first().context("a command has a first word")?;
        let command = match contained {
            None => Command::new(first),
            Some(Contained { tier, files }) => {
                let mut command = Command::new(&self.binary);
                command.args(["sandbox", "--tier", tier]);
                if files == FileAccess::ReadOnly {
                    command.arg("--read-only");
                }
                command.arg("--").arg(first);
                command
            }
        };
        self.start(command, rest, home, site, dir, LONGEST)
    }

    fn start(
        &self,
        mut command: Command,
        words: &[String],
        home: Home,
        site: &Site,
        dir: &str,
        longest: Duration,
    ) -> anyhow::Result<Ended> {
        command.args(words).current_dir(site.repo().join(dir));
        environment(&mut command, home, site);
        let path = site.base.join("output");
        let output = File::create(&path)?;
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        let mut child = command.spawn().with_context(|| format!("{command:?} cannot be started"))?;
        let began = Instant::now();
        let code = loop {
            if let Some(status) = child.try_wait()? {
                break status.code();
            }
            if began.elapsed() > longest {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(PAUSE);
        };
        Ok(Ended { code, output: std::fs::read(path)? })
    }
}

/// The search path, a home folder, and a secret that no command is to see.
fn environment(command: &mut Command, home: Home, site: &Site) {
    let own = |name: &str| std::env::var_os(name).unwrap_or_default();
    command.env_clear().env("PATH", own("PATH")).env("LANG", "C.UTF-8").env("CANARY_TOKEN", SECRET);
    command.env("XDG_CONFIG_HOME", site.base.join("config"));
    match home {
        Home::Site => command.env("HOME", site.base.join("home")),
        Home::Own => command.env("HOME", own("HOME")).env("ONWARD_DATA_DIR", site.base.join("data")),
    };
    for name in ["RUSTUP_HOME", "CARGO_HOME", "RUSTUP_TOOLCHAIN", "JAVA_HOME", "PYENV_ROOT"] {
        if let Some(value) = std::env::var_os(name).filter(|_| home == Home::Own) {
            command.env(name, value);
        }
    }
}

/// Whether a program is on the search path.
pub(crate) fn is_here(program: &str) -> bool {
    search_path().iter().any(|folder| Path::new(folder).join(program).is_file())
}

/// The folders of the search path.
pub(crate) fn search_path() -> Vec<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.display().to_string()).collect()
}
