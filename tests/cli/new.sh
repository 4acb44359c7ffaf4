#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hawser new: every template runs unedited and draws; names of scenarios; files that are kept.
. "$(dirname "$0")/support/checks"

call 0 'list of templates' new
silent
for template in impact hanging-weight pulley belt hoist winding net coil knot ply strand blank; do
    shows "$template "
done
call 0 'list of templates in JSON' new --json
json
key 'templates[0]' string belt
"$HAWSER" list templates --names >templates
while read -r template; do
    call 0 "new $template" new "$template"
    shows "$template.yaml"
    check "new $template: as shipped" cmp "$template.yaml" "$root/data/templates/$template.yaml"
    call 0 "run $template" run "$template.yaml" --json
    silent
    json
    key status string done
    key unconverged_steps number 0
    check "run $template: ledger" within "$(leaf energy.balance_error)" 0 1e-8
    if command -v gnuplot >/dev/null 2>&1; then
        call 0 "plot $template" plot "$template.h5" -o "$template"
        silent
        check "plot $template: pictures" test -s "$template/snapshots.png"
        if [ "$template" = strand ]; then # seven cables: in columns, with one legend
            check "plot $template: one legend" test "$(grep -c 'unset key' strand/tension.gp)" -eq 6
        fi
    fi
done <templates
check 'templates: as many as there are files' test "$(wc -l <templates)" -eq "$(ls "$root"/data/templates/*.yaml | wc -l)"

echo mine >impact.yaml
call 4 'a file that is there' new impact
says "'impact.yaml' already exists and was not overwritten"
check 'a file that is there is kept' test "$(cat impact.yaml)" = mine
call 4 'folder that is not there' new impact -o none/impact.yaml
says 'none/impact.yaml'
call 2 'unknown template' new impct
says "unknown template 'impct'; did you mean 'impact'?"
call 0 'on the standard output' new net -o -
check 'on the standard output: as shipped' cmp "$out" "$root/data/templates/net.yaml"
call 0 'a shipped scenario' new disk-impact -o mine.yaml --json
json
key template string disk-impact
key output string mine.yaml
check 'a shipped scenario: as shipped' cmp mine.yaml "$root/data/scenarios/disk-impact.yaml"

# A scenario by its name: a file of that name, the same with .yaml, a shipped one; also of a copied program.
call 0 'check by name' check elastica
shows 'elastica: ready'
mkdir two-disks elsewhere
call 0 'a folder is no scenario' check two-disks
shows 'two-disks: ready'
cp pulley.yaml two-disks.yaml
call 0 'file with .yaml' check two-disks
shows 'two-disks.yaml: ready'
call 3 'place in a shipped scenario' check elastica --set cables.beam.elements=0
says 'cables.beam.elements'
cp pulley.yaml elastica
call 0 'file of that name' check elastica
shows 'elastica: ready (257 '
call 4 'no such name' run dsk-impact
says "did you mean 'disk-impact'?"
call 4 'no such file' run disk-impact.yaml
says "cannot read 'disk-impact.yaml'"
cp "$HAWSER" elsewhere/hawser
HAWSER=$work/elsewhere/hawser
call 0 'copied program' run bouncing-ball --no-output
finish
