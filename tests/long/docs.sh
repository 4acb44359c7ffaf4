#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every command of the tutorial, the how-tos and the pages beside them, as a reader would type it: the blocks of
# each page in order, in a folder of its own. A comment `# exit N` says how a command ends, `file: NAME` in the first
# line of a block that it is a file.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL MODE
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
HAWSER=${HAWSER:-$ROOT/build/hawser}
case $HAWSER in /*) ;; *) HAWSER=$PWD/$HAWSER ;; esac
export ROOT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$HAWSER" "$work/bin/hawser"
PATH=$work/bin:$PATH
passed=0
failed=0

# A page as a script: each command in its line (joined where it ends with a backslash), and files as they are.
script() {
    awk '
        /^```/ && !kind { kind = substr($0, 4); first = 1; if (kind == "") kind = "text"; next }
        /^```/ { if (file != "") print "END_OF_FILE"; kind = file = ""; next }
        kind && first {
            first = 0
            if (match($0, /file: [^ ]+/)) {
                file = substr($0, RSTART + 6, RLENGTH - 6)
                print "cat >" file " <<\"END_OF_FILE\""
            }
        }
        file != "" { print; next }
        kind == "sh" {
            line = line $0
            if (sub(/\\$/, " ", line)) { next }
            if (line ~ /^export /) { print line } else if (line !~ /^ *(#|$)/) {
                code = 0
                if (match(line, /# exit [0-9]+/)) { code = substr(line, RSTART + 7, RLENGTH - 7) }
                shown = line
                gsub(/\x27/, "\x27\\\x27\x27", shown)
                print "expect " code " \x27" shown "\x27"
            }
            line = ""
        }' "$1"
}

expect() {
    code=0
    sh -c "$2" >"$work/log" 2>&1 </dev/null || code=$?
    if [ "$code" -eq "$1" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$page: exit $code, not $1: $2"
        tail -n 5 "$work/log"
    fi
}

for page in tutorial.md choosing.md probes.md exit-1.md howto/lift-traction.md howto/reeving.md howto/winding.md howto/cables-that-touch.md howto/embed.md; do
    mkdir -p "$work/$page"
    cd "$work/$page" || exit 1
    script "$ROOT/doc/$page" >"$work/script"
    before=$passed
    . "$work/script"
    [ "$passed" -gt "$before" ] || { failed=$((failed + 1)); echo "$page: no command"; }
done

# The pages as HTML: each link to a file leads to one.
if command -v pandoc >/dev/null 2>&1; then
    sh "$ROOT/doc/html.sh" "$work/html" >/dev/null
    find "$work/html" -name '*.html' ! -path '*/api/*' | while read -r page; do
        grep -oE '(src|href)="[^"#]+' "$page" | sed 's/^[a-z]*="//' | grep -vE '^([a-z]+:|-)' | sort -u | while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || echo "${page#"$work"/html/}: no $link"
        done
    done >"$work/dead"
    if [ -s "$work/dead" ] || [ "$(find "$work/html" -name '*.html' | wc -l)" -lt "$(find "$ROOT/doc" -name '*.md' | wc -l)" ]; then
        failed=$((failed + 1))
        cat "$work/dead"
    else
        passed=$((passed + 1))
    fi
else
    echo 'skipped: pandoc is not installed: the pages were not made as HTML'
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
