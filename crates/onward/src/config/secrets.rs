//! Every secret that the configuration speaks of and that can be had here, by name: what is looked for wherever something
//! is recorded or shown.

use onward_port::{NamedSecret, Redactor, Secret};

use super::environment::Environment;
use super::provider::Provider;
use super::proxy;
use super::secret::{HeaderValue, SecretRef, names_a_secret};
use super::settings::Config;

impl Config {
    /// Takes the configured secrets out of everything.
    pub(crate) fn redactor(&self, environment: &Environment) -> Redactor {
        Redactor::new(self.secrets(environment))
    }

    /// The values of all secrets that can be had here.
    pub(crate) fn secrets(&self, environment: &Environment) -> Vec<NamedSecret> {
        let mut found = Found::default();
        for (name, provider) in &self.providers {
            found.provider(name, provider, environment);
        }
        for variable in proxy::VARIABLES {
            if let Some(url) = environment.var(variable) {
                found.url(variable, url);
            }
        }
        // Commands see these, and may say them.
        for variable in self.shell.env_pass.value.iter().filter(|name| names_a_secret(name)) {
            if let Some(value) = environment.var(variable) {
                found.add(variable, value.trim());
            }
        }
        found.0
    }
}

#[derive(Default)]
struct Found(Vec<NamedSecret>);

impl Found {
    fn add(&mut self, name: &str, value: &str) {
        let secret = NamedSecret { name: name.to_owned(), value: Secret::new(value.to_owned()) };
        if !value.is_empty() && self.0.iter().all(|known| known.value != secret.value) {
            self.0.push(secret);
        }
    }

    fn provider(&mut self, name: &str, provider: &Provider, environment: &Environment) {
        if let Some(key) = &provider.key {
            self.reference(&format!("providers.{name}.key"), &key.value, environment);
        }
        for (header, value) in &provider.headers {
            if let HeaderValue::Secret(reference) = &value.value {
                self.reference(&format!("providers.{name}.headers.{header}"), reference, environment);
            }
        }
        if let Some(url) = &provider.base_url {
            self.url(&format!("providers.{name}.base_url"), &url.value);
        }
    }

    /// A variable is the better name: people know it. What follows a scheme, as in `Bearer …`, is a secret by itself.
    fn reference(&mut self, place: &str, reference: &SecretRef, environment: &Environment) {
        let Ok(secret) = reference.resolve(environment) else { return };
        let name = match reference {
            SecretRef::Env(variable) => variable,
            SecretRef::File(_) => place,
        };
        if let Some((_, credential)) = secret.expose().split_once(' ') {
            self.add(name, credential.trim());
        }
        self.add(name, secret.expose());
    }

    /// What an address holds beside the place: user and password, and parameters with the names of secrets.
    fn url(&mut self, name: &str, url: &str) {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if let Some((user, _)) = authority.rsplit_once('@') {
            let password = user.split_once(':').map_or(user, |(_, password)| password);
            for text in [password, user] {
                self.add(name, text);
                // A proxy is sent it decoded.
                self.add(name, &decoded(text));
            }
        }
        let query = rest.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
        for (parameter, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            if names_a_secret(parameter) {
                self.add(name, value);
                self.add(name, &decoded(value));
            }
        }
    }
}

/// With `%41` as `A`; what is no text then stays as it is.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => (bytes, rest) = ([bytes, vec![byte]].concat(), &after[2..]),
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gives_its_credentials() {
        let mut found = Found::default();
        found.url("P", "http://me:p%40ss-word@proxy:8080/x?a=1");
        found.url("Q", "https://x.example/v1?api-key=12345678&version=7#k");
        found.url("R", "http://proxy:8080/a@b");
        found.url("S", "token@proxy");
        let shown: Vec<_> = found.0.iter().map(|s| format!("{} {}", s.name, s.value.expose())).collect();
        let expected =
            ["P p%40ss-word", "P p@ss-word", "P me:p%40ss-word", "P me:p@ss-word", "Q 12345678", "S token"];
        assert_eq!(shown, expected);
    }

    #[test]
    fn every_place_of_a_secret_is_known() {
        let vars = [
            ("OPENAI_API_KEY", "sk-1234567890"),
            ("HTTPS_PROXY", "http://u:proxy-password@p:1"),
            ("DEPLOY_TOKEN", "deploy-me-now"),
            ("DEPLOY_HOST", "machine-name"),
            ("AUTH", "Bearer abcdefgh"),
        ];
        let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let environment = Environment { vars, ..Environment::default() };
        let mut config = Config::builtin(&environment);
        config.shell.env_pass.value = vec!["DEPLOY_TOKEN".into(), "DEPLOY_HOST".into()];
        let header =
            super::super::source::Sourced::default_value(HeaderValue::Secret(SecretRef::Env("AUTH".into())));
        if let Some(ollama) = config.providers.get_mut("ollama") {
            ollama.headers.insert("Authorization".into(), header);
        }
        let redactor = config.redactor(&environment);
        let said = "sk-1234567890 proxy-password deploy-me-now machine-name abcdefgh Bearer abcdefgh";
        let expected = "[secret:OPENAI_API_KEY] [secret:HTTPS_PROXY] [secret:DEPLOY_TOKEN] machine-name \
                        [secret:AUTH] [secret:AUTH]";
        assert_eq!(redactor.text(said), expected);
    }
}
