//! A sandbox: home, configuration, sessions, a workspace and a script, apart from every other test's.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use onward_event::{AttemptId, Event, SessionId};
use serde_json::Value;
use tempfile::TempDir;

use super::filter::Filter;
use super::records::{self, Records, records};
use super::{Done, Running, eventually, not_tested};

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_onward");

/// A folder that is where contained commands could reach it, if nothing kept them from it. They have `/tmp` and the like to
/// themselves: what lies there is out of reach for that reason alone, and its safety shows nothing.
fn visible_folder() -> TempDir {
    let below = Path::new(env!("CARGO_TARGET_TMPDIR"));
    if built_out_of_sight() {
        not_tested(&test_name(), "outside of folders for temporary files: everything is built in one");
    }
    std::fs::create_dir_all(below).unwrap();
    tempfile::Builder::new().prefix("onward-").tempdir_in(below).unwrap()
}

/// Whether everything is built in a folder for temporary files, where no contained command sees even the program.
pub(crate) fn built_out_of_sight() -> bool {
    let own = ["/tmp", "/var/tmp", "/dev/shm", "/run"];
    own.iter().any(|own| Path::new(env!("CARGO_TARGET_TMPDIR")).starts_with(own))
}

fn test_name() -> String {
    std::thread::current().name().unwrap_or("a test").to_owned()
}

/// Folders of one test.
pub(crate) struct Sandbox {
    folder: TempDir,
    data: PathBuf,
    variables: Vec<(String, String)>,
    processes: AtomicU32,
}

impl Sandbox {
    /// With a model that plays this script.
    pub(crate) fn new(script: &Value) -> Self {
        Self::playing(script, tempfile::tempdir().unwrap())
    }

    /// The same, with commands that are contained by what the machine has; none, with a line that says so, where it is not
    /// to have anything.
    pub(crate) fn contained(script: &Value) -> Option<Self> {
        let sandbox = Self::playing(script, visible_folder());
        let doctor = sandbox.run(&["doctor"]);
        if doctor.code() != 0 {
            onward_test::no_sandbox(&test_name(), &doctor.stdout);
            return None;
        }
        Some(sandbox)
    }

    /// The same, one in each tier that the machine has. A tier that it lacks is named.
    pub(crate) fn in_each_tier(script: &Value) -> Vec<(&'static str, Self)> {
        let Some(any) = Self::contained(script) else { return Vec::new() };
        let mut found = Vec::new();
        for tier in ["namespaces", "landlock"] {
            let tried = any.run(&["sandbox", "--tier", tier, "--", "true"]);
            match tried.code() {
                0 => {
                    let sandbox = Self::playing(script, visible_folder());
                    found.push((tier, sandbox.with_variable("ONWARD_SANDBOX_TIER", tier)));
                }
                _ => not_tested(&format!("{}, the tier {tier}", test_name()), &tried.stderr),
            }
        }
        assert!(!found.is_empty(), "there is a sandbox, and no tier of it works");
        found
    }

    fn playing(script: &Value, folder: TempDir) -> Self {
        let sandbox = Self::bare_in(folder);
        sandbox.set_script(script);
        sandbox.set_config(&sandbox.scripted_config());
        sandbox
    }

    /// Without any configuration.
    pub(crate) fn bare() -> Self {
        Self::bare_in(tempfile::tempdir().unwrap())
    }

    fn bare_in(folder: TempDir) -> Self {
        let sandbox = Self {
            data: folder.path().join("home/.local/share/onward"),
            folder,
            variables: Vec::new(),
            processes: AtomicU32::new(0),
        };
        for part in ["home/.config/onward", "tmp", "output", "workspace/.git"] {
            std::fs::create_dir_all(sandbox.path().join(part)).unwrap();
        }
        sandbox
    }

    /// The same, with its sessions in another folder.
    pub(crate) fn with_data(mut self, data: PathBuf) -> Self {
        self.variables.push(("ONWARD_DATA_DIR".into(), data.to_str().unwrap().into()));
        self.data = data;
        self
    }

    /// The same, with a variable set in every process.
    pub(crate) fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.path().join("workspace")
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// What the configuration file says so that the script is played.
    pub(crate) fn scripted_config(&self) -> String {
        let script = self.path().join("script.json");
        format!(
            "model = \"scripted/test\"\n[providers.scripted]\nkind = \"scripted\"\nscript = \"{}\"\n",
            script.display()
        )
    }

