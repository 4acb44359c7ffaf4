/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/resume.h"

#include "support/scenario.h"

#include <stdint.h>
#include <time.h>

enum { KEPT = 4000 };

/* What was seen of a run up to a moment: numbers of frames and events, and a sum of their bytes. */
typedef struct seen {
    int frames, events;
    uint64_t sum;
} seen;

typedef struct kept {
    haw_checkpoint checkpoint; /* with a copy of its data */
    seen so_far;
} kept;

typedef struct tape {
    scenario_run run;
    haw_summary summary;
    seen seen;
    double until;     /* processor time at which the run stops, INFINITY: it does not [s] */
    long stop;        /* step at which it does, < 0: none */
    long now;         /* step at hand */
    int count, every; /* checkpoints kept, and how many steps are between them at least */
    kept *kept;
} tape;

static double processor_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void add(seen *s, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) { /* Fowler, Noll, Vo */
        s->sum = (s->sum ^ ((const unsigned char *)data)[i]) * UINT64_C(1099511628211);
    }
}

static haw_status on_frame(void *user, const haw_frame *f)
{
    tape *t = user;
    seen *s = &t->seen;
    if (t->stop >= 0 && t->now == t->stop) {
        return HAW_OK; /* where a run stops it shows a frame that it has not otherwise */
    }
    s->frames++;
    add(s, &f->t, sizeof f->t);
    add(s, f->state->q, (size_t)f->state->coordinates * sizeof(double));
    add(s, f->state->u, (size_t)f->state->dofs * sizeof(double));
    add(s, f->probe, (size_t)f->probe_values * sizeof(double));
    add(s, f->pair, (size_t)f->pairs * sizeof *f->pair);
    add(s, f->point_force, (size_t)f->state->rows * sizeof(double));
    add(s, f->point_state, (size_t)(f->state->rows / f->state->dimension));
    add(s, f->torque, (size_t)f->state->bodies * sizeof(double));
    return HAW_OK;
}

static haw_status on_event(void *user, const haw_event *e)
{
    tape *t = user;
    if (t->stop >= 0 && t->now == t->stop) {
        return HAW_OK; /* contacts that go on end with the run */
    }
    t->seen.events++;
    add(&t->seen, &e->t, sizeof e->t);
    add(&t->seen, &e->kind, sizeof e->kind);
    add(&t->seen, &e->value, sizeof e->value);
    return HAW_OK;
}

static haw_status on_step(void *user, haw_simulation *simulation, const haw_frame *f)
{
    tape *t = user;
    (void)simulation;
    t->now = f->step;
    if (t->stop < 0 && processor_time() > t->until) {
        t->stop = f->step;
    }
    return t->stop >= 0 && f->step >= t->stop ? HAW_ERR_CANCELLED : HAW_OK;
}

/* Half of them will do. */
static void thin_out(tape *t)
{
    int left = 0;
    t->every *= 2;
    for (int i = 0; i < t->count; i++) {
        if (t->kept[i].checkpoint.step % t->every == 0) {
            t->kept[left++] = t->kept[i];
        } else {
            free(t->kept[i].checkpoint.data);
        }
    }
    t->count = left;
}

static haw_status on_checkpoint(void *user, const haw_checkpoint *c)
{
    tape *t = user;
    if (t->kept == NULL || c->step % t->every != 0) {
        return HAW_OK;
    }
    if (t->count == KEPT) {
        thin_out(t);
    }
    kept *k = &t->kept[t->count++];
    *k = (kept){*c, t->seen};
    k->checkpoint.data = malloc(c->bytes);
    assert_non_null(k->checkpoint.data);
    memcpy(k->checkpoint.data, c->data, c->bytes);
    return HAW_OK;
}

static void play(tape *t)
{
    const haw_observer observer = {.frame = on_frame,
                                   .event = on_event,
                                   .control = on_step,
                                   .checkpoint = on_checkpoint,
                                   .user = t};
    const haw_status status = haw_simulation_run(t->run.simulation, &observer, &t->summary);
    if (status != HAW_OK && status != HAW_ERR_CANCELLED) {
        fail_msg("%s: %s", t->run.name, haw_context_message(t->run.context));
    }
}

