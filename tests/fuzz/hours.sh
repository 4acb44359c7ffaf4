#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzz for hours: hours.sh [HOURS [TARGET ...]] (8), from the folder of the project. Round after round every target
# runs for four minutes without sanitizers, which is several times as fast, and for one minute with them, on one
# corpus; what reaches new code is filed among the seeds. It ends at once when something is found.
end=$(($(date +%s) + 3600 * ${1:-8}))
test $# -eq 0 || shift
while test "$(date +%s)" -lt "$end"; do
    for share in 'fuzz-fast 240' 'fuzz 60'; do
        CORPUS=build FILE=1 make fuzz FUZZ="${share% *}" SECONDS="${share#* }" TARGETS="$*" || exit 1
    done
done
