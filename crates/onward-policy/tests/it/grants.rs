//! "Always": what is proposed, that it answers what was asked and nothing else, and how it is saved.

use std::fs;

use onward_event::{Digest, Mode, NetworkAccess};
use onward_policy::{Layer, moment, valid_until, with_grant};
use onward_port::Policy as _;

use crate::support::{Allow, Ask, Deny, Desk, NOW, Setting, contained, layers, open, rules, waived, writes};

/// The policy with what "always" proposes for a script in the user's file.
fn granted(
    desk: &Desk,
    others: &[(Layer, &str)],
    setting: Setting,
    script: &str,
) -> (String, onward_policy::LayeredPolicy) {
    let asked = desk.run(&layers(others), setting, script);
    assert_eq!(asked.verdict, Ask, "{asked:?}");
    let grant = asked.always.unwrap_or_else(|| panic!("nothing is proposed for `{script}`"));
    let mut texts = others.to_vec();
    texts.push((Layer::User, grant.as_str()));
    (grant.clone(), layers(&texts))
}

#[test]
fn what_is_proposed_answers_the_same_question_and_no_other() {
    let desk = Desk::new();
    for (script, other) in [
        ("perl x.py", "perl y.py"),
        ("rm -r src", "rm -r ."),
        ("npm install left-pad", "npm install right-pad"),
        ("echo x > src/out", "echo x > src/other"),
        ("echo $(id)", "echo $(id) "),
        ("perl a | rm -r b", "perl a | rm -r c"),
        ("git push", "git push --force"),
    ] {
        let (_, policy) = granted(&desk, &[], contained(Mode::Normal), script);
        let decision = desk.run(&policy, contained(Mode::Normal), script);
        assert_eq!(decision.verdict, Allow, "`{script}`: {decision:?}");
        assert!(decision.rules.iter().any(|rule| rule.starts_with("grant-")), "{:?}", decision.rules);
        assert_eq!(desk.run(&policy, contained(Mode::Normal), other).verdict, Ask, "{other}");
        assert_eq!(desk.run(&policy, contained(Mode::Plan), script).verdict, Deny, "a ceiling is no ask");
        assert_eq!(
            desk.run(&policy, waived(Mode::Normal), script).verdict,
            Ask,
            "it was granted in a sandbox"
        );
    }
}

#[test]
fn the_same_words_in_another_folder_are_asked_about() {
    let desk = Desk::new();
    fs::create_dir_all(desk.root().join("sub/deep")).unwrap();
    let here = contained(Mode::Normal);
    let (grant, policy) = granted(&desk, &[], here, "rm -r build");
    assert!(!grant.contains("dir ="), "{grant}");
    let plan_in = |script: &str, dir: &str| {
        let mut plan = desk.command(script);
        let command = plan.effects.command.as_mut().unwrap();
        command.dir = format!("{}/{dir}", command.dir);
        plan
    };
    let decide = |policy: &onward_policy::LayeredPolicy, plan: &onward_port::ToolPlan| {
        desk.call(policy, Mode::Normal, "shell", plan)
    };
    assert_eq!(decide(&policy, &desk.command("rm -r build")).verdict, Allow);
    for script in [
        "cd sub && rm -r build",
        "cd sub; rm -r build",
        "pushd sub && rm -r build",
        "env -C sub rm -r build",
        "env --chdir=sub rm -r build",
        "env --ch sub rm -r build",
        "sh -c 'cd sub && rm -r build'",
        "find sub -execdir rm -r build ;",
        "sudo -D sub rm -r build",
    ] {
        let decision = decide(&policy, &desk.command(script));
        assert_ne!(decision.verdict, Allow, "{script}: {decision:?}");
    }
    assert_eq!(decide(&policy, &plan_in("rm -r build", "sub")).verdict, Ask);
    // One that is granted there names the folder, and counts in no other.
    let there = plan_in("rm -r build", "sub/deep");
    let grant = decide(&layers(&[]), &there).always.unwrap();
    assert!(grant.contains("dir = \"sub/deep\"\n"), "{grant}");
    let policy = rules(Layer::User, &grant);
    assert_eq!(decide(&policy, &there).verdict, Allow);
    for dir in ["", "sub", "src"] {
        assert_eq!(decide(&policy, &plan_in("rm -r build", dir)).verdict, Ask, "{dir}");
    }
    // A script that goes somewhere is granted as a whole, from where it starts.
    let (grant, policy) = granted(&desk, &[], here, "cd sub && rm -r build");
    assert!(grant.contains("text = ") && !grant.contains("argv = "), "{grant}");
    assert_eq!(decide(&policy, &desk.command("cd sub && rm -r build")).verdict, Allow);
    assert_eq!(decide(&policy, &plan_in("cd sub && rm -r build", "sub")).verdict, Ask);
}

