/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Energy lost as a disk of speed V first touches a string. The edge of the contact runs with
 * s = V R / x, faster than the transverse wave c_s up to x = V R / c_s: until then string at rest
 * is hit, and of each length rho_s V^2 (1 - c_s^2 / s^2) / 2 is lost. Both sides together:
 *
 *     D = (2/3) rho_s R V^3 / c_s,   rho_s = rho / (1 + eps),   c_s = sqrt(T / rho_s),
 *
 * to leading order in V / c_s: the string ahead is taken at its first tension. What a mesh adds is
 * about half of the mass of one element times V^2 for the elements of the edge: of first order.
 */
#include "support/scene.h"

enum { MESHES = 4 };

typedef struct impact {
    double speed, radius, tension, stiffness, end;
} impact;

/* Loss of a string of 1 m over the closed form. */
static double ratio(haw_context *context, const impact *im, int elements)
{
    disk_case c;
    haw_run_settings settings;
    haw_summary summary;
    disk_case_init(&c);
    c.element = "chain";
    c.elements = elements;
    c.points = 1;
    c.friction = 0;
    c.step = 0;
    c.end = im->end;
    c.tolerance = 1e-10;
    c.body.shape_options[0] = im->radius;
    c.body.motion = HAW_MOTION_PRESCRIBED;
    c.body.motion_velocity[0].constant = im->speed;
    c.body.position[0] = -im->radius - 1e-7;
    c.body.position[1] = 0.5;
    c.cable.to[1] = 1;
    c.cable.tension = im->tension;
    c.cable.stiffness = im->stiffness;
    disk_case_settings(context, &c, &settings);
    settings.every = im->end;
    haw_scene scene = *disk_case_scene(&c);
    scene.gravity[1] = 0;
    assert_int_equal(scene_run(context, &scene, &settings, NULL, &summary), HAW_OK);
    const haw_ledger *l = &summary.ledger;
    assert_true(l->balance_error <= 1e-14 * (l->initial + l->external_work));
    assert_true(fabs(l->numerical_loss) <= 1e-3 * l->impact_loss);
    const double density = 0.1 / (1 + im->tension / im->stiffness),
                 wave = sqrt(im->tension / density);
    return l->impact_loss / (2.0 / 3 * density * im->radius * pow(im->speed, 3) / wave);
}

/* Ratio to the closed form, extrapolated from its last two meshes with first order. */
static double limit(const impact *im)
{
    double r[MESHES];
    haw_context *context;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    for (int k = 0; k < MESHES; k++) {
        r[k] = ratio(context, im, 1000 << k);
        assert_true(k == 0 || r[k] < r[k - 1]); /* the mesh adds, and less and less */
    }
    const double order = log2((r[1] - r[2]) / (r[2] - r[3]));
    const double end = 2 * r[3] - r[2];
    print_message(
        "V %g m/s, R %g m, T %g N, EA %g N: loss over theory %.4f %.4f %.4f %.4f -> %.4f, order "
        "%.2f\n",
        im->speed, im->radius, im->tension, im->stiffness, r[0], r[1], r[2], r[3], end, order);
    assert_near(order, 1, 0.4, 0);
    haw_context_free(context);
    return end;
}

static void the_first_touch_loses_what_the_supersonic_edge_hits(void **state)
{
    (void)state;
    /* end: after the edge became sonic, V R / (2 c_s^2), before a wave comes back from an end */
    const impact rows[] = {
        {3, 0.1, 100, 4e4, 7e-4}, {1.5, 0.2, 100, 4e4, 7e-4}, {3, 1, 1000, 4e4, 4e-4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_near(limit(&rows[i]), 0.96, 0.03, 0);
    }
}

/*
 * Beyond leading order the impact raises the tension ahead of the edge, which is then sonic sooner:
 * the more so the harder the impact and the stiffer the string.
 */
static void harder_impacts_and_stiffer_strings_lose_less_than_the_leading_order(void **state)
{
    (void)state;
    const impact rows[] = {{6, 0.1, 100, 4e3, 7e-4}, {6, 0.1, 100, 4e4, 7e-4}};
    const double soft = limit(&rows[0]), stiff = limit(&rows[1]);
    assert_near(soft, 0.947, 0.015, 0);
    assert_near(stiff, 0.88, 0.015, 0);
}

TEST_FILE(test_contact_loss)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_touch_loses_what_the_supersonic_edge_hits),
        cmocka_unit_test(harder_impacts_and_stiffer_strings_lose_less_than_the_leading_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
