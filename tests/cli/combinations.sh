#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hawser list combinations: what the checks and guards say of every cell of the table is what happens
# when it takes 20 steps, and what is refused says why.
. "$(dirname "$0")/support/checks"

call 0 'every cell does what the table says' list combinations --try
silent
check 'one line for each cell' awk '
    $4 != "hard" && $4 != "penalty" { exit 1 }
    / runs$/ { runs++; next }
    / refused: .+/ { refused++; next }
    { exit 1 }
    END { exit !(runs >= 0.9 * (runs + refused) && refused > 0) }' "$out"
check 'at most eight reasons' awk '
    / refused: / {
        sub(/.* refused: /, "")
        sub(/ cannot handle.*/, "")
        sub(/, which .*/, "")
        if (!($0 in seen)) {
            seen[$0] = 1
            reasons++
        }
    }
    END { exit !(reasons <= 8) }' "$out"
check 'hard contact of beams in space runs' grep -q '^se3 *3 moreau-jean *hard *open clamped *runs$' "$out"
check 'a refusal names what runs' grep -q '^ale *2 nsga *hard *open pinned .*use moreau-jean' "$out"
call 0 'as JSON' list combinations --json
json
check 'reasons where it does not run' grep -q '"reason"' "$out"

finish
