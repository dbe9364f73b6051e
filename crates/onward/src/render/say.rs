//! Printing, as `println!` and its like do it, except that a reader who is gone (`onward log | head -1`) ends nothing:
//! those macros panic. What could not be shown is in the log.

/// Writes a line to standard output.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!($crate::render::out::stdout(), $($words)*);
    }};
}

/// Writes to standard output, without ending the line, and shows it at once.
macro_rules! prompt {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let mut out = $crate::render::out::stdout();
        let _ = write!(out, $($words)*).and_then(|()| out.flush());
    }};
}

/// Writes a line to standard error.
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!($crate::render::out::stderr(), $($words)*);
    }};
}

pub(crate) use {prompt, say, tell};
