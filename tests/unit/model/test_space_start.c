/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts of spatial cables: stress-free shapes, cables laid on surfaces. */
#include "base/lie.h"
#include "support/failing.h"
#include "support/space_scene.h"

static const double pi = 3.14159265358979323846;

/* ---- stress-free shapes ---- */

static double largest_force(const space_scene *f, const double *q)
{
    const haw_cable *cable = &f->model->cable[0];
    double force[SPACE_SIZE] = {0}, largest = 0;
    cable->beam.ops->force(&cable->beam, q + cable->first_q, NULL, force, NULL);
    for (int i = 0; i < cable->line.dofs; i++) {
        largest = fmax(largest, fabs(force[i]));
    }
    return largest;
}

static double elastic_energy(const space_scene *f, const double *q)
{
    const haw_cable *cable = &f->model->cable[0];
    double energy[2] = {0, 0};
    cable->beam.ops->energy(&cable->beam, q + cable->first_q, energy);
    return energy[0];
}

/* A free cable along a path. */
static void draw(space_scene *f, int segments, const haw_path_segment *path)
{
    f->scene.bodies = f->scene.contacts = 0;
    f->cable.from[0] = f->cable.from[1] = f->cable.from[2] = 0;
    f->cable.path = path;
    f->cable.segments = segments;
    f->cable.length = f->cable.tension = (double)NAN;
    f->cable.ends[0] = f->cable.ends[1] = (haw_end_spec){.kind = HAW_END_FREE};
}

static const haw_path_segment legs[2] = {{.to = {1, 0, 0.5}}, {.to = {1, 2, 0.5}}};
static const haw_path_segment half_circle[1] = {
    {.kind = HAW_PIECE_ARC, .center = {0, 1, 0}, .radius = 1, .angle_deg = 180}};

/* Two legs with a corner in space, and a half circle: whatever the frame of the corner. */
static void a_drawn_reference_has_no_stress(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        space_scene f;
        double q[SPACE_SIZE];
        space_scene_open(&f);
        draw(&f, k == 0 ? 2 : 1, k == 0 ? legs : half_circle);
        f.cable.reference = HAW_REFERENCE_DRAWN;
        space_scene_build(&f);
        space_scene_start(&f, q);
        assert_near(largest_force(&f, q), 0, 1e-9, 0);
        f.cable.reference = HAW_REFERENCE_STRAIGHT;
        space_scene_build(&f);
        assert_true(largest_force(&f, q) > 1e-2);
        space_scene_close(&f);
    }
}

/* Also where the path changes within an element, from a half circle to a straight line. */
static void a_drawn_reference_of_ancf_has_no_stress(void **unused)
{
    static const haw_path_segment path[2] = {
        {.kind = HAW_PIECE_ARC, .center = {0, 1, 0}, .radius = 1, .angle_deg = 180},
        {.kind = HAW_PIECE_LINE, .to = {-0.95, 2, 0}}};
    (void)unused;
    for (int segments = 1; segments <= 2; segments++) {
        space_scene f;
        double q[SPACE_SIZE];
        space_scene_open(&f);
        draw(&f, segments, path);
        f.cable.element = "ancf";
        space_scene_build(&f);
        space_scene_start(&f, q);
        const double bent = elastic_energy(&f, q), force = largest_force(&f, q);
        if (segments == 1) {
            assert_near(bent, 0.5 * f.cable.bending_stiffness * pi, 0, 1e-4);
        }
        f.cable.reference = HAW_REFERENCE_DRAWN;
        space_scene_build(&f);
        space_scene_start(&f, q);
        print_message("energy %g, %g; force %g, %g\n", bent, elastic_energy(&f, q), force,
                      largest_force(&f, q));
        assert_near(elastic_energy(&f, q), 0, 1e-9 * bent, 0);
        assert_near(largest_force(&f, q), 0, 1e-5 * force, 0);
        space_scene_close(&f);
    }
}

