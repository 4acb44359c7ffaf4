#!/bin/sh
# embed.sh : the templates and shipped scenarios as a C file, so that a program is complete wherever it
# is copied to.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"
printf '#include "cli/shipped.h"\n#include <stddef.h>\n'
for file in templates/*.yaml scenarios/*.yaml; do
    printf 'static const char %s[] = {' "$(echo "$file" | tr -c 'a-z0-9\n' _)"
    od -An -v -tu1 "$file" | sed 's/ *\([0-9][0-9]*\)/\1,/g'
    echo '0};'
done
echo 'const haw_shipped haw_shipped_all[] = {'
for file in templates/*.yaml scenarios/*.yaml; do
    echo "    {\"$(dirname "$file")\", \"$(basename "$file" .yaml)\", $(echo "$file" | tr -c 'a-z0-9\n' _)},"
done
printf '    {NULL, NULL, NULL},\n};\n'
