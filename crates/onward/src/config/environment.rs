//! The surroundings of the process, as plain values: read once, when it starts, and nowhere else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Variables, home folder and current folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// The variables whose names and values are text.
    pub(crate) vars: BTreeMap<String, String>,
    /// The home folder, if there is one.
    pub(crate) home: Option<PathBuf>,
    /// The current folder.
    pub(crate) cwd: PathBuf,
}

impl Environment {
    /// The value of a variable; none when it is empty, as is usual.
    pub(crate) fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The folder that an XDG variable names, or its place below the home folder. A relative value is ignored, as the
    /// XDG specification asks.
    pub(crate) fn xdg(&self, name: &str, below_home: &str) -> Option<PathBuf> {
        let set = self.var(name).map(PathBuf::from).filter(|path| path.is_absolute());
        set.or_else(|| Some(self.home.as_ref()?.join(below_home)))
    }

    /// A path as a person writes it: `~/` is the home folder, and what is relative starts at `base`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn path(&self, text: &str, base: &Path) -> Result<PathBuf, String> {
        if text.is_empty() {
            return Err("the path is empty".into());
        }
        match (text.strip_prefix('~'), &self.home) {
            (None, _) => Ok(base.join(text)),
            (Some(""), Some(home)) => Ok(home.clone()),
            (Some(rest), Some(home)) if rest.starts_with('/') => Ok(home.join(rest.trim_start_matches('/'))),
            (Some(_), None) => Err("`~` cannot be used, because no home folder is known".into()),
            (Some(_), Some(_)) => Err("only `~/` can stand for a home folder; write the whole path".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(vars: &[(&str, &str)]) -> Environment {
        let vars = vars.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        Environment { vars, home: Some("/home/user".into()), cwd: "/work".into() }
    }

    #[test]
    fn an_xdg_folder_must_be_absolute() {
        for (value, expect) in
            [("/etc/xdg", "/etc/xdg"), ("here", "/home/user/.config"), ("", "/home/user/.config")]
        {
            let environment = environment(&[("XDG_CONFIG_HOME", value)]);
            assert_eq!(environment.xdg("XDG_CONFIG_HOME", ".config"), Some(expect.into()), "{value:?}");
        }
    }

    #[test]
    fn paths_are_read_as_people_write_them() {
        let environment = environment(&[]);
        let base = Path::new("/base");
        for (text, expect) in [
            ("a/b", "/base/a/b"),
            ("/a", "/a"),
            ("~/a", "/home/user/a"),
            ("~", "/home/user"),
            ("~//a", "/home/user/a"),
        ] {
            assert_eq!(environment.path(text, base), Ok(expect.into()), "{text}");
        }
        for bad in ["", "~bob/x"] {
            assert!(environment.path(bad, base).is_err(), "{bad}");
        }
        assert!(Environment::default().path("~/x", base).unwrap_err().contains("no home folder"));
    }
}
