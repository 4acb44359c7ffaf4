#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Theories of ropes on the command line: keys, words, profiles, figures, refusals.
. "$(dirname "$0")/support/checks"

ride='--t1 1 --t2 3 --radius 1 --mu 0.4'

call 0 'creep' theory creep $ride --json
silent
json
key slip_angle number
check 'creep: ln(3) / 0.4' within "$(leaf slip_angle)" 2.7465307216 2.7465307217
call 0 'printed Firbank' theory firbank $ride --mu-s 0.5 --form printed --json
json
key form string
check 'printed Firbank: labelled' grep -q inconsistent "$out"
check 'printed Firbank: integral' within "$(leaf tangential_sum)" 1.889304008 1.889304010

call 0 'bristle' theory bristle $ride --mu 0.5 --r 1.5 --profile 5 --json
json
key regime string slip-both
for quantity in alpha_low alpha_high T_I T_II T_b tension_min t_start t_end r EA_star; do
    key "$quantity" number
done
for profile in alpha tension tangential; do
    key "$profile" array 5
done
call 0 'a profile of one point' theory multilayer --layers 1 --json
for profile in layer radius own below; do
    key "$profile" array 1
done
key mandrel_line number
call 0 'bristle by stiffnesses' theory bristle --radius 0.24 --ea 1.6e7 --kt 1e7 --kn 3e8 --json
check 'bristle by stiffnesses: r' within "$(leaf r)" 0.263312 0.263313
for direction in driving braking; do
    call 0 "bristle-steady, $direction" theory bristle-steady $ride --r 2 \
        --direction "$direction" --json
    json
    for quantity in slip_angle stick_angle t_exit; do
        key "$quantity" number
    done
done
for groove in flat v u undercut; do
    call 0 "groove $groove" theory groove --groove "$groove" --mu 0.1 --json
    json
    key groove string "$groove"
    key f_over_mu number
    key ratio number
done
call 0 'groove angles' theory groove --groove undercut --gamma-deg 25 --beta-deg 90 --mu 0.1 --json
check 'groove angles: e^(f pi)' within "$(leaf ratio)" 1.8353275 1.8353277
call 0 'traction' theory traction --t1 13000 --t2 9000 --groove v
silent
shows 'against the standard'
shows 'margin_stalled'
shows 'verdict                not suitable'
"$HAWSER" theory | cut -d ' ' -f 1 >names
while read -r theory; do
    call 0 "help of $theory" theory "$theory" --help
    shows "usage: hawser theory $theory [options]"
    cp "$out" help
    check "help of $theory: formula" sh -c "sed -n '3,/^options:/p' help | grep -q ' = \\|[<>]= '"
    check "help of $theory: source" sh -c "\"$HAWSER\" list theories -v | grep -A1 '^  $theory ' | tail -1 | sed 's/^ *(//; s/)\$//' >source && grep -qFf source help"
    example=$(sed -n "s/^  hawser \(theory $theory --[a-z].*\)/\1/p" help | head -n 1)
    call 0 "example of $theory" $example --json
    sed -n 's/^  "\([^"]*\)":.*/\1/p' "$out" | grep -vx 'theory\|status\|message\|messages' | sort >keys
    sed -n '/^results:/,$ s/^  \([^ ]*\) .*/\1/p' help | sort >results
    check "help of $theory: the results of its example" cmp keys results
done <names
call 0 'report' theory traction --t1-stalled 10000 --t2-stalled 1000 --report traction.html --json
json
key 'files[0]' string traction.html
for text in 'limit_stalled' '<td>10000<td>N' 'T_high / T_low &#60;= exp(f w)' 'EN 81-20' '<tr class="word"><td>verdict<td>suitable'; do
    check "report: $text" grep -qF -- "$text" traction.html
done
call 4 'report in no folder' theory traction --report none/traction.html
says 'none/traction.html'
call 0 'names of capstan' theory capstan --t1 40 --mu 0.2 --json
check 'names of capstan: T1' within "$(leaf tension_low)" 39.999999 40.000001

call 3 'load beyond friction' theory bristle $ride --t2 5
says 'slides over the whole arc'
one_message
shows_nothing
call 3 'no such groove' theory groove --groove w
says "unknown word 'w' for 'groove'"
call 3 'one point' theory creep --profile 1
says "'points' must be"
call 3 'no number' theory capstan --friction abc
one_message
says "'friction' must be a number >= 0 (got 'abc')"
call 2 'profile of a number' theory groove --profile 5
says 'has no profile'
call 2 'figure without its option' theory creep --output figures
says 'add --plot'

if command -v gnuplot >/dev/null; then
    call 0 'figure' theory bristle $ride --plot
    silent
    for file in profile.png profile.svg profile.gp profile.csv; do
        shows "theory-bristle/$file"
        check "figure: $file" test -s "theory-bristle/$file"
    done
    call 0 'figure in JSON' theory catenary --plot --output figures --profile 7 --json
    json
    key files array
    check 'figure in JSON: 7 rows' test "$(wc -l <figures/profile.csv)" -eq 8
fi
# A signal in the midst of a picture: it becomes whole.
mkdir bin
cat >bin/gnuplot <<'SCRIPT'
#!/bin/sh
cd "$4" || exit 1
for ending in png svg; do
    echo half >"profile.$ending$5"
done
sleep 1
printf 'picture IEND\256B`\202' >"profile.png$5"
echo 'picture </svg>' >"profile.svg$5"
SCRIPT
chmod +x bin/gnuplot
PATH="$work/bin:$PATH" "$HAWSER" theory catenary --plot --output signalled >"$out" 2>"$err" </dev/null &
pid=$!
for _ in $(seq 100); do
    test -n "$(find signalled -name '*.svg.*' 2>/dev/null)" && break
    sleep 0.05
done
kill -TERM $pid
code=0
wait $pid || code=$?
check 'figure, signalled: exit code 0' test "$code" -eq 0
check 'figure, signalled: it is whole' grep -q '</svg>' signalled/profile.svg
check 'figure, signalled: no drafts' test -z "$(find signalled -name '*.part')"
finish
