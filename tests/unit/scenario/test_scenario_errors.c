/* SPDX-License-Identifier: BSD-3-Clause */
/* Every class of error once: what is said and where. */
#include "support/reading.h"

#include <stdio.h>

/* Line 1 and the parts of line 2 and 3 that most cases do not care about. */
#define HEAD "hawser: 1\n"
#define BODY "bodies: [{name: disk, shape: {type: circle, radius: 0.1}, mass: 2}]\n"
#define CABLE                                                                                      \
    "{name: c, elements: 4, from: [0, 0], to: [0, 1], stiffness: 1, density: 1, tension: 1}"

static const refusal refusals[] = {
    /* the file as a whole */
    {"", "t.yaml: error: the file is empty; a scenario starts with 'hawser: 1'"},
    {"# nothing\n", "t.yaml: error: the file is empty"},
    {"- hawser\n", "t.yaml:1:1: error: a scenario is a mapping that starts with 'hawser: 1'"},
    {"hawser\n", "t.yaml:1:1: error: a scenario is a mapping"},
    {"title: x\n", "t.yaml:1:1: error: missing required key 'hawser'"},
    {"hawser: 2\n", "t.yaml:1:9: error: version '2' of the scenario format is not supported"},
    {"hawser: 1\n", "t.yaml:1:1: error: a scenario needs a body or a cable"},
    {"a: 1\x01\n", "t.yaml:1:5: error: not a text file: byte 0x01"},
    {"a: \xFF\xFE\n", "t.yaml:1:4: error: not a text file: byte 0xFF"},
    {HEAD "---\nhawser: 1\n", "t.yaml: error: expected one YAML document, found more"},
    /* the syntax of YAML */
    {HEAD "title: [a, b\n", "t.yaml:3:1: error: flow sequence without a closing bracket"},
    {"\thawser: 1\n", "t.yaml:1:1: error: invalid tab"},
    {HEAD "title: a\ntitle: b\n", "t.yaml:3:1: error: duplicate key 'title'\ntitle: b\n^~~~~\n"},
    {HEAD "title: *a\n" BODY, "t.yaml:2:8: error: no value is marked by the anchor of this alias"},
    {HEAD "title: &a [*a]\n" BODY,
     "t.yaml:2:12: error: aliases stand within each other too deeply"},
    {HEAD "title: !!str x\n", "t.yaml:2:14: error: tags are not part of the format"},
    {HEAD "? [a]\n: b\n", "t.yaml:2:3: error: a key must be a word"},
    {HEAD "title: \"a\\0b\"\n", "t.yaml:2:8: error: text contains a zero byte"},
    {"%YAML 9.9\n---\nhawser: 1\n", "t.yaml: error: unsupport"},
    /* keys */
    {HEAD "titel: x\n" BODY,
     "t.yaml:2:1: error: unknown key 'titel' in a scenario; did you mean 'title'?\n"
     "titel: x\n^~~~~\n"},
    {HEAD "bodies:\n  - {name: a, mass: 1, inertia: 1, frobnicate: 2}\n",
     "t.yaml:3:36: error: unknown key 'frobnicate' in a body\n"},
    {HEAD "cables: [" CABLE ", {nam: d}]\n",
     "error: unknown key 'nam' in a cable; did you mean 'name'?"},
    {HEAD "cables:\n  - {name: c}\n",
     "t.yaml:3:5: error: missing required key 'stiffness' in a cable"},
    {HEAD "cables:\n  - {name: c}\n",
     "error: missing required key 'from' (or 'path', 'reeving') in a cable"},
    {HEAD "cables:\n  - {name: c}\n", "error: missing required key 'elements' in a cable"},
    {HEAD "cables:\n  - {name: c}\n",
     "error: missing required key 'to' (or 'path', 'reeving', 'closed') in a cable"},
    {HEAD "cables:\n  - {name: c, dampin: {mass: 3}}\n", "did you mean 'damping'?"},
    {HEAD "cables:\n  - {name: c, damping: {mas: 3}}\n",
     "t.yaml:3:25: error: unknown key 'mas' in damping; did you mean 'mass'?"},
    {HEAD "cables:\n  - {name: c, damping: 3}\n",
     "t.yaml:3:24: error: 'damping' must be a mapping (key: value) (got '3')"},
    /* types and ranges */
    {HEAD "bodies: {name: disk}\n", "t.yaml:2:9: error: 'bodies' must be a list (got a mapping)"},
    {HEAD "bodies: [disk]\n", "t.yaml:2:10: error: 'an entry of 'bodies'' must be a mapping"},
    {HEAD "bodies:\n  - {name: a, mass: -2}\n",
     "t.yaml:3:21: error: 'mass' must be > 0 kg (got -2)\n  - {name: a, mass: -2}\n"
     "                    ^~\n"},
    {HEAD "bodies:\n  - {name: a, mass: heavy}\n",
     "t.yaml:3:21: error: 'mass' must be a number (got 'heavy')"},
    {HEAD "bodies:\n  - {name: a, mass: \"2\"}\n",
     "t.yaml:3:21: error: 'mass' must be a number (got the text '2')"},
    {HEAD "bodies:\n  - {name: a, mass: }\n",
     "t.yaml:3:15: error: 'mass' must be a number (got nothing)"},
    {HEAD "bodies:\n  - {name: a, mass: .nan}\n",
     "t.yaml:3:21: error: 'mass' must be a finite number (got '.nan')"},
    {HEAD "gravity: [0, -.inf]\n", "t.yaml:2:14: error: 'gravity' must be a finite number"},
    {HEAD "gravity: [0, 1e999]\n", "t.yaml:2:14: error: 'gravity' is out of the range of numbers"},
    {HEAD "gravity: [0, 0x10]\n", "t.yaml:2:14: error: 'gravity' must be a number (got '0x10')"},
    {HEAD "gravity: [0]\n",
     "t.yaml:2:10: error: 'gravity' must be a list of 2 numbers (got a list of 1)"},
    {HEAD "gravity: 9.81\n", "error: 'gravity' must be a list of 2 numbers (got '9.81')"},
    {HEAD "start: statik\n", "t.yaml:2:8: error: unknown word 'statik' for 'start'; did you mean"},
    {HEAD "start: {lock: 3}\n", "t.yaml:2:8: error: missing required key 'type' in 'start'"},
    {HEAD "title: [a]\n", "t.yaml:2:8: error: 'title' must be text (got a list)"},
    {HEAD "cables:\n  - {name: c, elements: 2.5}\n",
     "t.yaml:3:25: error: 'elements' must be a whole number between 1 and 1000000 (got 2.5)"},
    {HEAD "cables:\n  - {name: c, slack: yes}\n",
     "t.yaml:3:22: error: 'slack' must be true or false (got 'yes')"},
    {HEAD "cables:\n  - {name: c, gauss_points: 2}\n", "error: 'gauss_points' must be"},
    {HEAD "cables:\n  - {name: c, density: 0}\n", "error: 'density' must be > 0 kg/m (got 0)"},
    {HEAD "cables:\n  - {name: c, element: besier}\n",
     "t.yaml:3:24: error: unknown element 'besier'; did you mean 'bezier'?"},
    /* names */
    {HEAD "bodies:\n  - {mass: 1}\n", "t.yaml:3:5: error: missing required key 'name'"},
    {HEAD "bodies:\n  - {name: a b}\n", "t.yaml:3:12: error: a name is made of up to 60 letters"},
    {HEAD "bodies:\n  - {name: contact}\n", "error: the name 'contact' is reserved"},
    {HEAD "bodies:\n  - {name: a}\n  - {name: a}\n",
     "t.yaml:4:12: error: the name 'a' is already taken"},
    /* bodies */
    {HEAD "bodies:\n  - {name: a, type: soft}\n",
     "t.yaml:3:21: error: unknown type 'soft' (known: rigid)"},
    {HEAD "bodies:\n  - {name: a}\n", "t.yaml:3:5: error: missing required key 'mass' in a body"},
    {HEAD "bodies:\n  - {name: a, mass: 1}\n", "error: missing required key 'inertia'"},
    {HEAD "bodies:\n  - {name: a, mass: 1, shape: {type: plane}}\n",
     "error: missing required key 'inertia'"},
    {HEAD "bodies:\n  - {name: a, shape: {radius: 1}}\n",
     "t.yaml:3:22: error: missing required key 'type' in 'shape'"},
    {HEAD "bodies:\n  - {name: a, shape: {type: circel}}\n",
     "t.yaml:3:29: error: unknown shape 'circel'; did you mean 'circle'?"},
    {HEAD "bodies:\n  - {name: a, shape: {type: circle}}\n",
     "t.yaml:3:22: error: missing required key 'radius' in the shape 'circle'"},
    {HEAD "bodies:\n  - {name: a, motion: {spin: fast}}\n",
     "t.yaml:3:30: error: 'spin' must be a number (got 'fast')"},
    {HEAD "bodies:\n  - {name: a, motion: {}}\n",
     "error: missing required key 'fixed' (or 'spin', 'velocity') in a motion"},
    {HEAD "bodies:\n  - {name: a, motion: {fixed: true, spin: 3}}\n",
     "t.yaml:3:37: error: 'fixed' and 'spin' exclude each other"},
    {HEAD "bodies:\n  - {name: a, motion: {fixed: true}, spin: 3}\n",
     "t.yaml:3:44: error: the motion prescribes the spin of this body"},
    /* functions of time */
    {HEAD "bodies:\n  - {name: a, motion: {spin: {table: [[0, 0], [0, 1]]}}}\n",
     "t.yaml:3:47: error: times of a table must ascend (got 0 after 0)"},
    {HEAD "bodies:\n  - {name: a, motion: {spin: {table: [[0, 0]]}}}\n",
     "t.yaml:3:38: error: a table needs at least 2 rows (got 1)"},
    {HEAD "bodies:\n  - {name: a, motion: {spin: {ramp: cosine}}}\n",
     "t.yaml:3:30: error: missing required key 'table' in 'spin'"},
    {HEAD "bodies:\n  - {name: a, motion: {spin: {table: [[0, 0], [1, 1]], ramp: sine}}}\n",
     "error: unknown word 'sine' for 'ramp'"},
    {HEAD "bodies:\n  - {name: a, motion: {velocity: 3}}\n",
     "t.yaml:3:34: error: 'velocity' must be a list of 2 functions of time"},
    {"hawser: 1\ndimension: 3\nbodies:\n  - {name: a, joint: translation, spins: [0, 1, 0]}\n",
     "t.yaml:4:42: error: the translation joint holds the angle of this body; remove 'spins'"},
    /* cables */
    {HEAD "cables:\n  - {name: c, tension: 1, length: 2}\n",
     "t.yaml:3:27: error: 'tension' and 'length' exclude each other"},
    {"hawser: 1\nbodies: [{name: b, mass: 1}]\ncables:\n"
     "  - {element: arc1d, stiffness: 1, density: 1, reeving: [{body: b}], closed: true}\n",
     "t.yaml:4:70: error: 'reeving' and 'closed' exclude each other"},
    {HEAD "cables:\n  - {name: c, from: [1, 2], to: [1, 2]}\n",
     "t.yaml:3:33: error: 'from' and 'to' are the same point"},
    {HEAD "cables:\n  - {name: c, from: [0, 0], path: [{line: [0, 0]}]}\n",
     "error: this line has no length"},
    {HEAD "cables:\n  - name: c\n    from: [0, 0]\n"
          "    path: [{arc: {center: [1, 0], radius: 1.001, angle_deg: 9}}]\n",
     "t.yaml:5:18: error: the arc does not start at the end of the path so far: [0, 0] is 1 m from "
     "its "
     "centre, the radius is 1.001 m"},
    {HEAD "cables:\n  - {name: c, from: [0, 0], path: [{arc: {center: [1, 0]}}]}\n",
     "error: missing required key 'radius' in an arc"},
    {HEAD "cables:\n  - {name: c, from: [0, 0], path: [{spline: 3}]}\n",
     "error: unknown key 'spline' in a part of a path"},
    {HEAD "cables:\n  - {name: c, ends: {start: clampt}}\n",
     "t.yaml:3:29: error: unknown end of a cable 'clampt'; did you mean 'clamped'? (known: pinned, "
     "free, clamped)"},
    {HEAD "cables:\n  - {name: c, ends: {start: {motion: {spin: 3}}}}\n",
     "error: unknown key 'spin' in the motion of an end"},
    /* contacts */
    {HEAD BODY "contact:\n  - {friction: 0.3}\n",
     "t.yaml:4:5: error: missing required key 'between' in a contact"},
    {HEAD BODY "contact:\n  - {between: [disk]}\n", "error: 'between' must be a list of 2 names"},
    {HEAD BODY "cables: [" CABLE "]\ncontact:\n  - {between: [c, dsk]}\n",
     "t.yaml:5:19: error: no body or cable is named 'dsk'; did you mean 'disk'?"},
    {HEAD BODY "contact:\n  - {between: [disk, disk]}\n", "error: a body touches others only"},
    {HEAD "bodies: [{name: a, mass: 1, inertia: 1}]\ncables: [" CABLE
          "]\ncontact: [{between: [a, c]}]\n",
     "t.yaml:4:22: error: body 'a' has no shape that can touch anything"},
    {HEAD BODY "cables: [" CABLE "]\ncontact: [{between: [c, disk]}, {between: [disk, c]}]\n",
     "t.yaml:4:43: error: the contact disk-c is already defined"},
    {HEAD BODY "contact:\n  - {between: [disk, c], law: soft}\n",
     "t.yaml:4:31: error: unknown contact law 'soft' (known: hard, penalty)"},
    {HEAD BODY "contact:\n  - {between: [disk, c], friction: -0.3}\n",
     "t.yaml:4:36: error: 'friction' must be between 0 and 1000000000 (got -0.3)"},
    {HEAD BODY "contact:\n  - {between: [disk, c], restitution: 1.5}\n",
     "error: 'restitution' must be between 0 and 1 (got 1.5)"},
    {HEAD BODY "contact:\n  - {between: [disk, c], points_per_element: 2, spacing: 0.1}\n",
     "t.yaml:4:49: error: 'points_per_element' and 'spacing' exclude each other"},
    /* how to run */
    {HEAD BODY "stepper: {type: moreua}\n",
     "t.yaml:3:17: error: unknown stepper 'moreua'; did you mean 'moreau'?"},
    {HEAD BODY "stepper: {type: moreau, rho_infinty: 1}\n",
     "t.yaml:3:25: error: unknown key 'rho_infinty' in the stepper 'moreau'; did you mean "
     "'rho_infinity'?"},
    {HEAD BODY "stepper: {type: moreau, step: 0}\n",
     "t.yaml:3:31: error: 'step' must be > 0 s or 'auto' (got 0)"},
    {HEAD BODY "stepper: {type: static, theta: x}\n",
     "t.yaml:3:32: error: 'theta' must be a number (got 'x')"},
    {HEAD BODY "solver: {type: pgs, frobnicate: 1}\n",
     "t.yaml:3:21: error: unknown key 'frobnicate' in the solver 'pgs'"},
    {HEAD BODY "solver: {type: pgs, on_unconverged: halt}\n",
     "error: unknown word 'halt' for 'on_unconverged'"},
    {HEAD BODY "output: {every: 0}\n", "t.yaml:3:17: error: 'every' must be > 0 s (got 0)"},
    {HEAD BODY "output: {probes: disk.spin}\n",
     "t.yaml:3:18: error: 'probes' must be a list (got 'disk.spin')"},
};

