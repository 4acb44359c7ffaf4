/* SPDX-License-Identifier: BSD-3-Clause */
/* The winding as a benchmark: what is counted, the window of the tension, the budget, a cancel. */
#include "bench/dynamic.h"
#include "stepper/simulation.h"
#include "support/winding.h"

typedef struct fixture {
    winding winding;
    haw_arena arena;
    haw_dynamic_rules rules;
    haw_dynamic result;
} fixture;

static void setup_with(fixture *f, double end, const char *solver)
{
    memset(f, 0, sizeof *f);
    f->winding = winding_default(0.4);
    f->winding.end = end;
    f->winding.solver = solver;
    winding_open(&f->winding);
    haw_arena_init(&f->arena, f->winding.rig.context);
    f->rules = (haw_dynamic_rules){.tension = winding_tension, .from = 0.2};
}

static void setup(fixture *f, double end)
{
    setup_with(f, end, NULL);
}

static haw_status run(fixture *f)
{
    const rig *r = &f->winding.rig;
    return haw_dynamic_run(&f->arena, r->model, &r->settings, &f->rules, &f->result);
}

static void teardown(fixture *f)
{
    haw_arena_fini(&f->arena);
    rig_close(&f->winding.rig);
}

static void the_figures_are_those_of_the_run(void **state)
{
    fixture f;
    double most = -1;
    (void)state;
    setup(&f, 0.9);
    assert_int_equal(run(&f), HAW_OK);
    while (!haw_simulation_is_done(f.winding.rig.simulation)) {
        rig_step(&f.winding.rig);
        most = f.winding.rig.state->t > 0.2 - 1e-9 ? fmax(most, winding_highest(&f.winding)) : most;
    }
    assert_string_equal(haw_dynamic_text(&f.result), "done");
    assert_int_equal(f.result.steps, 180);
    assert_near(f.result.t_end, 0.9, 1e-12, 0);
    assert_near(f.result.spurious, most, 1e-12, 0);
    assert_int_equal(f.result.certificate.iterations_total,
                     f.winding.rig.simulation->certificate.iterations_total);
    assert_true(f.result.cpu_seconds > 0);
    teardown(&f);
}

static void a_run_that_takes_too_long_is_ended(void **state)
{
    fixture f;
    (void)state;
    setup(&f, 5);
    f.rules.time_limit = 0.02;
    assert_int_equal(run(&f), HAW_OK);
    assert_string_equal(haw_dynamic_text(&f.result), "time limit");
    assert_in_range(f.result.steps, 1, 999);
    assert_true(f.result.cpu_seconds < 1);
    teardown(&f);
}

/* The clock ends the solve, not the solver: no step has missed anything. */
static void a_solve_that_takes_too_long_is_no_step(void **state)
{
    fixture f;
    (void)state;
    setup_with(&f, 5, "pgs");
    rig_solver_set(&f.winding.rig, "tolerance", 1e-13);
    f.rules.time_limit = 0.5;
    assert_int_equal(run(&f), HAW_OK);
    assert_string_equal(haw_dynamic_text(&f.result), "time limit");
    assert_int_equal(f.result.certificate.unconverged_steps, 0);
    assert_near(f.result.t_end, 5e-3 * (double)f.result.steps, 1e-9, 0);
    assert_true(f.result.cpu_seconds > 0.4 && f.result.cpu_seconds < 2);
    teardown(&f);
}

/* newton goes through the band method, pgs sweeps: the same tension, judged alike. */
static void the_solver_that_is_named_is_at_work(void **state)
{
    static const char *const name[] = {"newton", "pgs"};
    haw_dynamic result[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture f;
        setup_with(&f, 1.1, name[i]);
        rig_solver_set(&f.winding.rig, "tolerance", 1e-8);
        assert_int_equal(run(&f), HAW_OK);
        assert_string_equal(f.result.solver, name[i]);
        assert_near(f.result.tolerance, 1e-8, 0, 1e-12);
        assert_int_equal(f.result.certificate.unconverged_steps, 0);
        assert_true(f.result.certificate.residual_max <= 1e-8);
        result[i] = f.result;
        teardown(&f);
    }
    assert_true(result[1].certificate.iterations_total >
                20 * result[0].certificate.iterations_total);
    assert_near(result[1].spurious, result[0].spurious, 1e-3, 0);
}

static void before_the_window_no_tension_is_told(void **state)
{
    fixture f;
    (void)state;
    setup(&f, 0.1);
    assert_int_equal(run(&f), HAW_OK);
    assert_true(isnan(f.result.spurious));
    teardown(&f);
}

static void a_cancel_ends_the_bench(void **state)
{
    fixture f;
    (void)state;
    setup(&f, 5);
    haw_context_cancel(f.winding.rig.context);
    assert_int_equal(run(&f), HAW_ERR_CANCELLED);
    assert_true(f.result.was_run);
    assert_string_equal(haw_dynamic_text(&f.result), "interrupted");
    assert_in_range(f.result.steps, 1, 1);
    teardown(&f);
}

TEST_FILE(test_dynamic)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figures_are_those_of_the_run),
        cmocka_unit_test(a_run_that_takes_too_long_is_ended),
        cmocka_unit_test(a_solve_that_takes_too_long_is_no_step),
        cmocka_unit_test(the_solver_that_is_named_is_at_work),
        cmocka_unit_test(before_the_window_no_tension_is_told),
        cmocka_unit_test(a_cancel_ends_the_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
