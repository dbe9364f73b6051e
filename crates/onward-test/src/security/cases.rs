//! The known attacks, and where it is shown that they fail.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Deserialize;

/// All of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cases {
    /// One after the other.
    #[serde(rename = "case")]
    pub cases: Vec<Case>,
}

/// One way to attack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name, which tests and documents use.
    pub id: String,
    /// Where it has to be stopped.
    pub layer: String,
    /// What is tried.
    pub tried: String,
    /// What has to come of it.
    pub safe: String,
    /// Tests that show it, as `crate::target::module::function`.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Why there is nothing that it could be tried on.
    pub not_yet: Option<String>,
    /// What of it is not prevented.
    pub residual: Option<String>,
}

impl Cases {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or it is not of this form.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{} is not read", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{} is not understood", path.display()))
    }
}

/// The file in which a test is; it does hold a function of that name, right below an attribute that makes it a test.
///
/// # Errors
/// The name has too few parts, there is no such file, or no such test in it.
pub fn where_test_is(root: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let parts: Vec<&str> = name.split("::").collect();
    let [member, target, modules @ .., function] = parts.as_slice() else {
        bail!("{name}: a test is named as crate::target::module::function");
    };
    let member = if *member == "xtask" { root.join("xtask") } else { root.join("crates").join(member) };
    let top = match *target {
        "src" => member.join("src"),
        target => member.join("tests").join(target),
    };
    let module = modules.iter().fold(top, |path, module| path.join(module));
    let files = [module.with_extension("rs"), module.join("mod.rs")];
    let Some(file) = files.iter().find(|file| file.is_file()) else {
        bail!("{name}: there is no {}", files[0].display());
    };
    let text = std::fs::read_to_string(file)?;
    if !has_test(&text, function) {
        bail!("{name}: {} has no such test", file.display());
    }
    Ok(file.clone())
}

fn has_test(text: &str, function: &str) -> bool {
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        let marks = ["#[test]", "#[tokio::test"].iter().any(|mark| line.starts_with(mark));
        let stays = line.starts_with("#[") || line.starts_with("//");
        let declares = [format!("fn {function}("), format!("async fn {function}(")];
        if is_test && declares.iter().any(|start| line.starts_with(start.as_str())) {
            return true;
        }
        is_test = marks || is_test && stays;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_test;

    #[test]
    fn only_tests_are_found() {
        let text = "fn a() {}\n#[test]\nfn b() {}\n/// x\n#[tokio::test(x)]\n#[expect(y)]\nasync fn c() {}\nfn d() {}\n// fn e()";
        let found: Vec<&str> = ["a", "b", "c", "d", "e"].into_iter().filter(|f| has_test(text, f)).collect();
        assert_eq!(found, ["b", "c"]);
    }
}
