//! What a session's tools are, and workspaces that are none.

use std::fs;

use onward_event::Workspace;
use onward_tools::{ToolLimits, builtin};

use crate::desk::{Desk, config};

#[test]
fn the_tools_come_in_a_fixed_order() {
    insta::assert_snapshot!(Desk::new().tools.names().join(" "), @"read list glob grep write edit shell read_artifact jobs job_output job_wait job_cancel");
}

#[test]
fn schemas_hold_nothing_that_does_not_help() {
    let desk = Desk::new();
    let shown = desk.tools.iter().map(|tool| {
        let definition = tool.definition();
        format!(
            "{} {}\n{}\n{}\n",
            definition.name, definition.version, definition.description, definition.input_schema
        )
    });
    insta::assert_snapshot!(shown.collect::<String>().replace("/bin/sh ", "/bin/bash "), @r#"
    read 1
    Reads a text file. Each line is shown as its number, a tab, and its text. Shows up to 2000 lines or 64.0 KiB at once and says how to go on. Use list for folders.
    {"additionalProperties":false,"properties":{"limit":{"description":"How many lines to show.","minimum":1,"type":"integer"},"offset":{"description":"The first line to show, counted from 1.","minimum":1,"type":"integer"},"path":{"description":"The file; relative to the working folder, or absolute inside the workspace.","type":"string"}},"required":["path"],"type":"object"}
    list 1
    Lists a folder: paths, sizes, kinds, sorted. What ignore files (.gitignore, .ignore) name is left out, unless that folder itself is asked for. Shows up to 1000 entries.
    {"additionalProperties":false,"properties":{"depth":{"description":"How many levels to show; 1 when absent.","maximum":32,"minimum":1,"type":"integer"},"path":{"description":"The folder; the working folder when absent.","type":"string"}},"type":"object"}
    glob 1
    Finds files by their path: * and ? within a name, ** across folders, {a,b} for either, [abc] for one character. A pattern without / matches names at any depth. Sorted; ignored files are left out; up to 1000 paths.
    {"additionalProperties":false,"properties":{"path":{"description":"The folder that the pattern is relative to; the working folder when absent.","type":"string"},"pattern":{"description":"For example `*.rs` (at any depth), `src/**/*.{ts,tsx}`, `tests/*/mod.rs`.","type":"string"}},"required":["pattern"],"type":"object"}
    grep 1
    Searches file contents: path:line:text of every matching line, sorted by path. Ignored and binary files are left out. Shows 100 matches unless told, 1000 at most.
    {"additionalProperties":false,"properties":{"context":{"description":"Lines to show before and after each match.","minimum":0,"type":"integer"},"glob":{"description":"Only files whose path matches, for example `*.rs`.","type":"string"},"ignore_case":{"description":"Whether capital and small letters are the same.","type":"boolean"},"max":{"description":"Matching lines to show at most.","minimum":1,"type":"integer"},"path":{"description":"The folder or file to search; the working folder when absent.","type":"string"},"pattern":{"description":"A regular expression in Rust's syntax, matched line by line.","type":"string"}},"required":["pattern"],"type":"object"}
    write 1
    Writes a whole file: a new one, or in place of what is there. Use edit to change a part of a file.
    {"additionalProperties":false,"properties":{"content":{"description":"Its whole new content.","type":"string"},"path":{"description":"The file; relative to the working folder, or absolute inside the workspace. Missing folders are made.","type":"string"}},"required":["path","content"],"type":"object"}
    edit 1
    Replaces an exact text in a file. Read the file first. Line ends (CRLF) and the rest of the file stay as they are.
    {"additionalProperties":false,"properties":{"new":{"description":"The text to put in its place.","type":"string"},"old":{"description":"The text to replace, exactly as it stands in the file, white space included, without line numbers.","type":"string"},"path":{"description":"The file; relative to the working folder, or absolute inside the workspace.","type":"string"},"replace_all":{"description":"Whether to replace it everywhere. Otherwise `old` must stand in the file once.","type":"boolean"}},"required":["path","old","new"],"type":"object"}
    shell 1
    Runs a command with /bin/bash -c, without a terminal and without input. Output and errors come in one stream; beyond 30.0 KiB the middle is cut, and read_artifact has it. The command is ended after 120 s unless told (at most 3600 s), and processes that it leaves in the background are ended with it. For what takes long, or runs until it is stopped, set `background`: the answer comes at once and names a job, which you are told of when it ends (after 3600 s at the latest, unless told; at most 86400 s).
    {"additionalProperties":false,"properties":{"background":{"description":"Answer as soon as it runs, and let it go on as a job.","type":"boolean"},"command":{"description":"The command, as the shell reads it.","type":"string"},"dir":{"description":"The folder to run it in; the working folder when absent.","type":"string"},"timeout_seconds":{"description":"Seconds after which it is ended.","minimum":1,"type":"integer"}},"required":["command"],"type":"object"}
    read_artifact 1
    Reads a stored result that an earlier answer names (art_...), up to 64.0 KiB at once.
    {"additionalProperties":false,"properties":{"id":{"description":"The artifact, as an earlier answer named it.","pattern":"^art_[0-7][0-9a-hjkmnp-tv-z]{25}$","type":"string"},"limit":{"description":"How many bytes to show.","minimum":1,"type":"integer"},"offset":{"description":"The first byte to show, counted from 0.","minimum":0,"type":"integer"}},"required":["id"],"type":"object"}
    jobs 1
    Lists the jobs of this session: those that run, and the latest of those that have ended. You are told of the end of each without asking.
    {"additionalProperties":false,"type":"object"}
    job_output 1
    Shows what a job has said, up to 30.0 KiB at once: the end of it, or from `offset` on. The answer names the offset to go on with, also when the job has not said more yet.
    {"additionalProperties":false,"properties":{"job":{"description":"The job.","pattern":"^job_[0-7][0-9a-hjkmnp-tv-z]{25}$","type":"string"},"limit":{"description":"How many bytes to show.","minimum":1,"type":"integer"},"offset":{"description":"The first byte to show, counted from 0; without it, the end of what there is.","minimum":0,"type":"integer"}},"required":["job"],"type":"object"}
    job_wait 1
    Waits for the end of a job, for at most so many seconds (up to 600). Use it only when there is nothing else to do: you are told of the end of a job without waiting.
    {"additionalProperties":false,"properties":{"job":{"description":"The job.","pattern":"^job_[0-7][0-9a-hjkmnp-tv-z]{25}$","type":"string"},"seconds":{"description":"How long to wait at most.","minimum":1,"type":"integer"}},"required":["job","seconds"],"type":"object"}
    job_cancel 1
    Ends a job of this session with all its processes. It is asked to end, and killed if it does not.
    {"additionalProperties":false,"properties":{"job":{"description":"The job.","pattern":"^job_[0-7][0-9a-hjkmnp-tv-z]{25}$","type":"string"}},"required":["job"],"type":"object"}
    "#);
}

#[test]
fn a_workspace_that_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    fs::create_dir(root.join("w")).unwrap();
    fs::create_dir(root.join("w-evil")).unwrap();
    fs::write(root.join("file"), "").unwrap();
    let refusal = |at: &str, dir: &str| {
        let given = |path: &str| {
            if path.starts_with('.') { path.into() } else { format!("{}/{path}", root.display()) }
        };
        let workspace = Workspace { root: given(at), dir: given(dir) };
        let refusal = builtin(config(ToolLimits::default()), &workspace).err().unwrap();
        refusal.to_string().replace(&root.display().to_string(), "<folder>")
    };
    insta::assert_snapshot!(refusal("./w", "./w"), @"the workspace's root `./w` is not an absolute path; no tool was set up");
    insta::assert_snapshot!(refusal("w", "w-evil"), @"the working folder `<folder>/w-evil` is not inside the workspace `<folder>/w`; no tool was set up");
    insta::assert_snapshot!(refusal("w", "w/../w-evil"), @"the working folder `<folder>/w/../w-evil` is not inside the workspace `<folder>/w`; no tool was set up");
    insta::assert_snapshot!(refusal("missing", "missing"), @"cannot open the workspace `<folder>/missing`: No such file or directory (os error 2); no tool was set up");
    insta::assert_snapshot!(refusal("file", "file"), @"cannot open the workspace `<folder>/file`: Not a directory (os error 20); no tool was set up");
}

#[test]
fn a_root_that_is_a_symbolic_link_is_known_by_both_names() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    fs::create_dir(base.join("real")).unwrap();
    std::os::unix::fs::symlink("real", base.join("link")).unwrap();
    let at = |path: &str| base.join(path).to_str().unwrap().to_owned();
    let tools =
        builtin(config(ToolLimits::default()), &Workspace { root: at("link"), dir: at("link") }).unwrap();
    for path in ["link/a", "real/a"] {
        let checked = tools.get("read").unwrap().check(&serde_json::json!({ "path": at(path) })).unwrap();
        assert_eq!(checked.input, serde_json::json!({ "path": "a" }));
        assert_eq!(checked.accesses[0].resource, at("link/a"));
    }
}
