//! Explanations and lists, as people see them.

use onward_event::Mode;
use onward_policy::{Layer, LayeredPolicy};

use crate::support::{Desk, contained, layers};

#[test]
fn an_explanation_shows_each_part_and_each_rule() {
    let desk = Desk::new();
    let text = "[[rule]]\nid = 'no-rm'\neffect = 'deny'\nargv = ['rm', '...']\nreason = 'use git clean'\n";
    let policy = layers(&[(Layer::Project, text)]);
    let explain = |mode, script: &str| {
        let plan = desk.command(script);
        let told = desk.with_request(contained(mode), "shell", &plan, |request| {
            let explanation = policy.explain(request);
            assert_eq!(explanation.decision, onward_port::Policy::decide(&policy, request));
            explanation.to_string()
        });
        format!("{mode:?} $ {script}\n{}", desk.hide(&told))
    };
    let all = [
        explain(Mode::Normal, "timeout 5 cargo test > src/log"),
        explain(Mode::Auto, "echo $(id) ; rm -rf x"),
        explain(Mode::Plan, "git status"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn the_list_has_every_rule_with_its_place() {
    let text = "\n\n[[rule]]\nid = 'mine'\neffect = 'ask'\ntool = 'mcp:github/*'\n";
    let policy = layers(&[(Layer::User, text)]);
    let list = policy.list();
    assert_eq!(list.len(), LayeredPolicy::new().list().len() + 1);
    let mine = list.first().unwrap();
    assert_eq!(mine.to_string(), "ask   mine (user, user:3)");
    let lines: Vec<String> = LayeredPolicy::new().list().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"));
}
