#!/bin/sh
# The text stands on its own: no paths of one machine, no promises, no skipped tests, no trailing
# blanks. The patterns are put together from pieces so that this file does not match itself.
set -u
here=$(dirname "$0")
bad=0

# look WHAT PATTERN FILES...
look() {
    what=$1
    pattern=$2
    shift 2
    found=$(sh "$here/tracked.sh" "$@" | tr '\n' '\0' | xargs -0 -r grep -nIE "$pattern" /dev/null | head -12)
    if [ -n "$found" ]; then
        printf '%s:\n%s\n' "$what" "$found"
        bad=1
    fi
}

machine="(^|[^A-Za-z0-9_.])(/($(printf '%s|' wor far roo hom)x)[a-z]/|\.\./shared)"
promise="(^|[^A-Za-z0-9_])($(printf '%s|' TO""DO FIX""ME X""XX HA""CK 'not imple''mented')place""holder)([^A-Za-z0-9_]|$)"
look 'paths of one machine' "$machine" '*'
look 'words that promise more work' "$promise" '*.c' '*.h' '*.md' Makefile
look 'skipped tests' '(^|[^A-Za-z0-9_])skip\(\)' 'tests/*'
look 'trailing blanks' '[ 	]+$' '*.c' '*.h' '*.sh' '*.awk' '*.md' '*.yaml' '*.cff' Makefile
exit $bad
