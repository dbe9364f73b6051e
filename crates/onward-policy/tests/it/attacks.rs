//! Ways in which rules have been undone elsewhere.

use std::fs;
use std::os::unix::fs::symlink;

use onward_event::{Mode, Verdict};
use onward_policy::Layer;

use crate::support::{Allow, Ask, Deny, Desk, contained, reads, rules, show, writes};

fn verdict(text: &str, script: &str) -> Verdict {
    let desk = Desk::new();
    desk.run(&rules(Layer::User, text), contained(Mode::Normal), script).verdict
}

/// FS-01
#[test]
fn a_link_leads_to_what_is_denied() {
    let desk = Desk::new();
    let policy = rules(
        Layer::User,
        "[[rule]]\nid = 'secrets'\neffect = 'deny'\nread = ['${workspace}/secrets/**', '**/.env']\n",
    );
    fs::create_dir(desk.root().join("secrets")).unwrap();
    fs::write(desk.root().join("secrets/key"), "k").unwrap();
    symlink("secrets/key", desk.root().join("innocent")).unwrap();
    assert_eq!(desk.call(&policy, Mode::Normal, "read", &reads(&desk.root().join("innocent"))).verdict, Deny);
    for script in [
        "cat innocent",
        "cat ./src/../secrets/key",
        "grep -f secrets/key src",
        "cat --x=secrets/key",
        "wc < innocent",
    ] {
        assert_eq!(desk.run(&policy, contained(Mode::Normal), script).verdict, Deny, "{script}");
        assert_eq!(desk.run(&policy, contained(Mode::Bypass), script).verdict, Deny, "{script}");
    }
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "cat src/a.rs").verdict, Allow);
}

/// FS-01, for an allow: what a link leads to has to be within the bound.
#[test]
fn a_link_does_not_lead_out_of_a_bound() {
    let desk = Desk::new();
    symlink("/usr/share", desk.root().join("link")).unwrap();
    let policy = rules(Layer::User, "[[rule]]\nid = 'w'\neffect = 'allow'\nwrite = ['${workspace}/**']\n");
    assert_eq!(desk.call(&policy, Mode::Normal, "write", &writes(&desk.root().join("link/x"))).verdict, Deny);
    assert_eq!(desk.call(&policy, Mode::Normal, "write", &writes(&desk.root().join("x"))).verdict, Allow);
    assert_eq!(desk.run(&policy, contained(Mode::Auto), "echo x > link/x").verdict, Deny);
}

/// FS-10
#[test]
fn a_file_with_a_second_name_is_asked_about() {
    let desk = Desk::new();
    fs::write(desk.base().join("other"), "x").unwrap();
    fs::hard_link(desk.base().join("other"), desk.root().join("inner")).unwrap();
    let policy = onward_policy::LayeredPolicy::new();
    let decision = desk.call(&policy, Mode::AcceptEdits, "write", &writes(&desk.root().join("inner")));
    assert_eq!((decision.verdict, decision.rules), (Ask, vec!["hard-link".to_owned()]));
}

/// SHELL-02, SHELL-07
#[test]
fn an_allow_for_looking_does_not_cover_options_that_write_or_run() {
    let find = "[[rule]]\nid = 'f'\neffect = 'allow'\nargv = ['find', '...']\n";
    let git = "[[rule]]\nid = 'g'\neffect = 'allow'\nargv = ['git', ['diff', 'grep'], '...']\n";
    assert_eq!(verdict(find, "find . -name x"), Allow);
    assert_eq!(verdict(find, "find . -delete"), Ask);
    assert_eq!(verdict(find, "find . -fls src/x"), Ask);
    assert_ne!(verdict(find, "find / -fprintf /etc/cron.d/x y"), Allow);
    assert_eq!(verdict(git, "git diff --stat"), Allow);
    for script in ["git diff --ext-diff", "git diff --textconv", "git grep -O./x y"] {
        assert_eq!(verdict(git, script), Ask, "{script}");
    }
    assert_ne!(verdict(git, "git diff --output=/home/user/.bashrc"), Allow);
}

/// SHELL-13, SHELL-15
#[test]
fn the_strictest_of_wrapper_and_wrapped_counts() {
    let text = "
        [[rule]]
        id = 'sh'
        effect = 'allow'
        argv = [['sh', 'sudo', 'nice'], '...']
        [[rule]]
        id = 'no-shutdown'
        effect = 'deny'
        argv = ['shutdown', '...']
    ";
    assert_eq!(verdict(text, "sudo shutdown now"), Deny);
    assert_eq!(verdict(text, "nice shutdown"), Deny);
    assert_eq!(verdict(text, "sh -c shutdown"), Deny);
    assert_eq!(verdict(text, "sudo perl x.py"), Ask);
    assert_eq!(verdict(text, "ls | xargs shutdown"), Deny);
}

