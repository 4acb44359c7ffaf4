/* SPDX-License-Identifier: BSD-3-Clause */
/* What spatial scenes may not say. */
#include "support/near.h"
#include "support/space_scene.h"

#include <stdio.h>
#include <string.h>

/* ---- refusals ---- */

static void refuse(space_scene *f, const char *place, const char *text)
{
    assert_int_equal(space_scene_try(f), HAW_ERR_INPUT);
    assert_string_equal(haw_context_place(f->context), place);
    if (strstr(haw_context_message(f->context), text) == NULL) {
        fail_msg("'%s' does not say '%s'", haw_context_message(f->context), text);
    }
    space_scene_close(f);
    space_scene_open(f);
}

static void bad_bodies_are_refused(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    f.body[0].orientation[0] = 0;
    refuse(&f, "bodies.drum.orientation", "a length other than 0");
    f.body[0].shape = "circle";
    refuse(&f, "bodies.drum.shape", "unknown shape");
    f.body[0].shape_options[0] = 0;
    refuse(&f, "bodies.drum.shape", "cylinder: radius must be");
    f.body[0].meridian_segments = 1;
    refuse(&f, "bodies.drum.shape", "no meridian");
    f.body[0].shape = "revolution";
    refuse(&f, "bodies.drum.shape", "either a meridian or a profile");
    f.body[0].motion = HAW_MOTION_FREE;
    refuse(&f, "bodies.drum.mass", "mass must be > 0");
    f.body[0].motion = HAW_MOTION_FREE;
    f.body[0].mass = 1;
    refuse(&f, "bodies.drum.inertia",
           "inertia must be > 0 (got none): give it, a bounded shape that has one, or joint: "
           "translation");
    f.body[0].joint = HAW_JOINT_REVOLUTE;
    f.body[0].motion_velocity[2].constant = 1;
    refuse(&f, "bodies.drum", "its revolute joint holds the centre");
    f.scene.dimension = 4;
    refuse(&f, "dimension", "must be 2 or 3");
    space_scene_close(&f);
}

static void bad_cables_are_refused(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    f.cable.element = "bezier-polar";
    refuse(&f, "cables.yarn.element", "there is no element 'bezier-polar' in space");
    f.cable.radius = 0;
    refuse(&f, "cables.yarn.rotary_inertia", "give a radius");
    f.cable.shear_stiffness = 0;
    refuse(&f, "cables.yarn.shear_stiffness", "must be > 0");
    f.cable.damping_torsion = -1;
    refuse(&f, "cables.yarn.damping.torsion", "must be >= 0");
    f.cable.reference_strain = -1;
    refuse(&f, "cables.yarn.reference_strain", "must be > -1 (got -1)");
    f.cable.closed = true;
    refuse(&f, "cables.yarn", "needs a path that ends at");
    f.cable.slack = true;
    refuse(&f, "cables.yarn.slack", "only stretch");
    static const haw_path_segment legs[2] = {{.to = {0.401, 1, 0}}, {.to = {2, 1, 0}}};
    f.cable.element = "ancf";
    f.cable.path = legs;
    f.cable.segments = 2;
    refuse(&f, "cables.yarn.path", "a corner needs sections that turn");
    f.cable.to[1] = 0;
    refuse(&f, "cables.yarn", "has no length");
    f.cable.tension = 3;
    refuse(&f, "cables.yarn", "either tension or length");
    space_scene_close(&f);
}

static void bad_ends_are_refused(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    f.cable.ends[0].body = "wheel";
    refuse(&f, "cables.yarn.ends", "'wheel'");
    f.cable.ends[0].kind = HAW_END_FREE;
    refuse(&f, "cables.yarn.ends", "only a pinned or clamped end rides");
    f.cable.ends[0].has_at = true;
    refuse(&f, "cables.yarn.ends", "not drawn at the point of");
    f.cable.ends[0].has_at = true;
    f.cable.ends[0].at[1] = (double)NAN;
    refuse(&f, "cables.yarn.ends", "not drawn at the point of");
    f.cable.ends[0].tension.constant = 1;
    refuse(&f, "cables.yarn.ends", "only where its position is not held");
    f.cable.ends[1].guide[0] = HAW_GUIDE_POSITION;
    refuse(&f, "cables.yarn.ends", "the x of an end is drawn at 0.401 m");
    f.cable.ends[1].guide[1] = 5;
    refuse(&f, "cables.yarn.ends", "an unknown guide");
    f.cable.ends[1].velocity[2].constant = (double)NAN;
    f.cable.ends[1].velocity[2].count = 0;
    refuse(&f, "cables.yarn.ends", "finite");
    space_scene_close(&f);
}

