/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs go on from their checkpoints with the same bits; tests/long/test_resume.c takes all. */
#include "support/near.h"
#include "support/resume.h"

static void every_stepper_goes_on_with_the_same_bits(void **state)
{
    (void)state;

    static const struct {
        const char *name, *set;
    } of[] = {
        {"disk-impact", NULL},      /* moreau */
        {"flying-spaghetti", NULL}, /* generalized-alpha */
        {"winding-w1", NULL},       /* moreau-jean, position */
        {"winding-w1", "stepper={type: nsga, step: 5.0e-3, end: 12}"},
        {"disk-impact", "stepper={type: nsga, step: 1.0e-4, end: 0.25}"},
        {"disk-impact", "stepper={type: moreau-jean, step: 1.0e-4, end: 0.25}"}, /* velocity */
        {"disk-impact", "solver.on_unconverged=halve"},
        {"disk-impact", "solver.type=auto\nbodies.disk.position=[-0.1000005, 1]\n" /* a region */
                        "cables.cable.elements=200\ncontact.0.points_per_element=240\n"
                        "stepper.step=auto"},
        {"rope-on-cylinder", NULL},
        {"capstan-history", "stepper.step=0.02"}, /* quasi-static */
        {"yarn-penalty", NULL},                   /* compliant laws in space */
        {"lugre-stick-slip", NULL},               /* histories */
        {"pendulum-joint", NULL},                 /* joints */
        {"two-strings-collide", "contact.law=penalty\ncontact.proxy=minima\ncontact.per=length\n"
                                "contact.normal_stiffness=1.0e+7"}, /* gaps beside points */
    };

    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        resume_scenario(of[i].name, of[i].set, 0.05, 2, i);
    }
}

/* What steps take over from those before is carried on past where all else is made anew. */
static void a_pile_at_rest_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    resume_scenario("cable-pile", "stepper.step=0.01\nstepper.end=6", 3, 3, 1);
}

TEST_FILE(test_resume)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stepper_goes_on_with_the_same_bits),
        cmocka_unit_test(a_pile_at_rest_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
