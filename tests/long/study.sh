#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A study of 1000 short runs by two processes: by -j, by Open MPI and by a Slurm array of two tasks on
# one node, where these are installed; each killed on its way and gone on with; the commands of the
# how-to; a scenario behind an UM-Bridge server.
. "$(dirname "$0")/../cli/support/checks"
here=$root/tests/cli
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
study="study $scene --set stepper.step=4.0e-5 --set stepper.end=0.05 --vary friction=0:1:1000"
slurm_folder=

# Cases of a folder, also where there is none.
cases() {
    ls "$1/cases" 2>/dev/null | grep -c '\.csv$'
}

# Wait for so many cases.
await() {
    for _ in $(seq 2400); do
        [ "$(cases "$1")" -lt "$2" ] || break
        sleep 0.05
    done
}

# The files of a folder's cases, and that all of them in a list are still the same.
inodes() {
    (cd "$1/cases" && ls -i ./*.csv | sed 's/^ *//' | sort)
}
are_kept() {
    inodes "$2" >after
    test "$(comm -23 "$1" after | wc -l)" -eq 0
}

children() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$4 == parent && $3 != "Z" { print $1 }'
}

# ---- -j 2 ----
call 0 '-j 2' $study -j 2 -o j --json
json
key done number 1000
key ran number 1000
check '-j 2: at least 0.9 of two processes work' within "$(leaf working)" 1.8 2
echo "      -j 2: $(leaf working) of 2 at work, $(leaf wall_seconds) s"
check '-j 2: 1000 rows' test "$(grep -c ',done,' j/study.csv)" -eq 1000
check '-j 2: each parameter once' test "$(cut -d , -f 3 j/study.csv | sort -u | wc -l)" -eq 1001
name='-j 2, killed'
"$HAWSER" $study -j 2 -o jk >/dev/null 2>&1 &
pid=$!
await jk 300
kill -9 $pid
wait $pid 2>/dev/null
sleep 0.3
kept=$(cases jk)
inodes jk >before
check '-j 2, killed: on its way' within "$kept" 300 990
call 0 '-j 2, again' $study -j 2 -o jk --json
key ran number $((1000 - kept))
check '-j 2, again: the same table' cmp jk/study.csv j/study.csv
check '-j 2, again: none was done twice' are_kept before jk

# ---- Open MPI ----
if [ -x "$(dirname "$HAWSER")/hawser-mpi" ] && command -v mpirun >/dev/null; then
    name='mpirun'
    mpirun --oversubscribe -n 2 "$HAWSER" $study -o mpi --json >"$out" 2>"$err"
    : >"$flat"
    json
    key ran number 1000
    key done number 1000
    check 'mpirun: at least 0.9 of two processes work' within "$(leaf working)" 1.8 2
    echo "      mpirun: $(leaf working) of 2 at work, $(leaf wall_seconds) s"
    check 'mpirun: the same table' cmp mpi/study.csv j/study.csv
    for victim in mpirun rank; do
        mpirun --oversubscribe -n 2 "$HAWSER" $study -o mpik >/dev/null 2>&1 &
        pid=$!
        await mpik $(($(cases mpik) + 200))
        case $victim in
        mpirun) kill -9 $pid ;;
        rank) kill -9 $(children $pid | tail -n 1) ;;
        esac
        wait $pid 2>/dev/null
        sleep 2
        check "mpirun: $victim killed on the way" within "$(cases mpik)" 200 990
    done
    kept=$(cases mpik)
    inodes mpik >before
    mpirun --oversubscribe -n 2 "$HAWSER" $study -o mpik --json >"$out" 2>"$err"
    : >"$flat"
    key ran number $((1000 - kept))
    check 'mpirun, again: the same table' cmp mpik/study.csv j/study.csv
    check 'mpirun, again: none was done twice' are_kept before mpik
else
    echo 'skipped: no Open MPI here (Debian: libopenmpi-dev openmpi-bin, then make)'
fi

# ---- Slurm: one node of our own, with its files in the folder of the test ----
start_slurm() {
    slurm_folder=$work/slurm
    mkdir -p "$slurm_folder/state" "$slurm_folder/spool"
    cat >"$slurm_folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$slurm_folder/munge.socket
CredType=cred/munge
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=$slurm_folder/state
SlurmdSpoolDir=$slurm_folder/spool
SlurmctldPidFile=$slurm_folder/ctld.pid
SlurmdPidFile=$slurm_folder/d.pid
SlurmctldLogFile=$slurm_folder/ctld.log
SlurmdLogFile=$slurm_folder/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
MpiDefault=none
ReturnToService=2
NodeName=$(hostname -s) CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    SLURM_CONF=$slurm_folder/slurm.conf
    export SLURM_CONF
    dd if=/dev/urandom of="$slurm_folder/key" bs=128 count=1 2>/dev/null
    chmod 0600 "$slurm_folder/key"
    munged --force --key-file="$slurm_folder/key" --socket="$slurm_folder/munge.socket" \
        --pid-file="$slurm_folder/munge.pid" --log-file="$slurm_folder/munge.log" \
        --seed-file="$slurm_folder/seed" >/dev/null 2>&1 || return 1
    slurmctld && slurmd || return 1
    for _ in $(seq 100); do
        sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
        sleep 0.2
    done
    return 1
}

