/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every solver on the same contact problems, every 100th step of the shipped scenarios and of some
 * variants, at 1e-12, from zero and from the impulses of the step before. What is unique must
 * agree: gamma = W r + q and the resultant impulse on the bodies; single impulses need not be.
 * With HAWSER_TABLES set the iterations go to build/iterations.csv.
 */
#include "stepper/simulation.h"
#include "support/scenario.h"

/* All rows but the enumeration, which takes few contacts only. */
static const char *const names[] = {"pgs", "alprox", "newton", "ppa", "admm", "auto"};

enum { SOLVERS = sizeof names / sizeof names[0] };

enum { COLD, WARM, STARTS, TRIALS = SOLVERS * STARTS, EVERY = 100 };

typedef struct tally {
    int problems, contacts; /* number, largest size */
    double sum[TRIALS];     /* of iterations */
    int most[TRIALS];
    int missed;       /* solutions above the tolerance */
    double gamma;     /* largest difference between two trials [m/s] */
    double resultant; /* the same of the impulse on the bodies [N s, N m s] */
    double relative;  /* the same over the resultant of that step */
    double size;      /* largest component of the resultant over the run */
} tally;

typedef struct comparison {
    scenario_run run;
    haw_solver_settings solver[SOLVERS];
    double *warm; /* [rows] impulses of the state before the step */
    double *r[TRIALS], *u[TRIALS];
    double *total[TRIALS]; /* [3 bodies] impulse on each body */
    haw_workspace *work;
    tally tally;
} comparison;

static void choose_solvers(comparison *c)
{
    for (int i = 0; i < SOLVERS; i++) {
        haw_solver_settings *s = &c->solver[i];
        assert_int_equal(haw_solver_settings_init(c->run.context, names[i], s), HAW_OK);
        assert_int_equal(haw_options_set_real(c->run.context, s->ops->row.options, s->options,
                                              "tolerance", 1e-12),
                         HAW_OK);
        assert_int_equal(haw_options_set_real(c->run.context, s->ops->row.options, s->options,
                                              "max_iterations", 200000),
                         HAW_OK);
    }
}

