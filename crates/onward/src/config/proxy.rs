//! Which proxy a provider is reached through, by the variables that every program reads.

use onward_model::Proxy;
use onward_port::Secret;

use super::environment::Environment;

/// Every variable that may name a proxy, for whatever program.
pub(super) const VARIABLES: [&str; 6] =
    ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/// The proxy for this address; none for a server of this machine.
///
/// An upper-case `HTTP_PROXY` is not read: a web server sets it from a header of whoever asks.
pub(super) fn choose(base_url: &str, environment: &Environment) -> Option<Proxy> {
    let (names, rest): (&[&str], &str) = match base_url.strip_prefix("https://") {
        Some(rest) => (&["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"], rest),
        None => (&["http_proxy", "ALL_PROXY", "all_proxy"], base_url.strip_prefix("http://")?),
    };
    if is_this_machine(rest) {
        return None;
    }
    let first = |names: &[&str]| names.iter().find_map(|name| environment.var(name)).map(str::to_owned);
    let url = Secret::new(first(names)?);
    Some(Proxy { url, bypass: first(&["NO_PROXY", "no_proxy"]).unwrap_or_default() })
}

fn is_this_machine(rest: &str) -> bool {
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(url: &str, vars: &[(&str, &str)]) -> Option<String> {
        let vars = vars.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let environment = Environment { vars, ..Environment::default() };
        choose(url, &environment).map(|proxy| format!("{} {}", proxy.url.expose(), proxy.bypass))
    }

    #[test]
    fn the_scheme_chooses_the_variable() {
        let vars =
            [("https_proxy", "http://s:1"), ("HTTP_PROXY", "http://evil:1"), ("NO_PROXY", "a.example")];
        assert_eq!(chosen("https://b.example/v1", &vars), Some("http://s:1 a.example".into()));
        assert_eq!(chosen("http://b.example/v1", &vars), None);
        assert_eq!(
            chosen("http://b.example/v1", &[("ALL_PROXY", "socks5://p:1")]),
            Some("socks5://p:1 ".into())
        );
    }

    #[test]
    fn this_machine_is_reached_directly() {
        for url in
            ["http://127.0.0.1:11434/v1", "http://localhost/v1", "http://[::1]:80/v1", "http://127.9.9.9"]
        {
            assert_eq!(chosen(url, &[("ALL_PROXY", "http://p:1")]), None, "{url}");
        }
        assert!(chosen("http://localhost.example/v1", &[("ALL_PROXY", "http://p:1")]).is_some());
    }
}