static void each_class_of_error_is_told_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; ++i) {
        check_refusal(&refusals[i]);
    }
}

static haw_status refuse(fixture *f, const char *text)
{
    haw_scenario *scenario = NULL;
    const haw_status status = haw_scenario_parse(f->context, "t.yaml", text, 0, NULL, &scenario);
    haw_scenario_free(f->context, scenario);
    return status;
}

static void all_errors_are_told_at_once_and_counted(void **state)
{
    fixture *f = *state;
    assert_int_equal(refuse(f, HEAD "titel: x\ngravity: 3\nbodies: [{name: a, mass: -1, "
                                    "inertia: 1}]\noutput: {every: 0}\n"),
                     HAW_ERR_INPUT);
    assert_int_equal(f->log.count, 4);
    assert_string_equal(haw_context_message(f->context), "t.yaml: 4 errors, the first in line 2");
}

/* A misspelt key is told once: what it was meant for is not missing as well. */
static void one_wrong_key_is_one_error(void **state)
{
    fixture *f = *state;
    static const char *const wrong[][2] = {
        {"stifness: 1", "'stifness' in a cable; did you mean 'stiffness'?"},
        {"EA: 1", "'EA' in a cable; did you mean 'stiffness'?"},
        {"stiffness: 1,0e4", "'0e4' in a cable; a comma separates keys, decimals stand behind a"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        (void)snprintf(text, sizeof text,
                       "hawser: 1\ncables: [{name: c, elements: 4, from: [0, 0], to: [0, 1], %s, "
                       "density: 1}]\n",
                       wrong[i][0]);
        assert_int_equal(parse_text(f, text, NULL), HAW_ERR_INPUT);
        assert_non_null(strstr(f->log.text, wrong[i][1]));
        assert_null(strstr(f->log.text, "missing required key"));
    }
}

static void after_fifty_errors_the_rest_is_only_counted(void **state)
{
    fixture *f = *state;
    char text[4000] = HEAD "bodies:\n";
    for (int i = 0; i < 100; ++i) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "  - {name: b%d, mass: 0, inertia: 1}\n", i);
    }
    assert_int_equal(refuse(f, text), HAW_ERR_INPUT);
    assert_int_equal(f->log.count, 51);
    assert_non_null(strstr(haw_context_message(f->context), "100 errors"));
}

