#!/bin/sh
# A source file is one concept of at most 800 lines; every other file that people write has at
# most 400 (doc/keys.md is made from the grammar). Every C file starts with the licence line.
set -eu
here=$(dirname "$0")
sh "$here/tracked.sh" '*.c' '*.h' '*.sh' '*.awk' '*.md' '*.yaml' Makefile | tr '\n' '\0' | xargs -0 awk '
    FNR == 1 && FILENAME ~ /\.[ch]$/ && $0 != "/* SPDX-License-Identifier: BSD-3-Clause */" {
        print FILENAME ": the first line is not the licence line"
        bad = 1
    }
    FNR == (FILENAME ~ /\.[ch]$/ ? 801 : 401) && FILENAME != "doc/keys.md" {
        print FILENAME ": more than " FNR - 1 " lines"
        bad = 1
    }
    END { exit bad }'
