#!/bin/sh
# run.sh LOG-FOLDER TEST... : run test binaries and scripts, one compact line each, all cores busy: one
# more than there are cores, since some scripts wait.
# A binary is a cmocka group; a script says `N passed, N failed` in its last line. The last line of
# all is the sum of both.
set -u
log=$1
shift
rm -rf "$log"
mkdir -p "$log/tmp"

printf '%s\n' "$@" | grep . | xargs -P "$(($(nproc) + 1))" -I{} sh "$(dirname "$0")/run_one.sh" "$log" {}

cat "$log"/*.count 2>/dev/null | awk '
    { passed += $1; failed += $2 }
    END {
        printf "%d passed, %d failed\n", passed, failed
        exit failed > 0 || passed == 0
    }'