static void the_excerpt_of_a_long_line_is_cut_around_the_place(void **state)
{
    fixture *f = *state;
    char text[1000];
    (void)snprintf(text, sizeof text, HEAD "title: \"%300s\"\ngravity: [%300s, 0]\n" BODY, "x",
                   "y");
    assert_int_equal(refuse(f, text), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "t.yaml:3:310: error: 'gravity' must be a number (got 'y')"
                                        "\n...   "));
    const char *caret = strrchr(f->log.text, '^');
    const char *line = strrchr(f->log.text, 'y');
    assert_true(caret != NULL && line != NULL);
    /* same column: both lines begin behind a line feed */
    const char *caret_line = caret, *text_line = line;
    while (caret_line[-1] != '\n') {
        --caret_line;
    }
    while (text_line[-1] != '\n') {
        --text_line;
    }
    assert_int_equal(caret - caret_line, line - text_line);
}

static void columns_count_characters_not_bytes(void **state)
{
    fixture *f = *state;
    assert_int_equal(refuse(f, HEAD "bodies: [{name: \xC3\xA9, mass: 1, inertia: 1}]\n"),
                     HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "t.yaml:2:17: error: a name"));
    assert_int_equal(refuse(f, HEAD "? \xC3\xA9\xC3\xA9\n: [x, *y]\n"), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "t.yaml:3:7: error: no value"));
}