/// SHELL-20
#[test]
fn a_redirection_is_a_write_of_its_own() {
    let echo = "[[rule]]\nid = 'e'\neffect = 'allow'\nargv = ['echo', '...']\n";
    assert_eq!(verdict(echo, "echo payload"), Allow);
    assert_eq!(verdict(echo, "echo payload > src/x"), Ask);
    assert_eq!(verdict(echo, "echo payload > /home/user/.bashrc"), Deny);
    let bounded = format!("{echo}write = ['${{workspace}}/src/**']\n");
    assert_eq!(verdict(&bounded, "echo payload > src/x"), Allow);
    assert_eq!(verdict(&bounded, "echo payload > x"), Ask);
}

/// SHELL-19, SHELL-24, SHELL-30: what is not plain is asked about, and denials still run over it.
#[test]
fn a_script_that_is_not_understood_is_asked_about_and_still_denied() {
    let text = "
        [[rule]]
        id = 'ls'
        effect = 'allow'
        argv = ['ls', '...']
        [[rule]]
        id = 'no-rm'
        effect = 'deny'
        argv = ['rm', '...']
    ";
    assert_eq!(verdict(text, "ls\rid"), Ask);
    assert_eq!(verdict(text, "ls $(id)"), Ask);
    assert_eq!(verdict(text, "ls $(id) ; rm -rf x"), Deny);
    let desk = Desk::new();
    let decision = desk.run(&rules(Layer::User, text), contained(Mode::Normal), "ls $(id)");
    assert_eq!((decision.rules, decision.rendered), (vec!["opaque-ask".to_owned()], None));
}

/// SHELL-36
#[test]
fn another_spelling_of_a_program_is_the_same_program() {
    let desk = Desk::new();
    let bin = desk.base().join("bin");
    symlink("npx-real", bin.join("npx")).unwrap();
    symlink(bin.join("npx-real"), desk.root().join("tool")).unwrap();
    let deny = rules(Layer::User, "[[rule]]\nid = 'd'\neffect = 'deny'\nargv = ['npx', '...']\n");
    let through = format!("/proc/self/root{}", show(&bin.join("npx-real")));
    for program in
        ["npx", &show(&bin.join("npx")), &show(&bin.join("npx-real")), "./tool", "npx-real", &through]
    {
        let decision = desk.run(&deny, contained(Mode::Auto), &format!("{program} x"));
        assert_eq!(decision.verdict, Deny, "{program}");
    }
    let allow = format!(
        "[[rule]]\nid = 'a'\neffect = 'allow'\nargv = [['npx', 'npx-real'], '...']\nprogram = ['{}']\n",
        show(&bin.join("npx"))
    );
    let allow = rules(Layer::User, &allow);
    assert_eq!(desk.run(&allow, contained(Mode::Normal), "npx x").verdict, Allow);
    assert_eq!(desk.run(&allow, contained(Mode::Normal), &format!("{through} x")).verdict, Ask);
}

#[test]
fn a_program_of_the_workspace_is_not_the_one_of_the_machine() {
    let desk = Desk::new();
    fs::write(desk.root().join("cargo"), "#!/bin/sh\n").unwrap();
    let policy = onward_policy::LayeredPolicy::new();
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "cargo test").verdict, Allow);
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "./cargo test").verdict, Ask);
    let mut plan = desk.command("cargo test");
    plan.effects.command.as_mut().unwrap().path.insert(0, show(&desk.root()));
    let planted = desk.with_request(contained(Mode::Normal), "shell", &plan, |request| {
        onward_port::Policy::decide(&policy, request).verdict
    });
    assert_eq!(planted, Ask);
}

#[test]
fn a_change_of_folder_is_followed() {
    let desk = Desk::new();
    let policy =
        rules(Layer::User, "[[rule]]\nid = 'd'\neffect = 'deny'\nwrite = ['${workspace}/src/a.rs']\n");
    assert_eq!(desk.run(&policy, contained(Mode::Auto), "cd src && rm a.rs").verdict, Deny);
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "cd src && ls").verdict, Allow);
    assert_eq!(desk.run(&policy, contained(Mode::Normal), "cd / && ls").verdict, Ask);
}

#[test]
fn commands_that_may_use_the_network_do_not_lend_it() {
    let desk = Desk::new();
    let policy = rules(
        Layer::User,
        "[[rule]]\nid = 'fetch'\neffect = 'allow'\nargv = ['git', 'fetch']\nnet = ['*']\n",
    );
    let setting = crate::support::open(Mode::Normal);
    assert_eq!(desk.run(&policy, setting, "git fetch").verdict, Allow);
    assert_eq!(desk.run(&policy, setting, "git fetch | tail -1").verdict, Allow);
    let mixed = desk.run(&policy, setting, "cargo test ; git fetch");
    assert_eq!((mixed.verdict, mixed.rules), (Ask, vec!["mixed-network-ask".to_owned()]));
}

