#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every link of the documentation leads to a file, and to a heading of it; the pages that hang together name each other.
. "$(dirname "$0")/support/checks"
cd "$root" || exit 1

# Anchors of the headings of a page, as they are made from their texts.
anchors() {
    sed -n 's/^##* //p' "$1" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

for page in README.md CHANGELOG.md $(find doc -name '*.md' | sort); do
    grep -oE '\]\([^) ]+\)|(src|href)="[^"]+"' "$page" | sed 's/^](//; s/)$//; s/^[a-z]*="//; s/"$//' | grep -vE '^([a-z]+:|-)' | sort -u |
        while read -r link; do
            file=${link%%#*}
            target=$page
            [ -z "$file" ] || target=$(dirname "$page")/$file
            if [ ! -e "$target" ]; then
                echo "$page: no file $link"
            elif [ "$link" != "$file" ] && ! anchors "$target" | grep -qx -- "${link#*#}"; then
                echo "$page: no heading $link"
            fi
        done
done >"$work/dead"
check 'links: none is dead' sh -c "cat '$work/dead'; test ! -s '$work/dead'"
check 'links: there are many' test "$(grep -rhoE '\]\([^) ]+\)' README.md doc --include='*.md' | wc -l)" -gt 100
for page in $(find doc -name '*.md' ! -name index.md | sort); do
    check "index: $page" grep -qF "(${page#doc/})" doc/index.md
done
# What may end a run is explained.
for words in 'missed its tolerance' 'the time-stepping made' 'compliant contact generated' 'friction made' 'dampers made' \
    'the energy ledger misses' 'speed_limit' 'depth_limit' 'no longer finite' 'turns by' 'of its rest length' \
    'still switch between stick and slip' 'no equilibrium after' 'found no unstrained length' 'joints hold each other' \
    'not positive definite' 'two sides that cannot move'; do
    check "exit 1: '$words' is a message" sh -c "grep -rhv '^ *[/*]' src | tr -d '\n' | sed 's/\" *\"//g' | grep -qF '$words'"
    check "exit 1: '$words' is explained" grep -qF "$words" doc/exit-1.md
done
finish
