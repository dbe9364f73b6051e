//! What the built-in rules decide, as a table over every mode and risk; and that rules can only tighten.

use onward_event::{Mode, OnUnknown, Recovery, Retry, Risk, Semantics, Verdict, Workspace};
use onward_port::{PlannedEffects, Policy, PolicyDecision, PolicyRequest, ToolPlan};
use serde_json::Value;

use crate::judge::{UNMATCHED, judge};
use crate::{BUILTIN, FixedPolicy, Rule, When};
use Verdict::{Allow, Ask, Deny};

const MODES: [Mode; 5] = [Mode::Normal, Mode::AcceptEdits, Mode::Auto, Mode::Plan, Mode::ReadOnly];
const RISKS: [Risk; 5] = [Risk::Read, Risk::Write, Risk::Shell, Risk::Network, Risk::Dangerous];
const INSIDE: &[&str] = &["/srv/repo/src/a.rs"];
const OUTSIDE: &[&str] = &["/srv/repo/src/a.rs", "/srv/repo-evil/a.rs"];

fn plan(risk: Risk, resources: &[&str]) -> ToolPlan {
    let semantics = match risk {
        Risk::Read => Semantics::None(Retry::Allowed),
        _ => Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
    };
    ToolPlan {
        risk,
        semantics,
        resources: resources.iter().map(|resource| (*resource).to_owned()).collect(),
        preview: String::new(),
        effects: PlannedEffects::default(),
    }
}