static void a_tension_comes_on_top_of_a_drawn_reference(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    draw(&f, 1, half_circle);
    f.cable.tension = 25;
    f.cable.reference = HAW_REFERENCE_DRAWN;
    space_scene_build(&f);
    double q[SPACE_SIZE];
    space_scene_start(&f, q);
    const haw_cable *cable = &f.model->cable[0];
    for (int e = 0; e < 50; e++) {
        haw_space_strain strain;
        cable->beam.ops->strain(&cable->beam, e, 0.5, q, NULL, &strain);
        assert_near(strain.tension, 25, 1e-7, 0);
        for (int i = 1; i < HAW_STRAINS; i++) {
            assert_near(strain.stress[i], 0, 1e-7, 0);
        }
    }
    assert_near(cable->beam.le * 50, pi / (1 + 25 / f.cable.stiffness), 1e-13, 0);
    space_scene_close(&f);
}

/* An arc of constant curvature is met exactly by the helix of an element. */
static void an_arc_has_its_curvature(void **unused)
{
    (void)unused;
    static const haw_path_segment arc[1] = {
        {.kind = HAW_PIECE_ARC, .center = {0, 2, 1}, .radius = 2, .angle_deg = 270}};
    space_scene f;
    space_scene_open(&f);
    draw(&f, 1, arc);
    f.cable.from[2] = 1;
    f.cable.elements = 12;
    space_scene_build(&f);
    double q[SPACE_SIZE];
    space_scene_start(&f, q);
    const haw_beam *beam = &f.model->cable[0].beam;
    for (int e = 0; e < 12; e++) {
        haw_space_strain strain;
        beam->ops->strain(beam, e, 0.5, q, NULL, &strain);
        assert_near(strain.strain[5], 0.5, 1e-14, 0); /* to the left */
        assert_near(strain.strain[4], 0, 1e-14, 0);
        assert_near(strain.strain[3], 0, 1e-14, 0);
        assert_near(strain.strain[0], 0, 1e-14, 0);
    }
    space_scene_close(&f);
}

/* ---- laid cables ---- */

static void lay(space_scene *f, double angle_deg, double slip, double length)
{
    f->cable.from[0] = f->cable.to[0] = (double)NAN;
    f->cable.lay = (haw_lay_spec){.on = "drum", .z = 0, .angle_deg = angle_deg, .slip = slip};
    f->cable.length = length;
    f->cable.tension = 10;
    f->cable.ends[0] = f->cable.ends[1] = (haw_end_spec){.kind = HAW_END_FREE};
}

/* tan(beta) = tan(beta_0) + lambda s / R', |z| / R' = (cosh(lambda phi) - 1) / lambda from the hoop
 * on, downwards for k_g > 0; the centreline runs at R' = R + r. */
static void a_yarn_laid_on_a_cylinder_follows_the_closed_form(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    const double slip = 0.2, radius = 0.401;
    lay(&f, 90, slip, 1);
    space_scene_build(&f);
    double q[SPACE_SIZE];
    space_scene_start(&f, q);
    const haw_beam *beam = &f.model->cable[0].beam;
    for (int n = 0; n <= 50; n++) {
        const double *node = space_scene_node(&f, q, n);
        const double s = n * beam->le * (1 + 10 / f.cable.stiffness);
        const double phi = asinh(slip * s / radius) / slip;
        assert_near(hypot(node[0], node[1]), radius, 1e-13, 0);
        assert_near(atan2(node[1], node[0]), remainder(phi, 2 * pi), 1e-10, 0);
        assert_near(node[2], -radius * (cosh(slip * phi) - 1) / slip, 1e-10, 0);
        double r[9];
        quaternion_matrix(node + 3, r);
        assert_near(r[1] * node[0] + r[4] * node[1], radius, 1e-13, 0); /* second axis: normal */
        assert_near(r[6], -slip * s / radius / hypot(1, slip * s / radius), 1e-10, 0);
    }
    assert_near(haw_cable_tension_mean(&f.model->cable[0], q), 10, 10 * 1e-1, 0);
    space_scene_close(&f);
}

/* x(phi) = x_min / cos((phi - phi_0) sin(tau)) along the slant of the cone that carries the
 * centreline, its apex r / sin(tau) below that of the surface. */
