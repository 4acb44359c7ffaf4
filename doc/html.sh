#!/bin/sh
# html.sh OUT : the pages of doc/ as HTML by pandoc, and the interface by Doxygen, where they are installed.
set -eu
cd "$(dirname "$0")/.."
out=$1
if ! command -v pandoc >/dev/null 2>&1; then
    echo 'docs: no HTML, pandoc is not installed'
    exit 0
fi
rm -rf "$out"
mkdir -p "$out"
cat >"$out/.links.lua" <<'END'
function Link(link)
  if not link.target:match('^%a+:') then
    link.target = link.target:gsub('%.md', '.html', 1)
  end
  return link
end
END
printf '<style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}pre{background:#f4f4f4;padding:.6em;overflow:auto}td,th{border-bottom:1px solid #ccc;padding:.2em .6em;text-align:left;vertical-align:top}table{border-collapse:collapse;font-size:90%%}img{max-width:100%%}</style>\n' >"$out/.head"
for page in README.md CHANGELOG.md $(find doc benchmarks -name '*.md' | sort); do
    mkdir -p "$out/$(dirname "$page")"
    title=$(sed -n 's/^# //p' "$page" | head -n 1)
    [ -n "$title" ] || title=$page
    pandoc -s -f gfm -t html5 --metadata title="$title" -H "$out/.head" -V title= --lua-filter "$out/.links.lua" "$page" -o "$out/${page%.md}.html"
done
for file in $(grep -rhoE '\]\([^)#: ]+\)|src="[^":]+"' README.md doc benchmarks --include='*.md' |
    sed 's/^](//; s/)$//; s/^src="//; s/"$//' | grep -v '\.md$' | sort -u); do
    for folder in . doc doc/howto doc/theory benchmarks benchmarks/results; do
        if [ -f "$folder/$file" ]; then
            mkdir -p "$out/$folder/$(dirname "$file")"
            cp "$folder/$file" "$out/$folder/$file"
        fi
    done
done
if command -v doxygen >/dev/null 2>&1; then
    printf '%s\n' 'PROJECT_NAME=hawser' 'INPUT=include/hawser' "OUTPUT_DIRECTORY=$out" 'HTML_OUTPUT=api' 'GENERATE_LATEX=NO' \
        'EXTRACT_ALL=YES' 'HAVE_DOT=NO' 'QUIET=YES' 'OPTIMIZE_OUTPUT_FOR_C=YES' 'MACRO_EXPANSION=YES' 'PREDEFINED=HAW_API= HAW_NODISCARD=' | doxygen - >/dev/null 2>&1
fi
echo "$out/doc/index.html"
