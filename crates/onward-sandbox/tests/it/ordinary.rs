//! Ordinary work goes on in every tier.

use std::path::Path;

use crate::desk::{Desk, desks, succeeded, test_name, text};
use crate::not_tested::not_tested;

fn works(tool: &str, prepare: impl Fn(&Desk), script: &str) {
    let there = std::env::var("PATH").unwrap_or_default();
    if !there.split(':').any(|folder| Path::new(folder).join(tool).exists()) {
        return not_tested(&test_name(), &format!("there is no {tool}"));
    }
    for mut desk in desks() {
        if let Ok(home) = std::env::var("HOME") {
            desk.environment.retain(|(name, _)| name != "HOME");
            desk.environment.push(("HOME".into(), home));
        }
        prepare(&desk);
        let result = desk.sh(script);
        assert!(succeeded(&result), "{tool} in {:?}: {:?} {}", desk.tier, result.end, text(&result));
    }
}

#[test]
fn git_commits() {
    let prepare = |desk: &Desk| {
        let made =
            std::process::Command::new("git").args(["init", "-q"]).arg(&desk.workspace).status().unwrap();
        assert!(made.success());
    };
    works(
        "git",
        prepare,
        "echo x > a && git status --short && git add a && \
         git -c user.name=n -c user.email=e@example.org commit -qm one && git checkout -qb two && echo y >> a && git diff --stat && \
         git -c user.name=n -c user.email=e@example.org commit -qam two && git log --oneline | wc -l",
    );
}

#[test]
fn make_and_a_compiler_work() {
    let prepare = |desk: &Desk| {
        std::fs::write(desk.file("a.c"), "int main(void) { return 0; }\n").unwrap();
        std::fs::write(desk.file("Makefile"), "all: a\n\t./a\n").unwrap();
    };
    works("cc", prepare, "make -j2 && test -x a");
}

#[test]
fn cargo_builds() {
    let prepare = |desk: &Desk| {
        std::fs::create_dir(desk.file("src")).unwrap();
        std::fs::write(desk.file("src/main.rs"), "fn main() { println!(\"hi\"); }\n").unwrap();
        std::fs::write(
            desk.file("Cargo.toml"),
            "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        )
        .unwrap();
    };
    works("cargo", prepare, "cargo run -q --offline");
}

#[test]
fn python_runs_with_processes_and_threads() {
    works(
        "python3",
        |_| {},
        "python3 -c 'import subprocess,threading,asyncio,tempfile; \
         t=threading.Thread(target=lambda: None); t.start(); t.join(); \
         print(subprocess.check_output([\"echo\",\"x\"])); tempfile.TemporaryFile().write(b\"x\"); \
         asyncio.run(asyncio.sleep(0))'",
    );
}

#[test]
fn node_runs() {
    works(
        "node",
        |_| {},
        "node -e 'require(\"fs\").writeFileSync(\"x\",\"y\"); require(\"child_process\").execSync(\"true\")'",
    );
}

#[test]
fn shells_pipe_and_use_descriptors() {
    works(
        "sh",
        |_| {},
        "seq 100 | sort -n | tail -1 | grep -q 100 && echo err > /dev/stderr && echo out > /dev/stdout && cat < /dev/null",
    );
}
