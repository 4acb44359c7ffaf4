/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of what goes on from a checkpoint: its bytes were changed, as if by somebody who gave
 * them the right hash. It may be refused or lead to any failure of a step, but not to a crash, and
 * a step that is done leaves finite energies.
 *
 * The first byte of an input says which scene; each change is three bytes for the place in the
 * checkpoint, one for what happens there, and one for the number that is put.
 */
#include "fuzz/replay.h"
#include "fuzz/run_scene.h"

#include <math.h>

enum { STEPS = 3, TAKEN_AT = 100, CHANGE = 5 };

/* ---- good checkpoints ---- */

typedef struct good {
    bool is_known;
    haw_checkpoint checkpoint;
    char *bytes; /* NULL: there is none */
} good;

static good kept[FUZZ_SCENES];

/* The last one up to that step. */
static haw_status keep_checkpoint(void *user, const haw_checkpoint *checkpoint)
{
    good *g = user;
    if (checkpoint->step > 0 && checkpoint->step <= TAKEN_AT) {
        free(g->bytes);
        g->checkpoint = *checkpoint;
        g->bytes = malloc(checkpoint->bytes);
        if (g->bytes == NULL) {
            abort();
        }
        memcpy(g->bytes, checkpoint->data, checkpoint->bytes);
    }
    return HAW_OK;
}

static void keep(int which)
{
    fuzz_run run;
    haw_summary summary;
    const haw_observer observer = {.checkpoint = keep_checkpoint, .user = &kept[which]};
    fuzz_open(&run, which);
    fuzz_must(run.context, haw_simulation_run(run.simulation, &observer, &summary));
    fuzz_close(&run);
    kept[which].is_known = true;
}

/* ---- changes ---- */

static const double reals[] = {0, -1, 1e-300, 1e300, -1e300, 1e9, 0.5, 1e-3};
static const long integers[] = {-1, 0, 1, 7, 255, 65536, 2147483647, -2147483647 - 1};

/* At a place of the data, of which there are `room` bytes, or of the numbers beside them. */
static void change(haw_checkpoint *checkpoint, size_t room, const uint8_t *data)
{
    const size_t place = data[0] + 256U * data[1] + 65536U * (data[2] % 8);
    const size_t unit = data[2] < 128 ? 4 : 1;
    const int put = data[4];
    const double real = put % 16 == 15 ? (double)NAN : reals[put % 8];
    if (data[3] == 255) {
        checkpoint->t = place % 2 == 0 ? real : checkpoint->t;
        checkpoint->h = place % 2 == 1 ? real : checkpoint->h;
        return;
    }
    if (data[3] >= 253) {
        *(data[3] == 254 ? &checkpoint->bytes : &checkpoint->state_bytes) =
            (size_t)integers[put % 8];
        return;
    }
    char *to = (char *)checkpoint->data + place % (room - sizeof(double)) / unit * unit;
    switch (data[3] % 4) {
    case 0:
        *to = (char)put;
        break;
    case 1: {
        const int value = (int)integers[put % 8];
        memcpy(to, &value, sizeof value);
        break;
    }
    case 2:
        memcpy(to, &real, sizeof real);
        break;
    default:
        memcpy(to, &integers[put % 8], sizeof *integers);
    }
}

/* ---- the target ---- */

static void judge(haw_simulation *simulation)
{
    const haw_ledger *ledger = haw_simulation_frame(simulation)->ledger;
    if (!isfinite(ledger->kinetic + ledger->elastic + ledger->gravity)) {
        (void)fprintf(stderr, "a step was done, and its energies are not finite\n");
        abort();
    }
}

static void go_on(int which, const uint8_t *data, size_t size)
{
    const good *g = &kept[which];
    haw_checkpoint checkpoint = g->checkpoint;
    fuzz_run run;
    fuzz_open(&run, which);
    checkpoint.data = malloc(checkpoint.bytes);
    if (checkpoint.data == NULL) {
        abort();
    }
    memcpy(checkpoint.data, g->bytes, checkpoint.bytes);
    for (size_t at = 0; at + CHANGE <= size; at += CHANGE) {
        change(&checkpoint, g->checkpoint.bytes, data + at);
    }
    haw_status status = haw_simulation_resume(run.simulation, &checkpoint, size % 2 == 0);
    for (int i = 0; i < STEPS && status == HAW_OK && !haw_simulation_is_done(run.simulation); i++) {
        status = haw_simulation_step(run.simulation);
        if (status == HAW_OK) {
            judge(run.simulation);
        }
    }
    if (size == 0 && status != HAW_OK) {
        fuzz_must(run.context, status);
    }
    free(checkpoint.data);
    fuzz_close(&run);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    const int which = size > 0 ? data[0] % FUZZ_SCENES : 0;
    if (!kept[which].is_known) {
        keep(which);
        fuzz_start_clock();
    }
    if (size > 0 && kept[which].bytes != NULL) {
        go_on(which, data + 1, size - 1);
    }
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/checkpoint", "tests/fuzz/results"};

    return replay_main(count, argument, usual);
}
#endif
