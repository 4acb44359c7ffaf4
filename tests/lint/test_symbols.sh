#!/bin/sh
# The symbol check accepts a clean library and names a leak, a print and a wrong dependency.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/base" "$work/src/io"
passed=0
failed=0

# expect allowed|refused FOLDER TEXT-OF-A-C-FILE
expect() {
    printf '%s\n' "$3" >"$work/a.c"
    ${CC:-cc} -fPIC -c "$work/a.c" -o "$work/src/$2/a.o"
    ${CC:-cc} -shared -o "$work/a.so" "$work/src/$2/a.o"
    if sh "$here/symbols.sh" "$work/a.so" "$work/src/$2/a.o" >/dev/null; then
        got=allowed
    else
        got=refused
    fi
    if [ "$got" = "$1" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "symbols: '$3' in $2 is $got, expected $1"
    fi
}

expect allowed base 'int haw_one(void) { return 1; }'
expect refused base 'int one(void) { return 1; }'
expect refused base 'int puts(const char *); int haw_one(void) { return puts("1"); }'
expect refused base 'int H5Fclose(long); int haw_one(void) { return H5Fclose(1); }'
expect allowed io 'int H5Fclose(long); int haw_one(void) { return H5Fclose(1); }'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
