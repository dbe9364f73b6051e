//! Configuration from the outside: layers, what each may say, and what a person is told when it is wrong.

mod layers;
mod projects;
mod support;
mod wrong;
