#!/bin/sh
# Installed below a temporary prefix: the C example and a C++ file build through pkg-config, shared
# and static, and the example computes what the program computes. uninstall leaves no file.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL MODE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# expect WHAT COMMAND...
expect() {
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "install: $what"
        cat "$work/log"
    fi
}

# The prefix is a path of the staged tree, so that hawser.pc is used as it will be found later.
root=$work/root
prefix=$work/root
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
LD_LIBRARY_PATH=$prefix/lib
export PKG_CONFIG_PATH LD_LIBRARY_PATH

build_c() {
    # shellcheck disable=SC2046
    ${CC:-cc} -std=c17 -O2 -Wall -Wextra -Werror doc/example/disk_impact.c \
        $(pkg-config --cflags hawser) $1 -o "$2"
}

build_cpp() {
    # shellcheck disable=SC2046
    ${CXX:-c++} -std=c++17 -Wall -Wextra -Werror tests/install/consumer.cpp \
        $(pkg-config --cflags --libs hawser) -o "$work/consumer"
}

build_static() {
    build_c "$prefix/lib/libhawser.a $(pkg-config --static --libs hawser | sed 's/-lhawser//')" "$work/static"
}

# Where it was built: found below the prefix, with the library there.
imported() {
    python=$(sh src/python/find.sh)
    [ -z "$python" ] || PYTHONPATH=$(dirname "$(find "$prefix/lib" -path '*-packages/hawser')") "$python" -c '
import hawser, sys
sys.exit(not hawser._library.lib._name.startswith(sys.argv[1]))' "$prefix"
}

# A project of CMake that finds the package below the prefix, with C, C++ and either library.
build_cmake() {
    mkdir -p "$work/cmake" && cat >"$work/cmake/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.16)
project(consumer C CXX)
find_package(hawser $1 REQUIRED)
add_executable(consumer $PWD/tests/install/consumer.cpp)
target_link_libraries(consumer hawser::hawser)
add_executable(example $PWD/doc/example/disk_impact.c)
target_link_libraries(example hawser::static)
EOF
    rm -rf "$work/cmake/build"
    cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release &&
        cmake --build "$work/cmake/build"
}

refuses_version() {
    ! build_cmake 0.2 >/dev/null 2>&1
}

staged_below_destdir() {
    ${MAKE:-make} --no-print-directory install DESTDIR="$work/stage" PREFIX=/usr &&
        test -x "$work/stage/usr/bin/hawser" &&
        grep -qx 'prefix=/usr' "$work/stage/usr/lib/pkgconfig/hawser.pc" &&
        ${MAKE:-make} --no-print-directory uninstall DESTDIR="$work/stage" PREFIX=/usr &&
        test -z "$(find "$work/stage" ! -type d)"
}

# Final position, velocity, spin of the program and of the example agree to 1e-12.
same_numbers() {
    "$prefix/bin/hawser" run "$prefix/share/hawser/scenarios/disk-impact.yaml" -o "$work/d.h5" --json \
        >"$work/d.json" 2>/dev/null || return 1
    tr -d '\n ' <"$work/d.json" | sed 's/.*"probes":{//' | awk '
        {
            sub(/.*"disk.position":\[/, ""); split($0, x, /[],]/)
            sub(/.*"disk.velocity":\[/, ""); split($0, v, /[],]/)
            sub(/.*"disk.spin":/, ""); split($0, w, /[],}]/)
            print x[1], x[2], v[1], v[2], w[1]
        }' >"$work/program"
    awk '/^position|^velocity/ { printf "%s %s ", $2, $3 } /^spin/ { print $2 }' "$work/example" |
        paste -d' ' - "$work/program" | awk '
        {
            print
            for (i = 1; i <= 5; i++) {
                d = $i - $(i + 5)
                bad += $(i + 5) == "" || d * d > 1e-24
            }
        }
        END { exit bad > 0 || NR != 1 }'
}

balanced() {
    awk '/^balance error/ { print; exit !($3 <= 1e-14) }' "$work/example" | grep .
}

exports_soname() {
    soname=$(readelf -d "$prefix/lib/libhawser.so" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
    test -n "$soname" && test -e "$prefix/lib/$soname"
}

expect 'make install' ${MAKE:-make} --no-print-directory install PREFIX="$prefix"
expect 'the program runs' "$prefix/bin/hawser" --version
expect 'man page' test -s "$root/share/man/man1/hawser.1"
expect 'bash completion' sh -c "bash -n '$root/share/bash-completion/completions/hawser'"
expect 'soname' exports_soname
expect 'the C example builds against the shared library' build_c "$(pkg-config --libs hawser)" "$work/shared"
expect 'the C example builds against the static library' build_static
expect 'a C++ file builds' build_cpp
expect 'the C++ program runs' "$work/consumer"
expect 'the example runs' sh -c "'$work/shared' >'$work/example'"
expect 'the static example computes the same' sh -c "'$work/static' | cmp - '$work/example'"
expect 'the example computes what the program computes' same_numbers
expect 'the energy balance of the example is closed' balanced
expect 'Python finds the package and its library' imported
if command -v cmake >/dev/null 2>&1; then
    expect 'a CMake project builds' build_cmake 0.1
    expect 'its C++ program runs' "$work/cmake/build/consumer"
    expect 'its example computes the same' sh -c "'$work/cmake/build/example' | cmp - '$work/example'"
    expect 'another version is refused' refuses_version
else
    echo 'skipped: cmake is not installed: hawser-config.cmake was not tried'
fi
expect 'make uninstall removes every file' sh -c \
    "${MAKE:-make} --no-print-directory uninstall PREFIX='$prefix' && test -z \"\$(find '$root' ! -type d)\""
expect 'DESTDIR stages, and does not enter hawser.pc' staged_below_destdir

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
