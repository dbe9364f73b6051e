//! Names of files, without looking at the disk: normalised, and known to be inside or outside the workspace.

use std::path::Path;

use onward_event::Workspace;
use onward_port::ToolFault;

use crate::error::ToolsError;

/// A path that a model named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The canonical form: relative to the working folder when inside the workspace, absolute when not.
    pub(crate) shown: String,
    /// Absolute, below the root as the workspace names it.
    pub(crate) absolute: String,
    inside: Result<String, String>,
}

impl Place {
    /// Relative to the root; `.` is the root itself.
    ///
    /// # Errors
    /// `outside_workspace`.
    pub(crate) fn relative(&self) -> Result<&Path, ToolFault> {
        match &self.inside {
            Ok(relative) => Ok(Path::new(relative)),
            Err(why) => Err(ToolFault::new("outside_workspace", why)),
        }
    }
}

/// The workspace's own paths, as components.
#[derive(Debug)]
pub(crate) struct Paths {
    root: Vec<String>,
    /// The root without symbolic links: a model may have read this form in a command's output.
    real_root: Vec<String>,
    start: Vec<String>,
}

impl Paths {
    /// Splits the workspace's paths; `real_root` is its root without symbolic links.
    ///
    /// # Errors
    /// When a path is relative, or the working folder is not inside the root.
    pub(crate) fn new(workspace: &Workspace, real_root: &Path) -> Result<Self, ToolsError> {
        let root = absolute("root", &workspace.root)?;
        let dir = absolute("dir", &workspace.dir)?;
        let real_root = normalise(Vec::new(), &real_root.to_string_lossy());
        let Some(start) = strip(&dir, &root).or_else(|| strip(&dir, &real_root)).map(<[String]>::to_vec)
        else {
            return Err(ToolsError::DirOutsideRoot {
                dir: workspace.dir.clone(),
                root: workspace.root.clone(),
            });
        };
        Ok(Self { root, real_root, start })
    }

    /// The workspace's root.
    pub(crate) fn root(&self) -> String {
        join_absolute(&self.root)
    }

    /// Where commands run and relative paths start.
    pub(crate) fn working_folder(&self) -> String {
        join_absolute(&[&self.root[..], &self.start].concat())
    }

    /// Where a path that a model named is.
    ///
    /// # Errors
    /// A sentence, when it is not a path at all.
    pub(crate) fn place(&self, input: &str) -> Result<Place, String> {
        if input.is_empty() {
            return Err("a path must not be empty; `.` is the working folder".into());
        }
        if input.contains('\0') {
            return Err("a path cannot contain a NUL character".into());
        }
        let base = if input.starts_with('/') { Vec::new() } else { [&self.root[..], &self.start].concat() };
        let path = normalise(base, input);
        // With the root `/`, the kernel's own files would count as the workspace's.
        let inside = match path.first().map(String::as_str) {
            Some("proc" | "sys") => None,
            _ => self.relative_to_root(&path),
        };
        Ok(match inside {
            Some(relative) => self.place_inside(relative),
            None => self.place_outside(&path),
        })
    }

    /// The canonical form of a path relative to the root.
    pub(crate) fn shown(&self, relative: &Path) -> String {
        let text = relative.to_string_lossy();
        // Nearly every path that is shown: nothing in it has to be taken apart.
        if self.start.is_empty() && text.split('/').all(|name| !matches!(name, "" | "." | "..")) {
            return text.into_owned();
        }
        self.shown_components(&normalise(Vec::new(), &text))
    }

    /// The absolute form of a path relative to the root.
    pub(crate) fn absolute(&self, relative: &Path) -> String {
        let relative = normalise(Vec::new(), &relative.to_string_lossy());
        join_absolute(&[&self.root[..], &relative].concat())
    }

    /// What an absolute path is relative to the root, when it is inside.
    pub(crate) fn inside(&self, absolute: &str) -> Option<String> {
        let path = normalise(Vec::new(), absolute);
        self.relative_to_root(&path).map(join_relative)
    }

    fn relative_to_root<'a>(&self, path: &'a [String]) -> Option<&'a [String]> {
        strip(path, &self.root).or_else(|| strip(path, &self.real_root))
    }

    fn place_inside(&self, relative: &[String]) -> Place {
        Place {
            shown: self.shown_components(relative),
            absolute: join_absolute(&[&self.root[..], relative].concat()),
            inside: Ok(join_relative(relative)),
        }
    }

    fn place_outside(&self, path: &[String]) -> Place {
        let absolute = join_absolute(path);
        let root = self.root();
        let why =
            format!("`{absolute}` is outside the workspace `{root}`; file tools reach only what lies inside");
        Place { shown: absolute.clone(), absolute, inside: Err(why) }
    }

    fn shown_components(&self, relative: &[String]) -> String {
        let shared = relative.iter().zip(&self.start).take_while(|(a, b)| a == b).count();
        let up = std::iter::repeat_n("..", self.start.len() - shared);
        let down = relative[shared..].iter().map(String::as_str);
        let shown: Vec<&str> = up.chain(down).collect();
        if shown.is_empty() { ".".into() } else { shown.join("/") }
    }
}

fn absolute(what: &'static str, path: &str) -> Result<Vec<String>, ToolsError> {
    if !path.starts_with('/') || path.contains('\0') {
        return Err(ToolsError::NotAbsolute { what, path: path.into() });
    }
    Ok(normalise(Vec::new(), path))
}

/// Follows `path` from `base`, by name alone: `..` takes back the component before it, and nothing at the top.
fn normalise(mut base: Vec<String>, path: &str) -> Vec<String> {
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                base.pop();
            }
            name => base.push(name.into()),
        }
    }
    base
}

fn strip<'a>(path: &'a [String], root: &[String]) -> Option<&'a [String]> {
    path.strip_prefix(root)
}

fn join_absolute(components: &[String]) -> String {
    format!("/{}", components.join("/"))
}

fn join_relative(components: &[String]) -> String {
    if components.is_empty() { ".".into() } else { components.join("/") }
}
