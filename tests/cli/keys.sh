#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The keys of scenarios, from one table: schema, lists, manual page and page of the documentation hold the
# same ones; scenarios are valid for other readers, too.
. "$(dirname "$0")/support/checks"

call 0 'page of the keys' list --markdown
silent
check 'page of the keys: doc/keys.md is in step (make docs)' cmp "$out" "$root/doc/keys.md"
sed -n 's/^## \([^ ]*\): .*/\1/p' "$out" >pages
call 0 'names of the lists' list keys --names
check 'page of the keys: all mappings' cmp "$out" pages
call 0 'list of the keys' list keys
grep -c '^      ' "$out" >count
check 'list of the keys: every one has an example' sh -c "! grep '^      ' '$out' | grep -v 'e\.g\. '"
check 'page of the keys: as many' test "$(grep -c '^| `' "$root/doc/keys.md")" -eq "$(cat count)"
awk '/^      / { key = $1; $1 = ""; sub(/^ (name or mapping|[a-z]+) /, ""); print key "|" $0 }' "$out" >listed
call 0 'manual' list --man
sed 's/\\-/-/g; s/\\&//g; s/\\e/\\/g' "$out" >manual
check 'manual: the text of every key' awk '
    NR == FNR { text[$0] = 1; next }
    { line = $0; sub(/^[^|]*[|]/, ""); if (!($0 in text)) { print line; bad = 1 } }
    END { exit bad }' manual listed

call 0 'schema' check --schema
cp "$out" schema.json
call 0 'keys in JSON' list keys --json
json
key 'keys[0].options[0].example' string 1
key 'keys[0].options[0].required' boolean true
cp "$out" keys.json
mkdir resolved
for file in "$root"/data/scenarios/*.yaml "$root"/data/templates/*.yaml; do
    "$HAWSER" check --resolve "$file" >"resolved/$(basename "$file")" 2>/dev/null
done
check 'all scenarios are resolved' sh -c "test -z \"\$(find resolved -size 0)\""
if python3 -c 'import yaml, jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
    check 'schema, keys, examples and scenarios by PyYAML and jsonschema' python3 "$here/support/schema.py" schema.json keys.json \
        "$root"/data/scenarios/*.yaml "$root"/data/templates/*.yaml resolved/*.yaml
else
    echo 'skipped: PyYAML and jsonschema (4 or later) are not installed: scenarios were not tried with the schema'
fi

# Aliases stand for copies.
cat >alias.yaml <<'END'
hawser: 1
bodies:
  - {name: a, mass: &m 2.0, position: &p [0.5, 1], shape: &s {type: circle, radius: 0.1}}
  - {name: b, mass: *m, position: *p, shape: *s}
stepper: {step: 0.1, end: 1}
END
call 0 'aliases' check alias.yaml --resolve --set bodies.b.shape.radius=0.2
check 'aliases: values are copied' test "$(grep -c 'mass: 2.0' "$out")" -eq 2
check 'aliases: each copy may be changed' test "$(grep -c 'radius: 0.1' "$out")$(grep -c 'radius: 0.2' "$out")" -eq 11
finish
