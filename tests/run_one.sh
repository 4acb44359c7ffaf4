#!/bin/sh
# run_one.sh LOG-FOLDER TEST : run one test, say how it went, leave its counts in the log folder.
set -u
log=$1
test=$2
name=$(echo "$test" | sed -e 's|.*tests/||' -e 's|/|.|g')
begin=$(date +%s%N)
case $test in
*.sh) TMPDIR=$(cd "$log/tmp" && pwd) sh "$test" >"$log/$name.log" 2>&1 ;;
*) TMPDIR=$(cd "$log/tmp" && pwd) "$test" >"$log/$name.log" 2>&1 ;;
esac
status=$?
seconds=$(($(date +%s%N) - begin))

# A test that ends badly without naming a failure (a crash, a sanitizer) counts as one failure.
awk -v status="$status" '
    /^\[  PASSED  \]/ { passed += $4 }
    /^\[  FAILED  \] [0-9]+ test/ { failed += $4 }
    / passed, [0-9]+ failed$/ { passed = $1; failed = $3 }
    END {
        if (status != 0 && failed == 0) {
            failed = 1
        } else if (passed + failed == 0) {
            passed = status == 0
            failed = status != 0
        }
        print passed + 0, failed + 0
    }' "$log/$name.log" >"$log/$name.count"

read -r passed failed <"$log/$name.count"
time=$(echo "$seconds" | awk '{printf "%.2f s", $1 / 1e9}')
if [ "$failed" -eq 0 ]; then
    printf 'ok    %-40s %3d passed %10s\n' "$name" "$passed" "$time"
else
    printf 'FAIL  %-40s %3d passed %10s, %d failed, status %d\n' "$name" "$passed" "$time" "$failed" "$status"
    grep -vE '^ok |^\[ *(RUN|OK|=+) *\]' "$log/$name.log" | tail -n 40 | sed 's/^/      /'
fi