    pub(crate) fn set_config(&self, text: &str) {
        std::fs::write(self.path().join("home/.config/onward/config.toml"), text).unwrap();
    }

    /// The person's rules.
    pub(crate) fn set_rules(&self, text: &str) {
        std::fs::write(self.rules(), text).unwrap();
    }

    /// Where they stand.
    pub(crate) fn rules(&self) -> PathBuf {
        self.path().join("home/.config/onward/policy.toml")
    }

    /// What the model says from the next process on.
    pub(crate) fn set_script(&self, script: &Value) {
        std::fs::write(self.path().join("script.json"), script.to_string()).unwrap();
    }

    /// Writes a file of the workspace.
    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.workspace().join(name), text).unwrap();
    }

    /// A file of the workspace; nothing when it is not there.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.workspace().join(name)).unwrap_or_default()
    }

    /// Any program in the sandbox: nothing of the surroundings reaches it but the search path.
    pub(crate) fn program(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(self.workspace()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        for (name, folder) in [("HOME", "home"), ("XDG_CONFIG_HOME", "home/.config"), ("TMPDIR", "tmp")] {
            command.env(name, self.path().join(folder));
        }
        command.env("USER", "tester").env("ONWARD", PROGRAM).envs(self.variables.clone());
        command
    }

    /// The program with these arguments.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.program(PROGRAM, args)
    }

    /// Starts any command.
    pub(crate) fn start_command(&self, command: Command, stdin: Stdio) -> Running {
        let n = self.processes.fetch_add(1, Ordering::SeqCst);
        let [out, err] = ["stdout", "stderr"].map(|name| self.path().join(format!("output/{n}.{name}")));
        Running::start(format!("{command:?}"), command, stdin, out, err)
    }

    /// Starts the program without input.
    pub(crate) fn start(&self, args: &[&str]) -> Running {
        self.start_command(self.command(args), Stdio::null())
    }

    /// Starts the program; the test types.
    pub(crate) fn start_talking(&self, args: &[&str]) -> Running {
        self.start_command(self.command(args), Stdio::piped())
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Done {
        self.start(args).wait()
    }

    /// Runs the program to its end, with this on its standard input.
    pub(crate) fn run_with_input(&self, args: &[&str], input: &str) -> Done {
        let file = self.path().join("input");
        std::fs::write(&file, input).unwrap();
        let input = std::fs::File::open(&file).unwrap();
        self.start_command(self.command(args), input.into()).wait()
    }

    /// Runs a line of shell to its end; `$ONWARD` is the program.
    pub(crate) fn shell(&self, line: &str) -> Done {
        self.start_command(self.program("/bin/sh", &["-c", line]), Stdio::null()).wait()
    }

    /// The latest session; waits until there is one.
    pub(crate) fn session(&self) -> SessionId {
        eventually("a session", || records::sessions(&self.data).first().map(|summary| summary.session))
    }

    /// The records of the latest session.
    pub(crate) fn records(&self) -> Records {
        records(&self.data, self.session())
    }

    /// Waits until the latest session has this many records of a kind.
    pub(crate) fn until(&self, kind: &str, count: usize) -> Records {
        let session = self.session();
        eventually(&format!("{count} × {kind}"), || {
            let records = records(&self.data, session);
            (records.count(kind) >= count).then_some(records)
        })
    }

    /// Waits until a piece of the answer of the open attempt has reached the side stream.
    pub(crate) fn until_side(&self) -> (AttemptId, String) {
        let session = self.session();
        eventually("a piece in the side stream", || {
            let started = records(&self.data, session).all(|event| match event {
                Event::AttemptStart(start) => Some(start.attempt),
                _ => None,
            });
            let attempt = *started.last()?;
            let text = records::side_text(&self.data, session, &attempt.to_string());
            (!text.is_empty()).then_some((attempt, text))
        })
    }

    /// The latest session's log passes every check.
    #[track_caller]
    pub(crate) fn assert_checked(&self) {
        self.run(&["check"]).ended(0);
    }

    /// Everything that is seen of a process, without what differs from run to run.
    pub(crate) fn shown(&self, done: &Done) -> String {
        self.filtered(&done.shown())
    }

    /// A text without what differs from run to run.
    pub(crate) fn filtered(&self, text: &str) -> String {
        Filter::new(self.path()).apply(text)
    }
}