#[test]
fn a_grant_is_for_the_tool_that_it_was_given_for() {
    let desk = Desk::new();
    let (grant, policy) = granted(&desk, &[], contained(Mode::Normal), "perl x.py");
    let plan = desk.command("perl x.py");
    let decide = |version: &str, definition: Digest| {
        desk.with_request(contained(Mode::Normal), "shell", &plan, |request| {
            policy.decide(&onward_port::PolicyRequest { version, definition, ..*request }).verdict
        })
    };
    assert_eq!(decide("1", Digest::ZERO), Allow);
    assert_eq!(decide("2", Digest::ZERO), Ask);
    assert_eq!(decide("1", Digest([1; 32])), Ask);
    // One of before says nothing of either.
    let says = |line: &&str| !line.starts_with("version = ") && !line.starts_with("definition = ");
    let old: Vec<&str> = grant.lines().filter(says).collect();
    assert_eq!(
        desk.run(&rules(Layer::User, &old.join("\n")), contained(Mode::Normal), "perl x.py").verdict,
        Allow
    );
}

#[test]
fn a_grant_with_an_end_answers_up_to_it_and_is_told_about_afterwards() {
    let desk = Desk::new();
    let (grant, _) = granted(&desk, &[], contained(Mode::Normal), "perl a | rm -r b");
    for (end, verdict) in
        [(NOW, Allow), (NOW.plus_millis(1), Allow), (onward_event::Timestamp(NOW.0 - 1000), Ask)]
    {
        let text = valid_until(&grant, end);
        assert_eq!(text.matches("valid_until = ").count(), 2, "each of them ends: {text}");
        let policy = rules(Layer::User, &text);
        let plan = desk.command("perl a | rm -r b");
        let explained =
            desk.with_request(contained(Mode::Normal), "shell", &plan, |request| policy.explain(request));
        assert_eq!(explained.decision.verdict, verdict, "{text}");
        let expired: Vec<String> =
            explained.parts.iter().flat_map(|part| &part.expired).map(ToString::to_string).collect();
        assert_eq!(expired.len(), if verdict == Ask { 2 } else { 0 }, "{expired:?}");
        let said = format!("until {}: it has expired and answers nothing", moment(end));
        assert!(expired.iter().all(|line| line.contains(&said)), "{expired:?}");
        let listed = policy.list_grants(NOW);
        assert!(listed.iter().all(|line| line.expired == (verdict == Ask)), "{listed:?}");
    }
    // Another end is another grant: one that is over does not keep a new one from being saved.
    let old = valid_until(&grant, onward_event::Timestamp(NOW.0 - 1000));
    let new = valid_until(&grant, NOW);
    let both = with_grant(&old, "policy.toml", &new).unwrap();
    assert_eq!(both.matches("[[grant]]").count(), 4, "{both}");
    assert_eq!(rules(Layer::User, &both).list_grants(NOW).iter().filter(|line| !line.expired).count(), 2);
}

#[test]
fn the_text_that_is_proposed() {
    let desk = Desk::new();
    fs::write(desk.root().join("run.sh"), "echo").unwrap();
    let propose = |setting, script: &str| {
        let text = desk.run(&rules(Layer::User, ""), setting, script).always.unwrap_or_default();
        format!("$ {script}\n{}", desk.hide(&text))
    };
    let all = [
        propose(open(Mode::Normal), "npm install left-pad"),
        propose(waived(Mode::Normal), "cargo test --all"),
        propose(contained(Mode::Normal), "sh ./run.sh"),
        propose(contained(Mode::Normal), "echo $(id)"),
        propose(contained(Mode::Normal), "perl x.py > out"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_grant_of_a_test_command_covers_its_further_words() {
    let desk = Desk::new();
    let (_, policy) = granted(&desk, &[], waived(Mode::Normal), "cargo test --all");
    assert_eq!(desk.run(&policy, waived(Mode::Normal), "cargo test -p x").verdict, Allow);
    for other in ["cargo run", "cargo test --config x", "cargo publish"] {
        assert_eq!(desk.run(&policy, waived(Mode::Normal), other).verdict, Ask, "{other}");
    }
}

#[test]
fn a_grant_is_bound_to_the_script_and_the_program_that_it_runs() {
    let desk = Desk::new();
    let script = desk.root().join("run.sh");
    fs::write(&script, "echo one").unwrap();
    let (_, policy) = granted(&desk, &[], contained(Mode::Normal), "sh ./run.sh");
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "sh ./run.sh").verdict, Allow);
    fs::write(&script, "rm -rf /").unwrap();
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "sh ./run.sh").verdict, Ask);
    fs::write(&script, "echo one").unwrap();
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "sh ./run.sh").verdict, Allow);
    let bin = desk.base().join("bin");
    let (_, policy) = granted(&desk, &[], contained(Mode::Normal), "perl x.py");
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "perl x.py").verdict, Allow);
    fs::rename(bin.join("perl"), bin.join("other")).unwrap();
    std::os::unix::fs::symlink("other", bin.join("perl")).unwrap();
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "perl x.py").verdict, Ask);
}

