#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lists, theories, the manual page and the completion: all made from the same tables.
. "$(dirname "$0")/support/checks"

commands='run check new list theory export plot modes solve bench compare study'

call 0 'manual' list --man
silent
man=$work/hawser.1
cp "$out" "$man"
check 'manual: a title line first' sh -c "head -n 1 '$man' | grep -q '^\.TH HAWSER 1 '"
check 'manual: control characters are escaped' sh -c "! grep -n '^\.[^A-Za-z]' '$man'"
if command -v groff >/dev/null 2>&1; then
    check 'manual: groff has no complaint' \
        sh -c "groff -man -ww -Tascii '$man' 2>&1 >/dev/null | awk 'END { exit NR > 0 }'"
fi
call 0 'completion' list --completion
silent
bash=$work/hawser.bash
cp "$out" "$bash"

# Every long option of every help stands in both.
plain=$work/plain
sed 's/\\-/-/g' "$man" >"$plain"
for command in $commands; do
    call 0 "help of $command" "$command" --help
    sed -n 's/^  .*\(--[a-z-]*\).*/\1/p' "$out" | sort -u >options
    check "help of $command: has options" test -s options
    while read -r option; do
        check "manual: $command $option" grep -qF -- "$option" "$plain"
        check "completion: $command $option" \
            sh -c "grep '^ *$command) options=' '$bash' | grep -qF -- '$option '"
    done <options
    check "manual: hawser $command" grep -q "^\.SS \"hawser $command " "$plain"
done

if command -v bash >/dev/null 2>&1; then
    completions() {
        bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hawser
            printf "%s\n" "${COMPREPLY[@]}"' bash "$bash" "$@"
    }
    offers() {
        wanted=$1
        shift
        completions "$@" | grep -qxF -- "$wanted"
    }
    : >scene.yaml
    : >results.h5
    : >problem.hdf5
    mkdir folder
    check 'completion: commands' offers theory hawser th
    check 'completion: options' offers --set hawser run --s
    check 'completion: scenarios' offers scene.yaml hawser run s
    check 'completion: results' offers results.h5 hawser plot r
    check 'completion: problems' offers problem.hdf5 hawser solve p
    check 'completion: second problem' offers problem.hdf5 hawser solve problem.hdf5 p
    check 'completion: solvers' offers pgs hawser solve problem.hdf5 --solver p
    check 'completion: suites' offers winding hawser bench w
    check 'completion: folders' offers folder hawser plot results.h5 -o f
    check 'completion: shipped scenarios' offers disk-impact hawser run disk
    check 'completion: templates' offers pulley hawser new p
    check 'completion: kinds' offers solvers hawser list s
    check 'completion: names of theories' offers capstan hawser theory c
    check 'completion: parameters of a theory' offers --friction hawser theory capstan --f
    check 'completion: not of another theory' sh -c '! grep -x -- --friction' <<EOF
$(completions hawser theory catenary --)
EOF
fi

for kind in elements shapes laws normal-laws friction-laws solvers steppers theories probes keys scenarios templates; do
    call 0 "list $kind" list "$kind"
    silent
    call 0 "list $kind --names" list "$kind" --names
    check "list $kind --names: one word per line" \
        sh -c "test -s '$out' && ! grep -v '^[^ ][^ ]*$' '$out'"
    call 0 "list $kind --json" list "$kind" --json
    json
    key "$kind" array
    key "${kind}[0].name" string
    key "${kind}[0].summary" string
    key "${kind}[0].options" array
done
call 0 'list -v' list solvers -v
for word in tolerance default max_iterations; do
    shows "$word"
done
call 0 'list of everything' list --json
json

call 0 'theories' theory
shows capstan
"$HAWSER" theory >theories
while read -r theory rest; do
    call 0 "theory $theory" theory "$theory"
    silent
    shows "$theory: $rest"
    call 0 "theory $theory --help" theory "$theory" --help
    shows '--json'
    call 0 "theory $theory --json" theory "$theory" --json
    json
    key theory string "$theory"
done <theories
call 0 'capstan' theory --friction 0.2 capstan --wrap 1 --json
check 'capstan: e^0.2' within "$(leaf ratio)" 1.2214027581 1.2214027582
for profile in alpha tension tangential; do
    key "$profile" array
done

call 0 'schema' check --schema
silent
json
if [ -c /dev/full ]; then
    code=0
    "$HAWSER" list >/dev/full 2>"$err" || code=$?
    check "full standard output: exit code 4" test "$code" -eq 4
    name="full standard output"
    says "No space left on device"
fi
# Every key of the grammar stands in the schema, in the lists and in the manual, and nowhere else.
call 0 'schema' check --schema
grep -o '"[a-z_]*": {' "$out" | sed 's/"//g; s/: {//' | sort -u >in-schema
for kind in keys steppers solvers shapes surfaces; do
    call 0 "list $kind" list "$kind" -v
    sed -n 's/^      \([a-z][a-z_.]*\) .*/\1/p' "$out"
done | grep -v '^ok' | tr . '\n' | sort -u >in-lists
sed -n 's/^\.B \([a-z][a-z_.]*\) .*/\1/p' "$plain" | tr . '\n' | sort -u >in-manual
# words of JSON schema, names of its definitions, and the one key that only a shape has
printf '%s\n' if then else items not properties function guide history vector meridian | sort >other
sort -u in-lists other >known
check 'keys: there are many' sh -c 'test "$(wc -l <in-lists)" -gt 150'
check 'keys: those of the lists are in the schema' sh -c 'test -z "$(comm -13 in-schema in-lists)"'
check 'keys: those of the schema are in the lists' sh -c 'test -z "$(comm -23 in-schema known)"'
check 'keys: those of the lists are in the manual' sh -c 'test -z "$(comm -13 in-manual in-lists)"'

finish
