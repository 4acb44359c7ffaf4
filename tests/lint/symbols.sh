#!/bin/sh
# symbols.sh SHARED OBJECT... : only haw_* leaves the shared library; the library neither prints
# nor exits; the layers up to the stepper know neither HDF5 nor YAML.
set -eu
shared=$1
shift
bad=0

leaked=$(nm -D --defined-only "$shared" | awk '{print $NF}' | grep -vE '^(haw_.*|_init|_fini)$' || true)
if [ -n "$leaked" ]; then
    echo "$shared exports more than haw_*:" $leaked
    bad=1
fi

for object in "$@"; do
    wanted=$(nm -u "$object" | awk '{print $NF}')
    forbidden='^(exit|_exit|abort|longjmp|_?longjmp_chk|v?printf|__v?printf_chk|puts|putchar|perror|stdout|stderr)$'
    case $object in
    */src/base/* | */src/linalg/* | */src/theory/* | */src/element/* | */src/shape/* | */src/law/* | \
        */src/solver/* | */src/model/* | */src/contact/* | */src/stepper/*)
        forbidden="$forbidden|^H5|^fy_" ;;
    esac
    found=$(printf '%s\n' "$wanted" | grep -E "$forbidden" || true)
    if [ -n "$found" ]; then
        echo "$object must not use:" $found
        bad=1
    fi
done
exit $bad
