#!/bin/sh
# worlds.sh [-v] [ROOT] : how often the house asks which world it is in.
#
# There is one world: above kernels and surfaces nothing asks for the plane or space, for a rope, or
# which row of a table it talks to. This counts where it is asked all the same, in five kinds, and
# fails where a kind has more than its limit. The limits only go down. -v prints the places.
#
#   dimension   comparisons of a dimension with a number, and what stands for one, outside the
#               folders that are about it: element, shape, cable, scenario
#   ropes       questions for a rope, outside its rows and its closed forms: cable, theory, scenario,
#               and files named rope*, reeving* or knot* (which are a kind of their own below)
#   addresses   comparisons of a pointer to a row with the address of a row
#   worlds      files named after a world outside element, shape, cable, theory
#   pieces      files that hold a piece of a method only, outside element, shape, theory, cli
set -u
export LC_ALL=C
verbose=
[ "${1:-}" = -v ] && verbose=1 && shift
cd "${1:-$(dirname "$0")/../..}" || exit 2
limits=${LIMITS:-"dimension 9 ropes 0 addresses 0 worlds 0 pieces 0 lines 103592"}

files=$(find src -name '*.[ch]' | sort)
above=$(echo "$files" | grep -vE '^src/(element|shape|cable|scenario)/')
outside_ropes=$(echo "$files" | grep -vE '^src/(cable|theory|scenario)/|/(rope|reeving|knot)[a-z_]*\.[ch]$')

# code : lines of file:line:text that are no comments
code() {
    grep -vE '^[^:]*:[0-9]+:[ 	]*(/?\*|//)'
}

dimension() {
    echo "$above" | xargs grep -HnE \
        'dimension(\([a-z_>-]*\))? *(==|!=|>|<|>=|<=) *[0-9]|\bd *(==|!=) *[23]\b|is_(space|spatial|planar)\b|guard_planar' | code
}

ropes() {
    echo "$outside_ropes" | xargs grep -HnE \
        '\brope *(==|!=) *NULL|(->|\.)rope\b|has_ropes?\b|is_rope\b|haw_guard_ropes' | code
}

addresses() {
    echo "$files" | xargs grep -HnE \
        '(==|!=) *&haw_[a-z_0-9]+|&haw_(shape|surface|law|normal|friction|stepper|solver|rope|element|cable)_[a-z_0-9]+ *(==|!=)' | code
}

worlds() {
    echo "$files" | grep -vE '^src/(element|shape|cable|theory)/' |
        grep -E '/([a-z_]*_)?(space|plane|planar|spatial|rope)(_[a-z_]*)?\.[ch]$'
}

pieces() {
    echo "$files" | grep -vE '^src/(element|shape|theory|cli)/' |
        grep -E '_(step|internal|parts|solve|update|tangent|inner|more|rest|impl|helpers|common)\.[ch]$'
}

bad=0
for kind in dimension ropes addresses worlds pieces; do
    found=$($kind)
    count=$(printf '%s' "$found" | grep -c '')
    limit=$(echo "$limits" | tr ' ' '\n' | grep -A1 -x "$kind" | tail -n 1)
    printf '%-10s %4d (<= %d)\n' "$kind" "$count" "$limit"
    [ -z "$verbose" ] || [ -z "$found" ] || printf '%s\n' "$found" | sed 's/^/    /'
    [ "$count" -le "$limit" ] || bad=1
done
lines=$(echo "$files" | xargs cat | wc -l)
limit=${limits##*lines }
printf '%-10s %4d (<= %d)\n' lines "$lines" "$limit"
[ "$lines" -le "$limit" ] || bad=1
exit $bad