stop_slurm() {
    for pid in d ctld munge; do
        [ ! -s "$slurm_folder/$pid.pid" ] || kill "$(cat "$slurm_folder/$pid.pid")"
    done
    sleep 1
    unset SLURM_CONF
}

if command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null; then
    check 'Slurm: one node starts' start_slurm
    trap 'stop_slurm 2>/dev/null; rm -rf "$work"' EXIT
    call 0 'Slurm' $study -o slurm1 -j 2 --slurm
    check 'Slurm: the array' timeout 500 sbatch --wait slurm1/study.slurm
    call 0 'Slurm: collect' $study -o slurm1 --collect --json
    key done number 1000
    check 'Slurm: the same table' cmp slurm1/study.csv j/study.csv
    call 0 'Slurm, killed' $study -o slurm2 -j 2 --slurm
    job=$(sbatch --parsable slurm2/study.slurm)
    await slurm2 200
    check 'Slurm: the array is cancelled' scancel -s KILL "$job"
    sleep 3
    inodes slurm2 >before
    check 'Slurm, killed: on its way' within "$(cases slurm2)" 200 990
    check 'Slurm: the array again' timeout 500 sbatch --wait slurm2/study.slurm
    call 0 'Slurm, again: collect' $study -o slurm2 --collect --json
    check 'Slurm, again: the same table' cmp slurm2/study.csv j/study.csv
    check 'Slurm, again: none was done twice' are_kept before slurm2
else
    echo 'skipped: no Slurm here (Debian: slurmctld slurmd munge)'
fi

# ---- the how-to: every command in it ----
# block WORDS: the commands of the blocks that begin with ```sh WORDS
block() {
    awk -v head="\`\`\`sh${1:+ $1}" '/^```/ { on = $0 == head; next } on' "$root/doc/howto/parameter-study.md"
}
mkdir bin
ln -s "$HAWSER" bin/hawser
ln -s "$root/data" "$root/doc" .
PATH=$work/bin:$PATH
name='how-to'
block '' >how-to.sh
check 'how-to: there are commands' test "$(grep -c '^hawser' how-to.sh)" -eq 2
check 'how-to: they run' sh -e how-to.sh
check 'how-to: the table that it speaks of' test -s study-disk-impact/study.csv
check 'how-to: the figure that it speaks of' test -s study-disk-impact/study-range.png
if [ -x "$(dirname "$HAWSER")/hawser-mpi" ] && command -v mpirun >/dev/null; then
    block mpi | sed 's/mpirun/mpirun --oversubscribe/' >mpi.sh
    check 'how-to: Open MPI' sh -e mpi.sh
    check 'how-to: a table by Open MPI' test -s by-mpi/study.csv
fi
if [ -n "$slurm_folder" ]; then
    block slurm >slurm.sh
    check 'how-to: Slurm' sh -e slurm.sh
    check 'how-to: the same table by Slurm' cmp by-slurm/study.csv by-mpi/study.csv
fi

# ---- UM-Bridge ----
ask() {
    python3 - "$1" "$2" <<'PYTHON'
import json, sys, urllib.error, urllib.request
data = sys.argv[2].encode() if sys.argv[2] else None
try:
    with urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:4243/" + sys.argv[1], data)) as answer:
        print(json.dumps(json.load(answer)))
except urllib.error.HTTPError as error:
    print(error.code, json.dumps(json.load(error)))
PYTHON
}
is() {
    check "UM-Bridge: $1 $2" test "$(ask "$1" "$2")" = "$3"
}
if command -v python3 >/dev/null; then
    block umbridge >umbridge.sh
    sed 's/^python3/exec python3/' umbridge.sh >server.sh
    HAWSER=$HAWSER sh server.sh >server.out 2>&1 &
    server=$!
    for _ in $(seq 200); do
        grep -q 4243 server.out && break
        sleep 0.1
    done
    is Info '' '{"protocolVersion": 1.0, "models": ["hawser"]}'
    is InputSizes '{"name": "hawser"}' '{"inputSizes": [2]}'
    is OutputSizes '{"name": "hawser"}' '{"outputSizes": [1, 2]}'
    call 0 'run' run "$scene" --set contact.friction=0.2 --set bodies.disk.spin=10.0 --no-output --json
    is Evaluate '{"name": "hawser", "input": [[0.2, 10.0]], "config": {}}' \
        "$(printf '{"output": [[%s], [%s, %s]]}' "$(leaf probes.disk.spin)" \
            "$(leaf 'probes.disk.velocity[0]')" "$(leaf 'probes.disk.velocity[1]')")"
    check 'UM-Bridge: an unknown model' sh -c 'echo "$1" | grep -q "^404.*ModelNotFound"' sh "$(ask Evaluate '{"name": "x"}')"
    check 'UM-Bridge: a wrong input' sh -c 'echo "$1" | grep -q "^400.*InvalidInput"' sh \
        "$(ask Evaluate '{"name": "hawser", "input": [[0.2]]}')"
    check 'UM-Bridge: a refused input' sh -c 'echo "$1" | grep -q "^400.*friction.*between 0"' sh \
        "$(ask Evaluate '{"name": "hawser", "input": [[-1, 0]]}')"
    kill $server
    wait $server 2>/dev/null
else
    echo 'skipped: no python3 here'
fi
finish