static double *vector(size_t count)
{
    double *x = calloc(count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static void reserve(comparison *c)
{
    const haw_simulation *simulation = c->run.simulation;
    const size_t rows = (size_t)simulation->state->rows;
    assert_int_equal(haw_workspace_create(c->run.context, &c->work), HAW_OK);
    c->warm = vector(rows);
    for (int i = 0; i < TRIALS; i++) {
        c->r[i] = vector(rows);
        c->u[i] = vector(rows);
        c->total[i] = vector(3 * (size_t)simulation->model.bodies);
    }
}

static void release(comparison *c)
{
    for (int i = 0; i < TRIALS; i++) {
        free(c->r[i]);
        free(c->u[i]);
        free(c->total[i]);
    }
    free(c->warm);
    haw_workspace_free(c->work);
    scenario_close(&c->run);
}

/* Sum of the body rows: what the rigid bodies feel of a solution, a moving disk included. */
static void add_up(const haw_contacts *contacts, int bodies, const double *r, double *total)
{
    memset(total, 0, 3 * (size_t)bodies * sizeof *total);
    for (int i = 0; i < 2 * contacts->count; i++) {
        const haw_touch *contact = &contacts->item[i / 2];
        for (int a = 0; a < 3; a++) {
            total[contact->side[1].first + a] += contact->side[1].row[i % 2][a] * r[i];
            if (contact->side[0].first < 3 * bodies) {
                total[contact->side[0].first + a] += contact->side[0].row[i % 2][a] * r[i];
            }
        }
    }
}

static void solve(comparison *c, const haw_problem *problem, int trial)
{
    const haw_simulation *simulation = c->run.simulation;
    const haw_contacts *contacts = simulation->contacts;
    haw_report report;
    for (int i = 0; i < 2 * problem->contacts; i++) {
        const int row = 2 * contacts->item[i / 2].id + i % 2;
        c->r[trial][i] = trial / SOLVERS == WARM ? c->warm[row] : 0;
    }
    assert_int_equal(
        haw_solve(problem, &c->solver[trial % SOLVERS], c->work, c->r[trial], c->u[trial], &report),
        HAW_OK);
    add_up(contacts, simulation->model.bodies, c->r[trial], c->total[trial]);
    c->tally.sum[trial] += report.iterations;
    c->tally.most[trial] =
        report.iterations > c->tally.most[trial] ? report.iterations : c->tally.most[trial];
    c->tally.missed += report.outcome != HAW_CONVERGED;
}

static double difference(int count, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

static void compare(comparison *c, const haw_problem *problem)
{
    const int bodies = 3 * c->run.simulation->model.bodies;
    double size = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        solve(c, problem, trial);
    }
    for (int i = 0; i < bodies; i++) {
        size = fmax(size, fabs(c->total[0][i]));
    }
    for (int trial = 1; trial < TRIALS; trial++) {
        const double d = difference(bodies, c->total[trial], c->total[0]);
        c->tally.gamma =
            fmax(c->tally.gamma, difference(2 * problem->contacts, c->u[trial], c->u[0]));
        c->tally.resultant = fmax(c->tally.resultant, d);
        c->tally.relative = fmax(c->tally.relative, size > 0 ? d / size : d);
    }
    c->tally.size = fmax(c->tally.size, size);
    c->tally.problems++;
    c->tally.contacts =
        problem->contacts > c->tally.contacts ? problem->contacts : c->tally.contacts;
}

/* Every 100th step; every 100th of those with a contact, from the first, so that no scene whose
 * contacts are short is left out. */
static void run_steps(comparison *c)
{
    haw_simulation *simulation = c->run.simulation;
    long closed = 0;
    reserve(c);
    while (simulation->state->t < simulation->end) {
        const double *impulses;
        memcpy(c->warm, simulation->state->impulse,
               (size_t)simulation->state->rows * sizeof(double));
        if (haw_simulation_step(simulation) != HAW_OK) {
            fail_msg("%s: %s", c->run.name, haw_context_message(c->run.context));
        }
        const haw_problem *problem = haw_simulation_problem(simulation, &impulses);
        if (problem != NULL && (simulation->state->step % EVERY == 0 || closed % EVERY == 0)) {
            compare(c, problem);
        }
        closed += problem != NULL;
    }
}

static double mean(const tally *t, int start, int solver)
{
    return t->problems > 0 ? t->sum[start * SOLVERS + solver] / t->problems : 0;
}

static void print_tally(const comparison *c)
{
    const tally *t = &c->tally;
    print_message("| %s | %d | %d |", c->run.name, t->problems, t->contacts);
    for (int i = 0; i < TRIALS; i++) {
        print_message(" %.1f (%d) |", mean(t, i / SOLVERS, i % SOLVERS), t->most[i]);
    }
    print_message(" %.1e | %.1e | %.1e |\n", t->gamma, t->resultant, t->relative);
}

static void open_comparison(comparison *c, const char *name)
{
    memset(c, 0, sizeof *c);
    scenario_init(&c->run, name);
    assert_int_equal(haw_context_create(NULL, &c->run.context), HAW_OK);
    choose_solvers(c);
}

static void finish_comparison(comparison *c)
{
    scenario_open(&c->run);
    run_steps(c);
    print_tally(c);
    assert_int_equal(c->tally.missed, 0);
    assert_near(c->tally.gamma, 0, 1e-8, 0);
    assert_near(c->tally.resultant, 0, 1e-8 * c->tally.size, 0);
    /* a grazing contact pushes a million times less than the others: fewer digits of its own */
    assert_near(c->tally.relative, 0, 1e-6, 0);
}

/* One line of the README's table: mean iterations with warm start. */
static void write_line(FILE *file, const comparison *c)
{
    if (file != NULL && c->tally.problems > 0) {
        fprintf(file, "%s,%d", c->run.name, c->tally.problems);
        for (int i = 0; i < SOLVERS; i++) {
            fprintf(file, ",%.1f", mean(&c->tally, WARM, i));
        }
        fputc('\n', file);
    }
}

static FILE *open_table(void)
{
    FILE *file = NULL;
    if (getenv("HAWSER_TABLES") != NULL) {
        file = fopen("build/iterations.csv", "w");
        assert_non_null(file);
        fputs("scenario,problems", file);
    }
    print_message("| scenario | problems | most contacts |");
    for (int i = 0; i < TRIALS; i++) {
        print_message(" %s %s |", i / SOLVERS == COLD ? "cold" : "warm", names[i % SOLVERS]);
        if (file != NULL && i < SOLVERS) {
            fprintf(file, ",%s", names[i]);
        }
    }
    print_message(" gamma [m/s] | resultant [N s] | relative |\n");
    if (file != NULL) {
        fputc('\n', file);
    }
    return file;
}

static void shipped_scenarios_have_one_answer(void **state)
{
    (void)state;
    const char *const name[] = {"bouncing-ball", "capstan",      "disk-impact-frictionless",
                                "disk-impact",   "slip-to-roll", "disk-on-slack-rope",
                                "string-impact", "two-disks",    "wrap"};
    FILE *file = open_table();
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        comparison c;
        open_comparison(&c, name[i]);
        finish_comparison(&c);
        assert_true((c.tally.problems > 0) == (strcmp(name[i], "string-impact") != 0));
        write_line(file, &c);
        release(&c);
    }
    if (file != NULL) {
        assert_int_equal(fclose(file), 0);
    }
}

typedef struct variant {
    const char *name, *set[4];
} variant;

/* Up to 34 contacts at once, other elements, both disks on a light rope. */
static void variants_have_one_answer(void **state)
{
    (void)state;
    const variant rows[] = {
        {"capstan",
         {"cables.cable.element=chain", "cables.cable.elements=132",
          "contact.points_per_element=1"}},
        {"capstan", {"cables.cable.element=bezier-polar"}},
        {"wrap",
         {"cables.cable.element=chain", "cables.cable.elements=232",
          "contact.points_per_element=1"}},
        {"wrap", {"contact.friction=0.4"}},
        {"disk-impact", {"contact.points_per_element=16"}},
        {"disk-impact", {"contact.restitution=0.5", "contact.friction=0.8"}},
        {"disk-on-slack-rope", {"cables.rope.element=bezier-c0"}},
        {"two-disks",
         {"cables.rope.density=0.1", "cables.rope.stiffness=4.0e+4", "contact.restitution=0"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        comparison c;
        open_comparison(&c, rows[i].name);
        for (int k = 0; k < 4 && rows[i].set[k] != NULL; k++) {
            scenario_set(&c.run, "%s", rows[i].set[k]);
        }
        finish_comparison(&c);
        release(&c);
    }
}

TEST_FILE(test_solver_agreement)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_scenarios_have_one_answer),
        cmocka_unit_test(variants_have_one_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
