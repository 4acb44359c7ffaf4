#!/bin/sh
# embed.sh examples|scenarios : data as a C file: the examples of the keys, or the templates, the
# shipped scenarios and the page of reports, so that a program is complete wherever it is copied to.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"

# bytes FILE : its bytes and a zero, behind the name of an array
bytes() {
    echo '[] = {'
    od -An -v -tu1 "$1" | sed 's/ *\([0-9][0-9]*\)/\1,/g'
    echo '0};'
}

if [ "$1" = examples ]; then
    printf '#include "scenario/grammar.h"\nconst char haw_key_examples'
    bytes examples.yaml
    exit
fi
printf '#include "cli/shipped.h"\n#include <stddef.h>\n'
for file in templates/*.yaml scenarios/*.yaml; do
    printf 'static const char %s' "$(echo "$file" | tr -c 'a-z0-9\n' _)"
    bytes "$file"
done
echo 'const haw_shipped haw_shipped_all[] = {'
for file in templates/*.yaml scenarios/*.yaml; do
    echo "    {\"$(dirname "$file")\", \"$(basename "$file" .yaml)\", $(echo "$file" | tr -c 'a-z0-9\n' _)},"
done
printf '    {NULL, NULL, NULL},\n};\nconst char haw_page_text'
bytes report.html