#[test]
fn padding_does_not_hide_a_command_from_a_denial() {
    let text = "[[rule]]\nid = 'd'\neffect = 'deny'\nargv = ['shutdown', '...']\n";
    let script = format!("{}shutdown now", "ls ; ".repeat(600));
    let desk = Desk::new();
    assert_eq!(desk.run(&rules(Layer::User, text), contained(Mode::Auto), &script).verdict, Deny);
    let long = "ls ; ".repeat(600) + "ls";
    assert_eq!(desk.run(&rules(Layer::User, text), contained(Mode::Normal), &long).verdict, Ask);
}

#[test]
fn what_is_opened_for_reading_and_writing_is_read() {
    let desk = Desk::new();
    let policy = rules(Layer::User, "[[rule]]\nid = 'd'\neffect = 'deny'\nread = ['**/.env']\n");
    for script in ["cat 0<>.env", "cat <>.env", "cat <> .env"] {
        assert_eq!(desk.run(&policy, contained(Mode::Auto), script).verdict, Deny, "{script}");
    }
    let writes = rules(Layer::User, "[[rule]]\nid = 'd'\neffect = 'deny'\nwrite = ['**/.env']\n");
    assert_eq!(desk.run(&writes, contained(Mode::Auto), "cat 0<>.env").verdict, Deny);
}

#[test]
fn a_string_that_env_splits_does_not_hide_a_command() {
    let text = "[[rule]]\nid = 'd'\neffect = 'deny'\nargv = ['shutdown', '...']\n";
    let desk = Desk::new();
    for script in ["env -S 'shutdown now'", "env --split-string='A=1 shutdown' now", "env -iS'-u A shutdown'"]
    {
        assert_eq!(
            desk.run(&rules(Layer::User, text), contained(Mode::Auto), script).verdict,
            Deny,
            "{script}"
        );
    }
}

/// SHELL-47: a pattern in quotes is made into names by the program, one without by the shell.
#[test]
fn a_pattern_of_names_reaches_no_denied_or_protected_name_unseen() {
    let desk = Desk::new();
    let deny = "[[rule]]\nid = 'd'\neffect = 'deny'\nwrite = ['${workspace}/.git/config', '**/.env']\n";
    let verdict =
        |text: &str, script: &str| desk.run(&rules(Layer::User, text), contained(Mode::Auto), script).verdict;
    for script in [
        "find . -path './.g*t/config' -delete",
        "git rm --cached '.e*'",
        "git checkout HEAD -- ':(glob)**/.[e]nv'",
        "rm .g*t/config",
        "rm {.git,x}/config",
        "rm ?env",
        "cat x > .e*",
    ] {
        assert_eq!(verdict(deny, script), Ask, "{script}");
    }
    for script in ["git rm --cached '*.tmp'", "git add 'src/*.rs'", "grep -rn 'TODO.*' src"] {
        assert_eq!(verdict(deny, script), Allow, "{script}");
    }
    for script in [
        "rm .g*t/hooks/pre-commit",
        "cp x {.git,y}/hooks/pre-commit",
        "touch ?envrc",
        "tee .[g]it/config",
        "find . -path './.hu*/x' -delete",
        "git checkout topic -- '.github/work*/ci.yml'",
        "install -T x --target=.vs*/tasks.json",
    ] {
        assert_eq!(verdict("", script), Ask, "{script}");
    }
    for script in ["rm *.rs", "rm -r build/*", "cp {a,b}.rs src", "ls .g*t/hooks", "cat .v*/tasks.json"] {
        assert_eq!(verdict("", script), Allow, "{script}");
    }
}

#[test]
fn auto_asks_where_a_denial_could_be_about_what_is_not_known() {
    let desk = Desk::new();
    let program = "[[rule]]\nid = 'd'\neffect = 'deny'\nargv = ['shutdown', '...']\n";
    let path = "[[rule]]\nid = 'd'\neffect = 'deny'\nread = ['**/.env']\n";
    let other = "[[rule]]\nid = 'd'\neffect = 'deny'\nargv = ['perl', '...']\nread = ['**/.env']\n";
    let in_mode =
        |mode, text: &str, script: &str| desk.run(&rules(Layer::User, text), contained(mode), script).verdict;
    for (text, script, verdict) in [
        (program, "$X now", Ask),
        (program, "sh -c '\"$@\"' x shutdown", Ask),
        (program, "cat $X", Allow),
        (program, "echo $(id)", Allow),
        (path, "cat .e*", Ask),
        (path, "cat \"$X\"", Ask),
        (path, "$X", Ask),
        (path, "cat < $X", Ask),
        (path, "cat src/a.rs", Allow),
        (other, "cat .e*", Allow),
        (other, "perl .e*", Ask),
    ] {
        assert_eq!(in_mode(Mode::Auto, text, script), verdict, "{script} under {text}");
        assert_eq!(in_mode(Mode::Bypass, text, script), Allow, "{script} under {text}");
    }
    assert_eq!(
        desk.run(&onward_policy::LayeredPolicy::new(), contained(Mode::Auto), "cat .e*").verdict,
        Allow
    );
}
