//! Characters that a person cannot see, and what is shown in their place.

/// How a character is shown; `None` when it is harmless and visible.
pub(super) fn symbol(c: char) -> Option<String> {
    match c {
        '\n' | '\t' => None,
        '\u{7f}' => Some('␡'.into()),
        '\0'..='\u{1f}' => Some(char::from_u32(0x2400 + u32::from(c)).unwrap_or('�').into()),
        '\u{80}'..='\u{9f}' => Some(format!("<{:02x}>", u32::from(c))),
        c if is_invisible(c) => Some(format!("<U+{:04X}>", u32::from(c))),
        _ => None,
    }
}

/// Controls, and characters that cannot be seen.
pub(super) fn is_unprintable(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

/// Format characters, fillers, tags and variation selectors: what takes no room, or turns the direction of a line.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{8e2}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether prose may have this invisible character between its neighbours: it joins the parts of an emoji, or shapes
/// letters of a script that is written joined.
pub(super) fn joins(before: char, c: char, after: char) -> bool {
    match c {
        '\u{200d}' => {
            (is_pictograph(before) || is_of_emoji(before)) && is_pictograph(after) || shaped(before, after)
        }
        '\u{200c}' => shaped(before, after),
        _ => false,
    }
}

/// Whether prose may have this selector behind this character: it says whether that is shown as text or as an emoji.
pub(super) fn selects(before: char, c: char) -> bool {
    matches!(c, '\u{fe0e}' | '\u{fe0f}') && (is_pictograph(before) || matches!(before, '0'..='9' | '#' | '*'))
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '©' | '®' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{23ff}'
        | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}'
        | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// What stands within an emoji, before a joiner.
fn is_of_emoji(c: char) -> bool {
    matches!(c, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether both are letters of a joined script: Arabic and its like, or one of those of India and its neighbours.
fn shaped(before: char, after: char) -> bool {
    let arabic = |c: char| matches!(c, '\u{620}'..='\u{6dc}' | '\u{6df}'..='\u{6ff}' | '\u{710}'..='\u{77f}' | '\u{8a0}'..='\u{8e1}');
    let indic =
        |c: char| matches!(c, '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17b3}');
    arabic(before) && arabic(after) || indic(before) && (indic(after) || after == ' ')
}
