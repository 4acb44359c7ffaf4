#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Usage: every error of the command line once, help and version, suggestions.
. "$(dirname "$0")/support/checks"

commands='run check new list theory export plot modes solve bench'

call 2 'no command'
says 'no command given'
shows_nothing
call 2 'misspelt command' rnu
says "did you mean 'run'?"
one_message
shows_nothing
call 2 'sweep is not there yet' sweep x.yaml
says "unknown command 'sweep'"
shows_nothing
call 2 'misspelt global option' --versoin
says "unknown option '--versoin'"

call 0 'version' --version
silent
for library in GSL SuiteSparse HDF5 libfyaml compiler; do
    shows "$library"
done
check 'version: first line is name and number' \
    sh -c "head -n 1 '$out' | grep -Eq '^hawser [0-9]+\.[0-9]+\.[0-9]+$'"
call 0 'help' --help
silent
for command in $commands; do
    shows "  $command "
done

for command in $commands; do
    call 0 "help of $command" "$command" --help
    silent
    shows "usage: hawser $command [options]"
    shows '--json'
    check "help of $command: two examples" \
        test "$(sed -n '/^examples:/,/^$/p' "$out" | grep -c '^  hawser ')" -eq 2
    call 2 "unknown option of $command" "$command" --jsno
    says "unknown option '--jsno'; did you mean '--json'?"
    shows_nothing
    one_message
    call 2 "usage error of $command in JSON" "$command" --nonsense --json
    json
    key status string usage
    key message string
done

for command in run export plot modes check solve bench; do
    call 2 "$command without a file" "$command"
    says 'is missing'
    shows_nothing
done
call 2 'unknown letter' run -z x.yaml
says "unknown option '-z'"
call 2 'unknown letter in a cluster' run --json -qzv x.yaml
says "unknown option '-z'"
call 2 'letter without its value' run x.yaml -o
says "option '--output' needs a value (FILE)"
call 2 'two files' run a.yaml b.yaml
says "unexpected argument 'b.yaml'"
call 2 'value is missing' run x.yaml --set
says "option '--set' needs a value (PATH=VALUE)"
call 2 'value too much' run x.yaml --json=yes
says "option '--json' takes no value"
call 2 'no number of modes' modes x.yaml -n none
says 'needs a whole number'
call 2 'zero modes' modes x.yaml -n 0
says 'needs a whole number'

call 2 'unknown list' list slovers
says "unknown list 'slovers'; did you mean 'solvers'?"
call 2 'unknown theory' theory capstn
says "unknown theory 'capstn'; did you mean 'capstan'?"
call 2 'unknown parameter of a theory' theory capstan --frictoin 0.2
says "unknown option '--frictoin'; did you mean '--friction'?"
call 3 'parameter of a theory outside its range' theory capstan --friction -0.2
says "'friction' must be >= 0 (got -0.2)"
one_message
shows_nothing
call 3 'parameter of a theory that is no number' theory capstan --friction high
says 'high'
call 3 'parameter of a theory that is not finite' theory capstan --friction nan
says 'friction'

finish