/* Nine lines for 10^9 values. */
static void aliases_have_a_bound(void **state)
{
    fixture *f = *state;
    char text[2000] = HEAD "x0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (int i = 1; i < 9; i++) {
        const size_t used = strlen(text);
        const int j = i - 1;
        (void)snprintf(text + used, sizeof text - used,
                       "x%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n",
                       i, i, j, j, j, j, j, j, j, j, j, j);
    }
    assert_int_equal(refuse(f, text), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "the aliases stand for more than 100000 values"));
}

static void deep_nesting_is_refused(void **state)
{
    fixture *f = *state;
    static char text[300000];
    memset(text, '[', sizeof text - 1);
    assert_int_equal(refuse(f, text), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "t.yaml:1:1001: error: nested too deeply"));
    text[500] = '\0';
    assert_int_equal(refuse(f, text), HAW_ERR_INPUT);
    assert_int_equal(f->log.count, 2);
}

static void files_that_cannot_be_read_are_told_from_bad_ones(void **state)
{
    fixture *f = *state;
    haw_scenario *scenario = NULL;
    assert_int_equal(haw_scenario_read(f->context, "no/such.yaml", 0, NULL, &scenario), HAW_ERR_IO);
    assert_string_equal(haw_context_message(f->context),
                        "cannot read 'no/such.yaml': No such file or directory");
    assert_int_equal(haw_scenario_read(f->context, "/", 0, NULL, &scenario), HAW_ERR_IO);
    assert_null(scenario);
}

