//! The demo's repository: a shell script with a fault, and a test that finds it.

use std::path::Path;

/// The script that is tested. It forgets to multiply by the quantity.
const PRICE: &str = "\
# price UNIT QUANTITY: the price of several things, in cents
price() {
    echo \"$1\"
}
";

/// What the model replaces, and by what.
pub(super) const FAULT: &str = "    echo \"$1\"";
pub(super) const FIX: &str = "    echo $(( $1 * $2 ))";

const TEST: &str = "\
#!/bin/sh
# Prints each case; fails when one does.
. ./price.sh
failed=0
check() {
    got=$(price \"$1\" \"$2\")
    if [ \"$got\" = \"$3\" ]; then
        echo \"ok    price $1 $2 is $3\"
    else
        echo \"FAIL  price $1 $2 is $got, expected $3\"
        failed=1
    fi
}
check 250 1 250
check 250 4 1000
check 99 3 297
exit $failed
";

/// Makes the test take long enough to be killed in the middle.
const SLOW: &str = "sleep 2\n";

/// Writes the repository.
pub(super) fn write(folder: &Path, slow: bool) -> std::io::Result<()> {
    std::fs::create_dir_all(folder.join(".git"))?;
    std::fs::write(folder.join("price.sh"), PRICE)?;
    let test =
        if slow { TEST.replace(". ./price.sh\n", &format!(". ./price.sh\n{SLOW}")) } else { TEST.to_owned() };
    std::fs::write(folder.join("test.sh"), test)?;
    std::fs::write(folder.join("AGENTS.md"), "Run the tests with `sh test.sh`. Keep the scripts POSIX.\n")
}