static void a_yarn_laid_on_a_cone_follows_the_closed_form(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    haw_body_spec *cone = &f.body[0];
    const double tau = 20 * pi / 180, z = 0.45, alpha = 120 * pi / 180;
    cone->shape = "cone";
    const haw_surface_ops *ops = (const haw_surface_ops *)haw_row_find(haw_surfaces, "cone");
    assert_non_null(ops);
    haw_options_init(ops->row.options, cone->shape_options);
    assert_int_equal(haw_options_set_real(f.context, ops->row.options, cone->shape_options,
                                          "half_angle_deg", 20),
                     HAW_OK);
    cone->position[0] = 0.3;
    cone->orientation[1] = 1; /* the axis along -y */
    lay(&f, 120, 0, 0.6);
    f.cable.lay.z = z;
    space_scene_build(&f);
    double q[SPACE_SIZE];
    space_scene_start(&f, q);
    const double height = z - 1e-3 * sin(tau) + 1e-3 / sin(tau); /* over the shifted apex */
    const double x0 = height / cos(tau), least = x0 * sin(alpha);
    for (int n = 0; n <= 50; n++) {
        const double *node = space_scene_node(&f, q, n);
        const double local[3] = {node[0] - 0.3, node[2], -node[1]};
        const double angle = atan2(local[1], local[0]), up = local[2] + 1e-3 / sin(tau);
        const double phi = angle < -1e-9 ? angle + 2 * pi : angle;
        assert_near(hypot(local[0], local[1]) * cos(tau) - local[2] * sin(tau), 1e-3, 1e-13, 0);
        assert_near(up / cos(tau), least / cos(phi * sin(tau) + (pi / 2 - alpha)), 1e-9, 0);
    }
    space_scene_close(&f);
}

/* The mandrel r = 0.3 + 0.05 cos(2 pi z) as a table. */
enum { ROWS = 201 };

static double mandrel_z[ROWS], mandrel_r[ROWS];

static void lay_on_mandrel(space_scene *f)
{
    for (int i = 0; i < ROWS; i++) {
        mandrel_z[i] = -1 + 0.01 * i;
        mandrel_r[i] = 0.3 + 0.05 * cos(2 * pi * mandrel_z[i]);
    }
    f->body[0].shape = "revolution";
    f->body[0].profile = (haw_function){.count = ROWS, .time = mandrel_z, .value = mandrel_r};
    lay(f, 50, 0, 1.2);
    f->cable.radius = 0.01;
}

/* At distance r along the normal, and Clairaut's constant on the parallel surface. */
static void a_yarn_laid_on_a_mandrel_lies_on_it(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    lay_on_mandrel(&f);
    space_scene_build(&f);
    double q[SPACE_SIZE];
    space_scene_start(&f, q);
    const haw_surface *surface = &f.model->body[0].surface;
    for (int n = 0; n <= 50; n++) {
        const double *node = space_scene_node(&f, q, n);
        haw_foot foot[HAW_FEET_MAX];
        double r[9];
        assert_true(surface->ops->feet(surface, node, 0.1, foot) >= 1);
        assert_near(foot[0].gap, 0.01, 1e-12, 0);
        quaternion_matrix(node + 3, r);
        for (int i = 0; i < 3; i++) {
            assert_near(r[3 * i + 1], foot[0].normal[i], 1e-11, 0);
        }
        const double along = r[0] * foot[0].tangent[0] + r[3] * foot[0].tangent[1];
        assert_near(hypot(node[0], node[1]) * along, 0.36 * sin(50 * pi / 180), 1e-9, 0);
    }
    assert_int_equal(f.model->pair[0].feet, HAW_FEET_MAX);
    space_scene_close(&f);
}

static haw_status attempt(haw_context *context, void *user)
{
    space_scene *f = user;
    haw_model *model = NULL;
    haw_state *state = NULL;
    haw_status status = haw_model_build(context, &f->scene, &model);
    if (status == HAW_OK) {
        status = haw_state_create(context, model, &state);
    }
    haw_state_free(context, state);
    haw_model_free(model);
    return status;
}

static void running_out_of_memory_is_told(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    lay_on_mandrel(&f);
    f.cable.reference = HAW_REFERENCE_DRAWN;
    assert_true(failing_loop(attempt, &f) > 3);
    space_scene_close(&f);
}

TEST_FILE(test_space_start)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drawn_reference_has_no_stress),
        cmocka_unit_test(a_drawn_reference_of_ancf_has_no_stress),
        cmocka_unit_test(a_tension_comes_on_top_of_a_drawn_reference),
        cmocka_unit_test(an_arc_has_its_curvature),
        cmocka_unit_test(a_yarn_laid_on_a_cylinder_follows_the_closed_form),
        cmocka_unit_test(a_yarn_laid_on_a_cone_follows_the_closed_form),
        cmocka_unit_test(a_yarn_laid_on_a_mandrel_lies_on_it),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