#[test]
fn a_grant_never_lifts_a_denial_nor_an_administrators_ask() {
    let desk = Desk::new();
    let ask = "[[rule]]\nid = 'careful'\neffect = 'ask'\nargv = ['rm', '...']\n";
    let decision = desk.run(&rules(Layer::Administrator, ask), contained(Mode::Normal), "rm src/a.rs");
    assert_eq!((decision.verdict, decision.always), (Ask, None), "nothing is proposed that would not help");
    let grant =
        "[[grant]]\nanswers = ['careful', 'shell-ask', 'deny-it']\ntool = 'shell'\nargv = ['rm', '...']\n";
    let policy = layers(&[(Layer::Administrator, ask), (Layer::User, grant)]);
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "rm src/a.rs").verdict, Ask);
    let grantable = format!("{ask}grantable = true\n");
    let policy = layers(&[(Layer::Administrator, &grantable), (Layer::User, grant)]);
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "rm src/a.rs").verdict, Allow);
    let deny = "[[rule]]\nid = 'deny-it'\neffect = 'deny'\nargv = ['rm', '...']\n";
    for layer in [Layer::Administrator, Layer::User, Layer::Project] {
        let policy = layers(&[(layer, deny), (Layer::User, grant)]);
        assert_eq!(desk.run(&policy, contained(Mode::Normal), "rm src/a.rs").verdict, Deny);
    }
}

#[test]
fn a_grant_is_void_when_what_asked_says_something_else() {
    let desk = Desk::new();
    let ask = "[[rule]]\nid = 'careful'\neffect = 'ask'\nargv = ['perl', '...']\n";
    let (grant, policy) = granted(&desk, &[(Layer::User, ask)], contained(Mode::Normal), "perl x.py");
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "perl x.py").verdict, Allow);
    let moved = format!("# a comment\n\n{ask}reason = 'other words'\n");
    let policy = layers(&[(Layer::User, &moved), (Layer::User, &grant)]);
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "perl x.py").verdict, Allow);
    let other = ask.replace("'...'", "'x.py'");
    let policy = layers(&[(Layer::User, &other), (Layer::User, &grant)]);
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "perl x.py").verdict, Ask);
    // A rule that a project adds asks too, and the grant does not name it.
    let project = "[[rule]]\nid = 'project'\neffect = 'ask'\nargv = ['perl', '...']\n";
    let policy = layers(&[(Layer::User, ask), (Layer::Project, project), (Layer::User, &grant)]);
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "perl x.py").verdict, Ask);
}

#[test]
fn a_grant_gives_the_network_only_when_it_says_so() {
    let desk = Desk::new();
    let (_, policy) = granted(&desk, &[], open(Mode::Normal), "git push");
    assert_eq!(desk.run(&policy, open(Mode::Normal), "git push").reach.network, NetworkAccess::Open);
    let grant = "[[grant]]\nanswers = ['network-ask']\ntool = 'shell'\nargv = ['git', 'push']\n";
    let closed = rules(Layer::User, grant);
    assert_eq!(desk.run(&closed, open(Mode::Normal), "git push").reach.network, NetworkAccess::Closed);
}

#[test]
fn a_write_is_granted_for_its_file() {
    let desk = Desk::new();
    let (file, other) = (desk.root().join("src/a.rs"), desk.root().join("src/b.rs"));
    let asked = desk.call(&rules(Layer::User, ""), Mode::Normal, "write", &writes(&file));
    let policy = rules(Layer::User, &asked.always.unwrap());
    assert_eq!(desk.call(&policy, Mode::Normal, "write", &writes(&file)).verdict, Allow);
    assert_eq!(desk.call(&policy, Mode::Normal, "write", &writes(&other)).verdict, Ask);
    assert_eq!(desk.call(&policy, Mode::Normal, "edit", &writes(&file)).verdict, Ask);
}

#[test]
fn saving_keeps_what_is_there() {
    let desk = Desk::new();
    let grant = desk.run(&rules(Layer::User, ""), contained(Mode::Normal), "perl x.py").always.unwrap();
    let file = "# mine\n[[rule]]\nid = 'a'\neffect = 'ask'\nargv = ['ls']";
    let saved = with_grant(file, "policy.toml", &grant).unwrap();
    assert!(saved.starts_with(file) && saved.ends_with(&grant), "{saved}");
    assert_eq!(with_grant(&saved, "policy.toml", &grant).unwrap(), saved, "twice is once");
    assert_eq!(with_grant("", "policy.toml", &grant).unwrap().trim_end(), grant.trim_end());
    for broken in ["rule = 3\n", "[[rule]]\nid = 'a'\n", "grant = []\n", "x = ["] {
        assert!(with_grant(broken, "policy.toml", &grant).is_err(), "{broken}");
    }
    assert!(with_grant("", "policy.toml", "[[grant]]\n").is_err());
}