fn with_request<T>(mode: Mode, plan: &ToolPlan, use_it: impl FnOnce(&PolicyRequest<'_>) -> T) -> T {
    let workspace = Workspace { root: "/srv/repo".into(), dir: "/srv/repo".into() };
    let input = Value::Null;
    use_it(&PolicyRequest {
        tool: "probe",
        version: "1",
        input: &input,
        plan,
        mode,
        workspace: &workspace,
        containment: None,
    })
}

fn decide(mode: Mode, risk: Risk, resources: &[&str]) -> PolicyDecision {
    with_request(mode, &plan(risk, resources), |request| FixedPolicy::new().decide(request))
}

/// Every plan that the rules could tell apart.
fn every_plan() -> Vec<ToolPlan> {
    let mut all = Vec::new();
    for risk in RISKS {
        for resources in [INSIDE, OUTSIDE, &[]] {
            for semantics in
                [Semantics::None(Retry::Allowed), Semantics::Possible(Recovery::Manual(OnUnknown::Ask))]
            {
                all.push(ToolPlan { semantics, ..plan(risk, resources) });
            }
        }
    }
    all
}

#[test]
fn each_mode_decides_each_risk_by_the_rule_that_says_so() {
    let table: [(Mode, [(Verdict, &str); 5]); 5] = [
        (
            Mode::Normal,
            [
                (Allow, "read-in-workspace"),
                (Ask, "write-ask"),
                (Ask, "shell-ask"),
                (Ask, "network-ask"),
                (Ask, "dangerous-ask"),
            ],
        ),
        (
            Mode::AcceptEdits,
            [
                (Allow, "read-in-workspace"),
                (Allow, "write-accept-edits"),
                (Ask, "shell-ask"),
                (Ask, "network-ask"),
                (Ask, "dangerous-ask"),
            ],
        ),
        (
            Mode::Auto,
            [
                (Allow, "read-in-workspace"),
                (Allow, "write-auto"),
                (Allow, "shell-auto"),
                (Allow, "network-auto"),
                (Ask, "dangerous-ask"),
            ],
        ),
        (
            Mode::Plan,
            [
                (Allow, "read-in-workspace"),
                (Deny, "mode-plan"),
                (Deny, "mode-plan"),
                (Deny, "mode-plan"),
                (Deny, "mode-plan"),
            ],
        ),
        (
            Mode::ReadOnly,
            [
                (Allow, "read-in-workspace"),
                (Deny, "mode-read-only"),
                (Deny, "mode-read-only"),
                (Deny, "mode-read-only"),
                (Deny, "mode-read-only"),
            ],
        ),
    ];
    for (mode, row) in table {
        for (risk, (verdict, rule)) in RISKS.into_iter().zip(row) {
            let decision = decide(mode, risk, INSIDE);
            assert_eq!(
                (decision.verdict, decision.rules),
                (verdict, vec![rule.to_owned()]),
                "{mode:?} {risk:?}"
            );
            assert_eq!(decision.risk, risk);
            assert_eq!(decision.by_mode, verdict == Deny, "{mode:?} {risk:?}");
        }
    }
}

#[test]
fn outside_the_workspace_is_denied_in_every_mode_and_not_for_the_modes_sake() {
    for mode in MODES {
        for risk in RISKS {
            let decision = decide(mode, risk, OUTSIDE);
            assert_eq!(decision.verdict, Deny, "{mode:?} {risk:?}");
            assert!(decision.rules.iter().any(|rule| rule == "outside-workspace"), "{:?}", decision.rules);
            assert!(!decision.by_mode, "another mode would not help");
        }
    }
}

#[test]
fn a_denying_mode_tells_the_model_what_it_may_do_instead() {
    let plan = decide(Mode::Plan, Risk::Write, INSIDE);
    assert!(plan.reason.contains("describe the change"), "{}", plan.reason);
    let read_only = decide(Mode::ReadOnly, Risk::Shell, INSIDE);
    assert!(read_only.reason.contains("describe anything"), "{}", read_only.reason);
}

#[test]
fn a_reader_that_may_change_something_has_no_readers_freedom() {
    let liar = ToolPlan {
        semantics: Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
        ..plan(Risk::Read, INSIDE)
    };
    let policy = FixedPolicy::new();
    let normal = with_request(Mode::Normal, &liar, |request| policy.decide(request));
    assert_eq!((normal.verdict, normal.rules), (Ask, vec![UNMATCHED.to_owned()]));
    let planning = with_request(Mode::Plan, &liar, |request| policy.decide(request));
    assert_eq!((planning.verdict, planning.by_mode), (Deny, true));
}

#[test]
fn an_edit_that_names_nothing_is_not_an_edit_of_the_workspace() {
    assert_eq!(decide(Mode::AcceptEdits, Risk::Write, &[]).verdict, Ask);
}

#[test]
fn without_a_rule_a_call_is_asked_about() {
    for mode in MODES {
        for plan in every_plan() {
            let decision = with_request(mode, &plan, |request| judge(&[], request));
            assert_eq!((decision.verdict, decision.by_mode), (Ask, false));
        }
    }
}

/// Rules that could be added: every effect, condition, and choice of one mode and one risk or of all.
fn every_addition() -> Vec<Rule> {
    const ALL_MODES: &[Mode] = &MODES;
    const ALL_RISKS: &[Risk] = &RISKS;
    let mut all = Vec::new();
    for effect in [Allow, Ask, Deny] {
        for when in [When::Always, When::Effectless, When::Effectful, When::Inside, When::Outside] {
            for modes in ALL_MODES.chunks(1).chain([ALL_MODES]) {
                for risks in ALL_RISKS.chunks(1).chain([ALL_RISKS]) {
                    all.push(Rule {
                        id: "added",
                        effect,
                        modes,
                        risks,
                        when,
                        ceiling: false,
                        reason: "added",
                    });
                }
            }
        }
    }
    all
}

#[test]
fn adding_a_rule_never_undoes_a_stricter_one_wherever_it_is_put() {
    let plans = every_plan();
    for addition in every_addition() {
        let mut first = vec![addition];
        first.extend_from_slice(BUILTIN);
        let mut last = BUILTIN.to_vec();
        last.push(addition);
        for mode in MODES {
            for plan in &plans {
                with_request(mode, plan, |request| check_addition(addition, &first, &last, request));
            }
        }
    }
}

fn check_addition(addition: Rule, first: &[Rule], last: &[Rule], request: &PolicyRequest<'_>) {
    let before = judge(BUILTIN, request);
    let after = judge(last, request);
    assert_eq!(judge(first, request).verdict, after.verdict, "order must not matter: {addition:?}");
    // An ask or a denial never loosens. An allow may only lift the ask that is there for want of a rule.
    let lifts_unmatched = addition.effect == Allow && before.rules == [UNMATCHED];
    assert!(
        after.verdict >= before.verdict || lifts_unmatched,
        "{addition:?} loosens {before:?} to {after:?}"
    );
    if addition.matches(request) && addition.effect == Deny {
        assert_eq!(after.verdict, Deny, "{addition:?} is not obeyed");
    }
}