static void compare_bytes(const char *name, long from, const char *what, const void *a,
                          const void *b, size_t bytes)
{
    if (memcmp(a, b, bytes) != 0) {
        fail_msg("%s: %s differs at the end of a run that went on from step %ld", name, what, from);
    }
}

static void compare(tape *whole, tape *part, long from)
{
    const char *name = whole->run.name;
    const haw_state *a = haw_simulation_frame(whole->run.simulation)->state;
    const haw_state *b = haw_simulation_frame(part->run.simulation)->state;
    const size_t real = sizeof(double);
    assert_int_equal(a->step, b->step);
    compare_bytes(name, from, "q", a->q, b->q, (size_t)a->coordinates * real);
    compare_bytes(name, from, "u", a->u, b->u, (size_t)a->dofs * real);
    compare_bytes(name, from, "a", a->a, b->a, 2 * (size_t)a->dofs * real);
    compare_bytes(name, from, "impulse", a->impulse, b->impulse, (size_t)a->rows * real);
    compare_bytes(name, from, "history", a->history, b->history,
                  (size_t)(a->rows / a->dimension) * HAW_HISTORY * real);
    compare_bytes(name, from, "the ledger", &whole->summary.ledger, &part->summary.ledger,
                  sizeof whole->summary.ledger);
    const haw_certificate *x = &whole->summary.certificate, *y = &part->summary.certificate;
    assert_true(x->residual_max == y->residual_max && x->penetration_max == y->penetration_max);
    assert_true(x->iterations_total == y->iterations_total);
    assert_int_equal(x->contacts_max, y->contacts_max);
    if (whole->seen.sum != part->seen.sum) {
        fail_msg("%s: %d frames and %d events of %d and %d differ that follow step %ld", name,
                 part->seen.frames, part->seen.events, whole->seen.frames, whole->seen.events,
                 from);
    }
}

/* Settings, one to a line. */
static void set_lines(scenario_run *run, const char *lines)
{
    while (lines != NULL && *lines != '\0') {
        const int length = (int)strcspn(lines, "\n");
        scenario_set(run, "%.*s", length, lines);
        lines += length + (lines[length] == '\n');
    }
}

static void go_on(tape *whole, const kept *from)
{
    tape part = {.until = HUGE_VAL, .stop = whole->stop, .seen = from->so_far, .every = 50};
    scenario_init(&part.run, whole->run.name);
    for (int i = 0; i < whole->run.sets; i++) {
        scenario_set(&part.run, "%s", whole->run.set[i]);
    }
    scenario_open(&part.run);
    if (haw_simulation_resume(part.run.simulation, &from->checkpoint, true) != HAW_OK) {
        fail_msg("%s: %s", part.run.name, haw_context_message(part.run.context));
    }
    play(&part);
    compare(whole, &part, from->checkpoint.step);
    scenario_close(&part.run);
}

void resume_scenario(const char *name, const char *set, double seconds, int cuts, unsigned seed)
{
    tape whole = {.stop = -1, .every = 50, .kept = calloc(KEPT, sizeof(kept))};
    assert_non_null(whole.kept);
    scenario_init(&whole.run, name);
    set_lines(&whole.run, set);
    scenario_open(&whole.run);
    whole.until = processor_time() + seconds;
    play(&whole);
    for (int i = 0; i < cuts && whole.count > 0; i++) {
        seed = 1664525U * seed + 1013904223U;
        go_on(&whole, &whole.kept[(seed >> 8) % (unsigned)whole.count]);
    }
    print_message("%s: %d ways on in %ld steps, %d frames, %d events, %zu bytes\n", name, cuts,
                  whole.summary.steps, whole.seen.frames, whole.seen.events,
                  whole.count > 0 ? whole.kept[0].checkpoint.bytes : 0);
    for (int i = 0; i < whole.count; i++) {
        free(whole.kept[i].checkpoint.data);
    }
    free(whole.kept);
    scenario_close(&whole.run);
}
