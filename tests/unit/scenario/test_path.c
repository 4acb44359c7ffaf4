/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of curves: points in the scenario and in files, helices, cables about cables. */
#include "support/failing.h"
#include "support/reading.h"

#include <stdio.h>
#include <unistd.h>

#define SPACE "hawser: 1\ndimension: 3\nstepper: {type: moreau-jean, step: 1.0e-3, end: 1}\n"
#define CABLE "name: a, element: se3, elements: 8, stiffness: 1, density: 1, radius: 1.0e-3"

typedef struct drawing {
    char path[64], text[1024];
} drawing;

static void write_points(drawing *d, const char *content)
{
    (void)snprintf(d->path, sizeof d->path, "/tmp/hawser-points-XXXXXX");
    const int handle = mkstemp(d->path);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, content, strlen(content)), (ssize_t)strlen(content));
    assert_int_equal(close(handle), 0);
}

static haw_status read_points(fixture *f, drawing *d, const char *head)
{
    (void)snprintf(d->text, sizeof d->text, "%scables: [{" CABLE ", path: [{file: '%s'}]}]\n", head,
                   d->path);
    return parse_text(f, d->text, NULL);
}

static void a_path_leads_through_the_rows_of_a_file(void **state)
{
    fixture *f = *state;
    drawing d;
    write_points(&d, "x, y, z, twist\n# a knot\n0, 0, 0, 0\n1 0 0.5 30\n\n2; 1; 0; 90\r\n");
    if (read_points(f, &d, SPACE) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    const haw_cable_spec *cable = f->scenario->scene.cable;
    assert_int_equal(cable->segments, 1);
    assert_int_equal(cable->path[0].kind, HAW_PIECE_POINTS);
    assert_int_equal(cable->path[0].points, 3);
    static const double want[] = {0, 0, 0, 0, 1, 0, 0.5, 30, 2, 1, 0, 90};
    assert_memory_equal(cable->path[0].point, want, sizeof want);
    assert_memory_equal(cable->from, want, sizeof cable->from);
    assert_near(cable->path[0].to[1], 1, 0, 0);
    char *text = NULL;
    assert_int_equal(haw_scenario_resolve(f->context, f->scenario, &text), HAW_OK);
    assert_non_null(strstr(text, "- points: [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.5, 30.0], [2.0, "
                                 "1.0, 0.0, 90.0]]"));
    haw_text_free(f->context, text);
    assert_int_equal(remove(d.path), 0);
    /* without twist; in the plane more columns than two are not read */
    write_points(&d, "0 0 7\n1 0 7\n2 1 7\n");
    assert_int_equal(read_points(f, &d, SPACE), HAW_OK);
    assert_near(f->scenario->scene.cable->path[0].point[3], 0, 0, 0);
    (void)snprintf(
        d.text, sizeof d.text,
        "hawser: 1\ncables: [{name: a, element: ancf, elements: 8, stiffness: 1, density: "
        "1, path: [{file: '%s'}]}]\nstepper: {type: moreau-jean, step: 1.0e-3, end: 1}\n",
        d.path);
    if (parse_text(f, d.text, NULL) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    assert_near(f->scenario->scene.cable->path[0].point[2], 0, 0, 0);
    assert_int_equal(remove(d.path), 0);
}

static haw_status resolve_path(haw_context *context, void *user)
{
    return resolve_text(context, user, 0, NULL);
}

static void every_failing_allocation_of_a_path_is_reported(void **state)
{
    drawing d;
    (void)state;
    write_points(&d, "0 0 7\n1 0 7\n2 1 7\n");
    (void)snprintf(d.text, sizeof d.text, SPACE "cables: [{" CABLE ", path: [{file: '%s'}]}]\n",
                   d.path);
    assert_true(failing_loop(resolve_path, d.text) > 10);
    assert_int_equal(remove(d.path), 0);
}

static void a_file_that_is_no_curve_is_refused_with_its_line(void **state)
{
    fixture *f = *state;

    static const struct {
        const char *content, *said;
    } row[] = {
        {"0 0 0\n1 0 0\n", "t.yaml:4:103: error: a curve needs at least 3 points (got 2)"},
        {"x y z\n0 0 0\n1 0 0\n1 0 0\n2 0 0\n", "line 4: the point [1, 0, 0] is that of the line "
                                                "before"},
        {"0 0 0\n1 0\n2 0 0\n", "line 2 has no column 3"},
        {"0 0 0\n1 nan 0\n2 0 0\n", "line 2: column 2 must be a finite number (got 'nan')"},
        {"0 0 0 1\n1 1 0\n2 0 0 1\n", "line 2 has no column 4"},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        drawing d;
        write_points(&d, row[i].content);
        assert_int_equal(read_points(f, &d, SPACE), HAW_ERR_INPUT);
        if (strstr(f->log.text, row[i].said) == NULL) {
            fail_msg("wanted: %s\nheard: %s", row[i].said, f->log.text);
        }
        assert_int_equal(remove(d.path), 0);
    }
    drawing d = {.path = "/tmp/hawser-no-such-file.csv"};
    assert_int_equal(read_points(f, &d, SPACE), HAW_ERR_IO);
}

static const char winding[] = SPACE
    "cables:\n"
    "  - {" CABLE ", path: [{line: [0.1, 0, 1]}, {helix: {axis: [0, 0, 1], center: [0, 0, 1],\n"
    "     radius: 0.1, turns: -2.5, lay_deg: 60}}, {line: [-0.1, 0, 3]}], from: [0.1, 0, 0],\n"
    "     twist_deg: 90}\n"
    "  - {name: b, element: se3, elements: 8, stiffness: 1, density: 1, lay: {cable: a, radius: "
    "0.02,\n     pitch: -0.3, phi_deg: 45, ramp: 0.1}}\n";

static void helices_and_cables_about_cables_survive_resolving(void **state)
{
    fixture *f = *state;
    char *text = NULL;
    if (parse_text(f, winding, NULL) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    for (int i = 0; i < 2; i++) {
        const haw_cable_spec *cable = f->scenario->scene.cable;
        const haw_path_segment *helix = &cable->path[1];
        assert_int_equal(helix->kind, HAW_PIECE_HELIX);
        assert_near(helix->turns, -2.5, 0, 0);
        assert_true(isnan(helix->pitch));
        assert_near(helix->to[0], -0.1, 1e-15, 0);
        assert_near(helix->to[2], 1 + 2.5 * 0.2 * 3.14159265358979323846 / sqrt(3), 1e-14, 0);
        assert_near(cable->twist_deg, 90, 0, 0);
        assert_string_equal(cable[1].lay.cable, "a");
        assert_near(cable[1].lay.pitch, -0.3, 0, 0);
        assert_near(cable[1].lay.ramp, 0.1, 0, 0);
        assert_int_equal(haw_scenario_resolve(f->context, f->scenario, &text), HAW_OK);
        if (i == 0 && parse_text(f, text, NULL) != HAW_OK) {
            fail_msg("%s\n%s", f->log.text, text);
        }
        haw_text_free(f->context, text);
    }
}

/* An upright hoop: its one turn ends where it starts but for rounding. */
static void a_turn_of_a_helix_closes_a_cable(void **state)
{
    fixture *f = *state;
    static const char hoop[] = SPACE
        "cables: [{" CABLE ", closed: true, from: [0.2, 0, 0.2], path: [{helix: {axis: [0, 1, 0],\n"
        "  center: [0, 0, 0.2], radius: 0.2, turns: 1, lay_deg: 90, phase_deg: 180}}]}]\n";
    if (parse_text(f, hoop, NULL) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    assert_true(f->scenario->scene.cable->closed);
}

static const refusal refusals[] = {
    {SPACE "cables: [{" CABLE ", path: [{points: [[0, 0, 0], [1, 0, 0]]}]}]\n",
     "t.yaml:4:105: error: a curve needs at least 3 points (got 2)"},
    {SPACE "cables: [{" CABLE ", path: [{points: [[0, 0, 0], [1, 0, 0], [1, 0, 0]]}]}]\n",
     "t.yaml:4:128: error: two points that follow one another are the same: [1, 0, 0]"},
    {SPACE "cables: [{" CABLE ", path: [{points: [[0, 0, 0], [1, 0, .inf], [1, 0, 2]]}]}]\n",
     "error: "},
    {SPACE "cables: [{" CABLE ", path: [{points: [[0, 0], [1, 0], [1, 2]]}]}]\n", "t.yaml:4:106: "},
    {SPACE "cables: [{" CABLE ", path: [{line: [0, 0, 1]}]}]\n",
     "error: the path needs a 'from' to start at"},
    {SPACE "cables: [{" CABLE ", from: [0, 0, 0], path: [{points: [[0, 0, 1], [1, 0, 0], [2, 0, "
           "0]]}]}]\n",
     "error: the curve does not start at the end of the path so far: it starts at [0, 0, 1], the "
     "path is at [0, 0, 0]"},
    {SPACE "cables: [{" CABLE ", path: [{helix: {axis: [0, 0, 1], center: [0, 0, 0], radius: 1, "
           "turns: 1}}]}]\n",
     "error: missing required key 'pitch' (or 'lay_deg') in a helix"},
    {SPACE "cables: [{" CABLE ", path: [{helix: {axis: [0, 0, 0], center: [0, 0, 0], radius: 1, "
           "turns: 1, pitch: 1}}]}]\n",
     "error: the axis has no direction"},
    {SPACE "cables: [{" CABLE ", path: [{helix: {axis: [0, 0, 1], center: [0, 0, 0], radius: 1, "
           "turns: 1, pitch: 1, lay_deg: 10}}]}]\n",
     "error: 'lay_deg' and 'pitch' exclude each other"},
    {SPACE "cables: [{" CABLE ", path: [{}]}]\n",
     "error: a part of a path must be one of line, arc, points, file and helix"},
    {SPACE "cables: [{" CABLE ", lay: {cable: b, angle_deg: 10}}]\n",
     "error: no cable before this one has the name 'b'"},
    {SPACE "cables: [{" CABLE ", lay: {cable: a, angle_deg: 10}}]\n",
     "error: no cable before this one has the name 'a'"},
};

static void each_mistake_in_a_path_is_told_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        check_refusal(&refusals[i]);
    }
}

/* A line ends at a tangent point that is written with six digits, 1.5e-7 of the radius off. */
static void an_arc_takes_its_last_digits_from_where_the_path_is(void **state)
{
    fixture *f = *state;
    const char *text =
        "hawser: 1\ncables: [{name: a, elements: 60, stiffness: 1, density: 1, from: "
        "[0, -0.3], path: [{line: [0.0942809, -0.0333333]}, {arc: {center: [0, 0], "
        "radius: 0.1, angle_deg: 90}}]}]\n";
    if (parse_text(f, text, NULL) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
    const haw_path_segment *arc = &f->scenario->scene.cable->path[1];
    assert_near(arc->radius, hypot(0.0942809, 0.0333333), 0, 1e-15);
    assert_near(arc->to[0], 0.0333333, 0, 1e-12);
    assert_near(arc->to[1], 0.0942809, 0, 1e-12);
}

/* A belt about two pulleys whose tangent points are written with seven digits. */
static void a_closed_path_may_miss_its_start_by_the_last_digit(void **state)
{
    fixture *f = *state;
    const char *text =
        "hawser: 1\ncables: [{name: a, elements: 160, stiffness: 1, density: 1, closed: true, "
        "from: "
        "[-0.0062500, 0.0496078], path: [{line: [0.3875000, 0.0992157]}, {arc: {center: [0.4, 0], "
        "radius: 0.1, angle_deg: -194.36151}}, {line: [-0.0062500, -0.0496078]}, {arc: {center: "
        "[0, 0], radius: 0.05, angle_deg: -165.63849}}]}]\n";
    haw_model *model = NULL;
    if (parse_text(f, text, NULL) != HAW_OK ||
        haw_model_build(f->context, &f->scenario->scene, &model) != HAW_OK) {
        fail_msg("%s%s", f->log.text, haw_context_message(f->context));
    }
    haw_model_free(model);
}

TEST_FILE(test_path)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_closed_path_may_miss_its_start_by_the_last_digit, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_path_leads_through_the_rows_of_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_no_curve_is_refused_with_its_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(helices_and_cables_about_cables_survive_resolving, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_arc_takes_its_last_digits_from_where_the_path_is, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_turn_of_a_helix_closes_a_cable, set_up, tear_down),
        cmocka_unit_test(every_failing_allocation_of_a_path_is_reported),
        cmocka_unit_test(each_mistake_in_a_path_is_told_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
