#!/bin/sh
# files.sh TEST.c... : a list of these test files, in C, for the program that runs them.
set -eu
echo '#include "support/run.h"'
for file; do
    echo "int $(basename "$file" .c)(void);"
done
echo 'const test_file test_files[] = {'
for file; do
    name=$(basename "$file" .c)
    echo "    {\"$name\", $name},"
done
echo '    {0},'
echo '};'
