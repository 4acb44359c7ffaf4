#!/bin/sh
# tracked.sh PATTERN... : files of the project that match, tracked or about to be.
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -co --exclude-standard -- "$@" | sort | while IFS= read -r file; do
        [ -f "$file" ] && echo "$file"
    done
else
    for pattern in "$@"; do
        find . -path ./build -prune -o -type f -name "$pattern" -print
    done | sed 's|^\./||' | sort -u
fi