static void zero_bytes_and_huge_files_are_refused(void **state)
{
    fixture *f = *state;
    haw_scenario *scenario = NULL;
    char name[] = "/tmp/hawser-test-XXXXXX";
    const int handle = mkstemp(name);
    FILE *file = fdopen(handle, "wb");
    assert_non_null(file);
    static const char zero[8192];
    assert_int_equal(fwrite(zero, 1, 100, file), 100);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(haw_scenario_read(f->context, name, 0, NULL, &scenario), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(f->context), "is not a text file"));
    for (int i = 0; i < 1200; ++i) {
        assert_int_equal(fwrite(zero, 1, sizeof zero, file), sizeof zero);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(haw_scenario_read(f->context, name, 0, NULL, &scenario), HAW_ERR_INPUT);
    assert_non_null(strstr(haw_context_message(f->context), "more than 4 MiB"));
    assert_int_equal(remove(name), 0);
}

TEST_FILE(test_scenario_errors)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_of_error_is_told_with_its_place),
        FIXTURE_TEST(one_wrong_key_is_one_error),
        FIXTURE_TEST(all_errors_are_told_at_once_and_counted),
        FIXTURE_TEST(after_fifty_errors_the_rest_is_only_counted),
        FIXTURE_TEST(the_excerpt_of_a_long_line_is_cut_around_the_place),
        FIXTURE_TEST(columns_count_characters_not_bytes),
        FIXTURE_TEST(aliases_have_a_bound),
        FIXTURE_TEST(deep_nesting_is_refused),
        FIXTURE_TEST(files_that_cannot_be_read_are_told_from_bad_ones),
        FIXTURE_TEST(zero_bytes_and_huge_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
