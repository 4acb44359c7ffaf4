/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/fake_run.h"

/* Numbers with all their digits that no two places share. */
static double fake_number(int frame, int place)
{
    return sin(1.0 + frame * 0.7310585786300049 + place * 1.3) * pow(10.0, place % 7 - 3);
}

static void fake_fill(double *value, int count, int frame, int place)
{
    for (int i = 0; i < count; i++) {
        value[i] = fake_number(frame, place + i);
    }
}

void fake_run_open(fake_run *fake)
{
    static const haw_probe_spec probes[FAKE_PROBES] = {
        {"disk.position"}, {"cable.tension_mean"}, {"cable-disk.normal_sum"}};
    rig_open(&fake->r);
    fake->r.settings.probes = FAKE_PROBES;
    fake->r.settings.probe = probes;
    rig_time(&fake->r, 1e-5, 0.25, 0.0);
    assert_int_equal(haw_model_build(fake->r.context, disk_case_scene(&fake->disk), &fake->r.model),
                     HAW_OK);
    assert_int_equal(haw_simulation_create(fake->r.context, fake->r.model, &fake->r.settings,
                                           &fake->r.simulation),
                     HAW_OK);
    assert_int_equal(haw_state_create(fake->r.context, fake->r.model, &fake->state), HAW_OK);
    fake->point_force = calloc((size_t)fake->state->rows, sizeof(double));
    fake->point_gap = calloc((size_t)fake->state->rows, sizeof(double));
    fake->point_state = calloc((size_t)fake->state->rows, 1);
    assert_non_null(fake->point_force);
    assert_non_null(fake->point_gap);
    assert_non_null(fake->point_state);
    fake->scenario = (haw_scenario){
        .file = "fake.yaml", .text = "hawser: 1\ntitle: ÄÖÜ\n", .run = fake->r.settings};
    fake->frame = (haw_frame){.model = fake->r.model,
                              .state = fake->state,
                              .ledger = &fake->ledger,
                              .certificate = &fake->certificate,
                              .pairs = 1,
                              .pair = &fake->pair,
                              .point_force = fake->point_force,
                              .point_state = fake->point_state,
                              .point_gap = fake->point_gap,
                              .torque = &fake->torque,
                              .probe_values = FAKE_PROBE_VALUES,
                              .probe = fake->probe};
    scratch_make(fake->folder);
}

void fake_run_close(fake_run *fake)
{
    scratch_remove(fake->folder);
    free(fake->point_force);
    free(fake->point_gap);
    free(fake->point_state);
    haw_state_free(fake->r.context, fake->state);
    haw_simulation_free(fake->r.simulation);
    haw_model_free(fake->r.model);
    haw_context_free(fake->r.context);
}

const haw_frame *fake_run_frame(fake_run *fake, int i)
{
    static haw_state *start = NULL;
    assert_int_equal(haw_state_create(fake->r.context, fake->r.model, &start), HAW_OK);
    for (int k = 0; k < fake->state->dofs; k++) {
        fake->state->q[k] = start->q[k] + 1e-6 * fake_number(i, k);
        fake->state->u[k] = fake_number(i, k + 3);
    }
    haw_state_free(fake->r.context, start);
    fake_fill((double *)&fake->ledger, (int)(sizeof fake->ledger / sizeof(double)), i, 100);
    fake->ledger.gravity = 1e5 + fake_number(i, 5);
    fake->certificate = (haw_certificate){.residual_max = fake_number(i, 201),
                                          .penetration_max = fake_number(i, 202),
                                          .unconverged_steps = i,
                                          .iterations_total = 100000000L * i,
                                          .newton_iterations = 11L * i,
                                          .contacts_max = 7 * i};
    fake_fill((double *)&fake->pair, 16, i, 300); /* the leading doubles */
    fake->pair.closed = i % 5;
    fake->pair.sticking = i % 3;
    fake_fill(fake->point_force, fake->state->rows, i, 400);
    for (int k = 0; k < fake->state->rows / 2; k++) { /* open, backward, stick, forward */
        static const signed char states[4] = {HAW_POINT_OPEN, HAW_POINT_BACKWARD, HAW_POINT_STICK,
                                              HAW_POINT_FORWARD};
        fake->point_state[k] = states[(i + k) % 4];
        fake->point_gap[k] = (i + k) % 4 == 0 ? (double)NAN : 1e-6 * fake_number(i, 900 + k);
    }
    fake_fill(fake->probe, FAKE_PROBE_VALUES, i, 500);
    fake->torque = fake_number(i, 600);
    fake->frame.t = 1e-3 * i;
    fake->frame.step = 100L * i;
    return &fake->frame;
}

void fake_path(const fake_run *fake, const char *name, char path[1024])
{
    (void)snprintf(path, 1024, "%s/%s", fake->folder, name);
}

haw_writer *fake_run_write(fake_run *fake, const char *file, int frames)
{
    static const haw_event events[] = {{0.0025, 0, HAW_EVENT_FIRST_CONTACT, 0.0},
                                       {0.0035, 0, HAW_EVENT_SLIP, 1.0},
                                       {0.0095, 0, HAW_EVENT_STICK, 0.0},
                                       {0.0085, 0, HAW_EVENT_SEPARATION, 0.25}};
    haw_writer *writer = NULL;
    if (haw_writer_open(fake->r.context, file, &fake->scenario, fake->r.model, fake->r.simulation,
                        &writer) != HAW_OK) {
        fail_msg("%s", haw_context_message(fake->r.context));
    }
    for (int i = 0; i < frames; i++) {
        assert_int_equal(haw_writer_frame(writer, fake_run_frame(fake, i)), HAW_OK);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(haw_writer_event(writer, &events[i]), HAW_OK);
    }
    return writer;
}

void fake_run_results(fake_run *fake, const char *file, int frames)
{
    static const haw_summary summary = {.stepper = "moreau", .solver = "pgs", .steps = 1234};
    haw_writer *writer = fake_run_write(fake, file, frames);
    assert_int_equal(haw_writer_close(writer, &summary), HAW_OK);
}