static void bad_lays_are_refused(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    f.cable.lay.on = "wheel";
    refuse(&f, "cables.yarn.lay.body", "no body has this name");
    f.cable.lay.on = "drum";
    f.cable.length = (double)NAN;
    refuse(&f, "cables.yarn.lay.body", "length is missing");
    f.cable.lay.on = "drum";
    f.cable.lay.slip = (double)INFINITY;
    refuse(&f, "cables.yarn.lay.slip", "must be a finite number");
    f.cable.lay.on = "drum";
    f.body[0].shape = "plane";
    refuse(&f, "cables.yarn.lay.body", "not a smooth surface of revolution");
    for (int k = 0; k < 3; k++) { /* to the pole, from it, from beyond it */
        f.body[0].shape = "sphere";
        f.cable.lay.on = "drum";
        f.cable.length = 4 * f.body[0].shape_options[0];
        f.cable.lay.angle_deg = 0;
        f.cable.lay.z = 0.5 * (k + 1) * f.body[0].shape_options[0];
        refuse(&f, "cables.yarn.lay.body", "to a pole");
    }
    space_scene_close(&f);
}

static void bad_pairs_are_refused(void **unused)
{
    (void)unused;
    static const char place[] = "contact.yarn-drum.";
    space_scene f;
    char text[100];
    space_scene_open(&f);

    const struct {
        int proxy, points, refine;
        double offset;
        const char *law, *key, *says;
    } row[] = {
        {0, 1, HAW_REFINE_LIFTOFF, 0, "penalty", "law", "an even grid"},
        {HAW_PROXY_MORTAR, 4, 0, 0, "penalty", "proxy", "presses every point"},
        {HAW_PROXY_MORTAR, 1, 0, 0, "hard", "points_per_element", "at least 2"},
        {HAW_PROXY_MORTAR, 4, HAW_REFINE_LIFTOFF, 0, "hard", "refine", "points and capsules"},
        {HAW_PROXY_MORTAR, 4, HAW_REFINE_CONTACT, 0, "hard", "refine", "points and capsules"},
        {0, 1, HAW_REFINE_MINIMA, 0, "hard", "refine", "in the plane only"},
        {0, 1, 0, 0.1, "hard", "offset", "in the plane only"},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        f.contact.proxy = row[i].proxy;
        f.contact.points_per_element = row[i].points;
        f.contact.refine = row[i].refine;
        f.contact.offset = row[i].offset;
        f.contact.law = row[i].law;
        (void)snprintf(text, sizeof text, "%s%s", place, row[i].key);
        refuse(&f, text, row[i].says);
    }
    f.cable.radius = 0;
    for (int i = 0; i < 3; i++) {
        f.cable.rotary_inertia[i] = 1e-9;
    }
    refuse(&f, "cables.yarn.radius", "needs a radius for contact");
    static const double z[5] = {-0.02, -0.01, 0, 0.01, 0.02};
    static const double r[5] = {0.41, 0.4025, 0.4, 0.4025, 0.41}; /* 0.4 + 25 z^2: 1 / 50 m */
    f.body[0].shape = "revolution";
    f.body[0].profile = (haw_function){.count = 5, .time = z, .value = r};
    f.cable.radius = 0.021;
    refuse(&f, "cables.yarn.radius", "does not fit into the hollow");
    f.cable.elements = 5;
    refuse(&f, "contact.yarn-drum.points_per_element", "above the radius");
    space_scene_close(&f);
}

/* A grid is too coarse for the thinner of two cables, whichever is named first. */
static void the_cable_whose_radius_counts_is_named(void **unused)
{
    (void)unused;
    space_scene f;
    space_scene_open(&f);
    for (int i = 0; i < 2; i++) {
        haw_cable_spec cable[2] = {f.cable, f.cable};
        cable[i].radius = 1e-3;
        cable[1 - i].radius = 0.1;
        cable[0].elements = cable[1].elements = 5;
        cable[1].name = "rope";
        f.contact.between[1] = "rope";
        f.scene.cables = 2;
        f.scene.cable = cable;
        refuse(&f, "contact.yarn-rope.points_per_element",
               i == 0 ? "the radius 0.001 m of 'yarn'" : "the radius 0.001 m of 'rope'");
    }
    space_scene_close(&f);
}

TEST_FILE(test_space_refused)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_bodies_are_refused),
        cmocka_unit_test(bad_cables_are_refused),
        cmocka_unit_test(bad_ends_are_refused),
        cmocka_unit_test(bad_lays_are_refused),
        cmocka_unit_test(bad_pairs_are_refused),
        cmocka_unit_test(the_cable_whose_radius_counts_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
