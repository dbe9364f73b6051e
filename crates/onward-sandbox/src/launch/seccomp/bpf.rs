//! The few instructions that a filter needs, and their jumps.

use seccompiler::sock_filter;

const LOAD_WORD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_AT_LEAST: u16 = 0x35;
const JUMP_ANY_BIT: u16 = 0x45;
const AND: u16 = 0x54;
const RETURN: u16 = 0x06;

const KILL_PROCESS: u32 = 0x8000_0000;
const ERRNO: u32 = 0x0005_0000;
const ALLOW: u32 = 0x7fff_0000;

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Allow,
    /// The call fails with this error.
    Fail(i32),
    /// The process ends.
    Kill,
}

/// A word of what a filter sees of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Number,
    Architecture,
    /// The lower half of an argument. The kernel takes no more of those that are looked at here, so that a filter that
    /// compared the upper half too could be passed by setting it.
    Argument(u8),
}

/// A condition on the word that was loaded last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum If {
    Is(u32),
    AtLeast(u32),
    AnyBitOf(u32),
}

/// A filter that is being written.
#[derive(Default)]
pub(super) struct Program(Vec<sock_filter>);

impl Program {
    pub(super) fn load(&mut self, word: Word) {
        let at = match word {
            Word::Number => 0,
            Word::Architecture => 4,
            // Both architectures that this crate knows have the lower half first.
            Word::Argument(n) => 16 + 8 * u32::from(n),
        };
        self.push(LOAD_WORD, 0, 0, at);
    }

    /// Keeps these bits of what was loaded last.
    pub(super) fn mask(&mut self, bits: u32) {
        self.push(AND, 0, 0, bits);
    }

    pub(super) fn answer(&mut self, answer: Answer) {
        let value = match answer {
            Answer::Allow => ALLOW,
            Answer::Fail(error) => ERRNO | (error.cast_unsigned() & 0xffff),
            Answer::Kill => KILL_PROCESS,
        };
        self.push(RETURN, 0, 0, value);
    }

    /// Answers at once if the condition holds.
    pub(super) fn answer_if(&mut self, condition: If, answer: Answer) {
        let (code, value) = encoded(condition);
        self.push(code, 0, 1, value);
        self.answer(answer);
    }

    /// Runs `body` only if the condition holds. The body must answer; it is shorter than 256 instructions.
    pub(super) fn block_if(&mut self, condition: If, body: impl FnOnce(&mut Self)) {
        let (code, value) = encoded(condition);
        let at = self.0.len();
        self.push(code, 0, 0, value);
        body(self);
        let length = u8::try_from(self.0.len() - at - 1).unwrap_or(u8::MAX);
        if let Some(jump) = self.0.get_mut(at) {
            jump.jf = length;
        }
    }

    pub(super) fn finish(self) -> Vec<sock_filter> {
        self.0
    }

    fn push(&mut self, code: u16, jt: u8, jf: u8, k: u32) {
        self.0.push(sock_filter { code, jt, jf, k });
    }
}

fn encoded(condition: If) -> (u16, u32) {
    match condition {
        If::Is(value) => (JUMP_EQUAL, value),
        If::AtLeast(value) => (JUMP_AT_LEAST, value),
        If::AnyBitOf(bits) => (JUMP_ANY_BIT, bits),
    }
}
