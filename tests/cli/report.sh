#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of results: refusals, and the page itself in a headless Chromium where there is one.
set -u
classes=${1:-Refusals Quick}
passed=0
failed=0
if ! python3 -c '' 2>/dev/null || [ ! -f /usr/share/javascript/three/three.min.js ]; then
    echo "not run: the page needs python3 and libjs-three for its tests"
    echo "0 passed, 0 failed"
    exit 0
fi
for class in $classes; do
    if [ "$class" != Refusals ] && ! command -v chromium >/dev/null; then
        echo "the page in a browser: not run, chromium is not installed"
        continue
    fi
    if python3 tests/report/test_page.py "$class" >"${TMPDIR:-/tmp}/report.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        cat "${TMPDIR:-/tmp}/report.log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
