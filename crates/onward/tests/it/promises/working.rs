//! A process in the middle of its work, which a test lets go on or kills.

use crate::support::{Running, Sandbox, pid_of_command, waiting_command};

/// A run that waits in the middle until the test lets it go on.
pub(crate) struct Working {
    pub(crate) sandbox: Sandbox,
    pub(crate) exec: Running,
}

impl Working {
    pub(crate) fn start() -> Self {
        let sandbox = Sandbox::new(&waiting_command());
        let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
        pid_of_command(&sandbox);
        Self { sandbox, exec }
    }

    /// Lets it come to its end.
    pub(crate) fn finish(self) -> Sandbox {
        self.sandbox.write("go", "");
        self.exec.wait().ended(0);
        self.sandbox.assert_checked();
        self.sandbox
    }
}
