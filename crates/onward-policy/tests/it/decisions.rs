//! What a decision carries beside its verdict: files, digests, what runs, the revision.

use std::fs;

use onward_event::{Mode, Rendered, Risk};
use onward_policy::{Layer, LayerFile, LayeredPolicy};
use onward_port::{Policy as _, digest};

use crate::support::{Ask, Desk, contained, layers, rules, show, writes};

/// What an approval is bound to: scripts and inputs by their content, what a command surely writes by its name.
#[test]
fn an_approval_is_bound_to_what_a_call_reads_and_runs_and_not_to_what_it_writes() {
    let desk = Desk::new();
    for name in ["data", "other", "tool.sh", "prog.sed"] {
        fs::write(desk.root().join(name), name).unwrap();
    }
    let files = |script: &str| {
        let decision = desk.run(&LayeredPolicy::new(), contained(Mode::Normal), script);
        assert_eq!(decision.verdict, Ask, "{script}");
        let names = decision.files.iter().map(|file| file.path.rsplit('/').next().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    for script in ["sort -o data data", "sed -i s/1/2/ data", "echo x >> data", "perl -e 1 | tee data"] {
        assert!(files(script).is_empty(), "{script}: {:?}", files(script));
    }
    assert_eq!(files("sort -o data other"), ["other"]);
    assert_eq!(files("sh tool.sh > data"), ["tool.sh"]);
    assert_eq!(files("sh tool.sh > tool.sh"), ["tool.sh"], "what is run is bound, whoever writes it");
    assert_eq!(files("cp other tool.sh && sh tool.sh"), ["other", "tool.sh"]);
    assert_eq!(files("sed -i -f prog.sed data"), ["data", "prog.sed"]);
    assert_eq!(files("sed -i s/1/2/e data"), ["data"], "its content would be run");
    assert_eq!(files("perl -i -pe 1 data"), ["data"], "of this program it is not known");
}

#[test]
fn an_ask_names_the_files_of_the_call_as_they_are() {
    let desk = Desk::new();
    let policy = LayeredPolicy::new();
    std::os::unix::fs::symlink("src/a.rs", desk.root().join("link")).unwrap();
    let decision = desk.run(&policy, contained(Mode::Normal), "perl link src missing -x=src/a.rs");
    let named: Vec<&str> = decision.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(named, [show(&desk.root().join("src/a.rs"))], "links followed, once, no folders");
    assert_eq!(decision.files[0].digest, Some(digest(b"fn main() {}\n")));
    fs::write(desk.root().join("src/a.rs"), "other").unwrap();
    let changed = desk.run(&policy, contained(Mode::Normal), "perl link src missing -x=src/a.rs");
    assert_ne!(changed.files, decision.files);
    assert_eq!(changed.rules_digest, decision.rules_digest);
}

#[test]
fn a_file_that_would_be_made_is_named_as_missing() {
    let desk = Desk::new();
    let path = desk.root().join("new.rs");
    let decision = desk.call(&LayeredPolicy::new(), Mode::Normal, "write", &writes(&path));
    assert_eq!(decision.files.len(), 1);
    assert_eq!((decision.files[0].path.clone(), decision.files[0].digest), (show(&path), None));
}

#[test]
fn large_files_and_pipes_are_named_without_being_read() {
    let desk = Desk::new();
    let large = fs::File::create(desk.root().join("large")).unwrap();
    large.set_len(1 << 40).unwrap();
    let decision = desk.run(&LayeredPolicy::new(), contained(Mode::Normal), "perl large");
    assert_eq!(decision.files.len(), 1);
    assert!(decision.files[0].digest.is_some());
    large.set_len(1 << 41).unwrap();
    let changed = desk.run(&LayeredPolicy::new(), contained(Mode::Normal), "perl large");
    assert_ne!(changed.files, decision.files);
}

#[test]
fn what_runs_is_what_was_judged() {
    let desk = Desk::new();
    let decision = desk.run(&LayeredPolicy::new(), contained(Mode::Normal), "cargo   test");
    assert_eq!(decision.rendered, Some(Rendered::Argv(vec!["cargo".into(), "test".into()])));
    assert_eq!((decision.files.len(), decision.rules_digest), (0, None), "nothing is approved");
}

#[test]
fn the_risk_is_the_worst_of_the_parts() {
    let desk = Desk::new();
    let risk = |script| desk.run(&LayeredPolicy::new(), contained(Mode::Normal), script).risk;
    assert_eq!(risk("ls"), Risk::Shell);
    assert_eq!(risk("ls && git push"), Risk::Network);
    assert_eq!(risk("git push ; rm -rf x"), Risk::Dangerous);
    assert_eq!(risk("rm -rf $(ls)"), Risk::Dangerous);
}

#[test]
fn reasons_name_the_rule_and_its_place() {
    let desk = Desk::new();
    let text = "\n[[rule]]\nid = 'no-push'\neffect = 'deny'\nargv = ['git', 'push', '...']\nreason = 'we push by hand'\n";
    let decision = desk.run(&rules(Layer::Project, text), contained(Mode::Auto), "git push origin");
    assert_eq!(
        decision.reason,
        "`git push origin`: the project rule no-push (project:2) denies it: we push by hand"
    );
    let asked = desk.run(&LayeredPolicy::new(), contained(Mode::Normal), "npm install x && perl y");
    assert_eq!(
        asked.reason,
        "`npm install x`: it speaks to other machines; `perl y`: no rule lets this command run without asking"
    );
}

#[test]
fn the_revision_follows_what_the_rules_say() {
    let rule = |id: &str| format!("[[rule]]\nid = '{id}'\neffect = 'ask'\nargv = ['{id}']\n");
    let (a, b) = (rule("a"), rule("b"));
    let revision = |texts: &[(Layer, &str)]| layers(texts).revision();
    let both = revision(&[(Layer::User, &format!("{a}{b}"))]);
    assert_eq!(revision(&[(Layer::User, &format!("# words\n{b}reason = 'x'\n{a}"))]), both);
    assert_ne!(revision(&[(Layer::User, &a)]), both);
    assert_ne!(revision(&[(Layer::User, &a), (Layer::Project, &b)]), both);
    assert_eq!(LayeredPolicy::new().revision(), LayeredPolicy::default().revision());
    assert!(both <= u64::from(u32::MAX), "exact in every JSON reader");
}

#[test]
fn files_are_loaded_and_missing_ones_have_no_rules() {
    let desk = Desk::new();
    let path = desk.base().join("policy.toml");
    let file = |layer| LayerFile { layer, path: path.clone() };
    let load = || LayeredPolicy::load(&[file(Layer::User)]);
    assert_eq!(load().unwrap().revision(), LayeredPolicy::new().revision());
    fs::write(&path, "[[rule]]\nid = 'a'\neffect = 'ask'\nargv = ['ls', '...']\n").unwrap();
    let loaded = load().unwrap();
    assert_eq!(desk.run(&loaded, contained(Mode::Auto), "ls").verdict, Ask);
    fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(load().unwrap_err().to_string().contains("cannot be read"));
    fs::write(&path, "#".repeat(2 << 20)).unwrap();
    assert!(load().unwrap_err().to_string().contains("longer than"));
    let folder = LayerFile { layer: Layer::User, path: desk.base() };
    assert!(LayeredPolicy::load(&[folder]).is_err());
}

#[test]
fn what_most_probably_only_reads_is_not_explained_as_a_change() {
    let desk = Desk::new();
    let reason = |script: &str| {
        let decision = desk.run(&layers(&[]), contained(Mode::Normal), script);
        assert_eq!(decision.verdict, Ask, "{script}");
        assert!(
            decision.rules.iter().any(|rule| rule == "protected-names"),
            "{script}: {:?}",
            decision.rules
        );
        decision.reason
    };
    for script in ["cat $HOME/.ssh/id", "grep x \"$D\"/.git/config"] {
        let said = reason(script);
        assert!(said.contains("it names what other programs execute or trust"), "{said}");
        assert!(!said.contains("what is written there"), "{said}");
    }
    assert!(reason("touch $HOME/.ssh/id").contains("what is written there"));
}
