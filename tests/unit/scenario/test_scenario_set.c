/* SPDX-License-Identifier: BSD-3-Clause */
/* `--set path=value`: what it reaches, what it makes, how it complains. */
#include "support/reading.h"

static const char text[] =
    "hawser: 1\n"
    "bodies:\n"
    "  - {name: disk, shape: {type: circle, radius: 0.1}, mass: 2.0, velocity: [3.0, 0]}\n"
    "  - {name: ground, shape: {type: plane}, motion: {fixed: true}}\n"
    "cables:\n"
    "  - {name: cable, elements: 20, from: [0, 0], to: [0, 2], stiffness: 4.0e+4, density: 0.1, "
    "tension: 400}\n"
    "contact:\n"
    "  - {between: [cable, disk], friction: 0.3}\n"
    "  - {between: [disk, ground]}\n";

/* Parse with a NULL-terminated list of settings. */
static haw_status parse(fixture *f, const char *const *set)
{
    int sets = 0;
    while (set[sets] != NULL) {
        ++sets;
    }
    haw_scenario_free(f->context, f->scenario);
    f->log = (heard){0};
    return haw_scenario_parse(f->context, "t.yaml", text, sets, set, &f->scenario);
}

static void accept(fixture *f, const char *const *set)
{
    if (parse(f, set) != HAW_OK) {
        fail_msg("%s", f->log.text);
    }
}

static void items_are_addressed_by_their_names(void **state)
{
    fixture *f = *state;
    static const char *const set[] = {"cables.cable.elements=40", "bodies.disk.velocity=[2.5, 0.6]",
                                      "bodies.disk.shape.radius=0.2", NULL};
    accept(f, set);
    assert_int_equal(f->scenario->scene.cable[0].elements, 40);
    assert_near(f->scenario->scene.body[0].velocity[0], 2.5, 0, 0);
    assert_near(f->scenario->scene.body[0].velocity[1], 0.6, 0, 0);
    assert_near(f->scenario->scene.body[0].shape_options[0], 0.2, 0, 0);
}

static void a_pair_is_addressed_by_both_names_in_either_order(void **state)
{
    fixture *f = *state;
    static const char *const set[] = {"contact.disk-cable.friction=0.5",
                                      "contact.disk-ground.restitution=0.7", NULL};
    accept(f, set);
    assert_near(f->scenario->scene.contact[0].friction, 0.5, 0, 0);
    assert_near(f->scenario->scene.contact[0].restitution, 0, 0, 0);
    assert_near(f->scenario->scene.contact[1].friction, 0, 0, 0);
    assert_near(f->scenario->scene.contact[1].restitution, 0.7, 0, 0);
}

static void a_key_of_contact_alone_is_set_in_every_pair(void **state)
{
    fixture *f = *state;
    static const char *const set[] = {"contact.friction=0.2", NULL};
    accept(f, set);
    assert_near(f->scenario->scene.contact[0].friction, 0.2, 0, 0);
    assert_near(f->scenario->scene.contact[1].friction, 0.2, 0, 0);
}

static void missing_keys_and_mappings_are_made(void **state)
{
    fixture *f = *state;
    static const char *const set[] = {"stepper.step=2.0e-5",
                                      "solver.on_unconverged=halve",
                                      "cables.cable.damping.mass=300",
                                      "cables.cable.ends.start=free",
                                      "output.probes=[disk.spin, disk.position]",
                                      "title=a: b",
                                      NULL};
    static const char *const good[] = {"title=\"a: b\"", NULL};
    assert_int_equal(parse(f, set), HAW_ERR_INPUT); /* as YAML, the title is a mapping */
    assert_non_null(strstr(f->log.text, "--set title=a: b: error: 'title' must be text"));
    accept(f, good);
    assert_string_equal(f->scenario->title, "a: b");
    const char *most[6];
    memcpy(most, set, 5 * sizeof most[0]);
    most[5] = NULL;
    accept(f, most);
    assert_near(((const haw_stepper_common *)f->scenario->run.stepper.options)->step, 2e-5, 0, 0);
    assert_int_equal(f->scenario->run.on_unconverged, HAW_UNCONVERGED_HALVE);
    assert_near(f->scenario->scene.cable[0].damping_mass, 300, 0, 0);
    assert_int_equal(f->scenario->scene.cable[0].ends[0].kind, HAW_END_FREE);
    assert_int_equal(f->scenario->scene.cable[0].ends[1].kind, HAW_END_PINNED);
    assert_int_equal(f->scenario->run.probes, 2);
    assert_string_equal(f->scenario->run.probe[0].of, "disk.spin");
}

static void the_last_setting_of_a_value_wins(void **state)
{
    fixture *f = *state;
    static const char *const set[] = {"contact.friction=0.2", "contact.cable-disk.friction=0.1",
                                      "gravity=[0, -1]", "gravity=[0, -2]", NULL};
    accept(f, set);
    assert_near(f->scenario->scene.contact[0].friction, 0.1, 0, 0);
    assert_near(f->scenario->scene.contact[1].friction, 0.2, 0, 0);
    assert_near(f->scenario->scene.gravity[1], -2, 0, 0);
}

typedef struct refused_set {
    const char *set, *said;
} refused_set;

static const refused_set refusals[] = {
    {"contact.frictoin=0.2", "--set contact.frictoin=0.2: error: unknown key 'frictoin' in a "
                             "contact; did you mean 'friction'?\n"},
    {"contact.friction=-1",
     "--set contact.friction=-1: error: 'friction' must be between 0 and 1000000000 (got -1)\n"},
    {"bodies.disc.mass=1", "--set bodies.disc.mass=1: error: no item 'disc' in 'bodies'; did you "
                           "mean 'disk'?\n"},
    {"contact.cabel-disk.friction=1", "error: no item 'cabel-disk' in 'contact'; did you mean "
                                      "'cable-disk'?\n"},
    {"bodies.disk.mass.x=1", "error: 'mass' is a single value and has no 'x'\n"},
    {"output.probes=[cable.position[1:1]]",
     "the value is not valid YAML: missing comma in flow sequence; in a list a text with brackets "
     "needs quotes: [\"rope.position[1:1]\"]\n"},
    {"bodies.disk.mass=heavy", "error: 'mass' must be a number (got 'heavy')\n"},
    {"bodies.disk.mass=", "error: 'mass' must be a number (got nothing)\n"},
    {"cables.cable.tension=[1",
     "--set cables.cable.tension=[1: error: the value is not valid YAML: "},
    {"titel=x", "error: unknown key 'titel' in a scenario; did you mean 'title'?\n"},
    {"stepper.type=moreua", "error: unknown stepper 'moreua'; did you mean 'moreau'?"},
    {"stepper.foo=1", "error: unknown key 'foo' in the stepper 'moreau'\n"},
    {"forces.f.point=1", "error: 'forces' must be a list (got a mapping): a setting changes items "
                         "that stand in the file, or is the whole list, "
                         "forces=[{key: value, ...}]\n"},
    {"hawser=2", "error: version '2' of the scenario format"},
    {"bodies=3", "error: 'bodies' must be a list (got '3')\n"},
    {"bodies.ground.motion.fixed=maybe", "error: unknown value of 'fixed' 'maybe'; did you mean"},
    {"title=%\x86P", "--set number 1: error: not a text: byte 0x86\n"},
    {"friction", "--set friction: error: a setting has the form path=value\n"},
    {"=3", "error: a setting has the form path=value\n"},
    {"bodies..mass=3", "error: a path is made of keys joined by single dots\n"},
    {"bodies.=3", "error: a path is made of keys joined by single dots\n"},
};

static void errors_name_the_setting_once_and_no_place_in_the_file(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; ++i) {
        const char *const set[] = {refusals[i].set, NULL};
        const haw_status status = parse(f, set);
        const char *said = strstr(f->log.text, refusals[i].said);
        if (status != HAW_ERR_INPUT || said == NULL || strstr(f->log.text, "t.yaml:") != NULL ||
            strstr(said + 1, refusals[i].said) != NULL) {
            fail_msg("%s: status %d, heard:\n%s", refusals[i].set, status, f->log.text);
        }
    }
}

static void a_setting_without_any_contact_is_refused(void **state)
{
    fixture *f = *state;
    static const char *const set[] = {"contact=[]", "contact.friction=0.1", NULL};
    assert_int_equal(parse(f, set), HAW_ERR_INPUT);
    assert_non_null(strstr(f->log.text, "there is no contact pair to set this in"));
    static const char bare[] =
        "hawser: 1\nbodies:\n  - {name: ball, shape: {type: circle, radius: 0.1}, mass: 1}\n";
    static const refused_set said[] = {
        {"contact.friction=0.1", "error: 'contact' must be a list (got a mapping): a setting "
                                 "changes items that stand in the file, or is the whole list, "
                                 "contact=[{key: value, ...}]\n"},
        {"friction=0.1", "error: there is no contact pair to set this in\n"},
    };
    for (size_t i = 0; i < sizeof said / sizeof said[0]; ++i) {
        haw_scenario *scenario = NULL;
        f->log = (heard){0};
        assert_int_equal(haw_scenario_parse(f->context, "t.yaml", bare, 1, &said[i].set, &scenario),
                         HAW_ERR_INPUT);
        assert_non_null(strstr(f->log.text, said[i].said));
        haw_scenario_free(f->context, scenario);
    }
}

TEST_FILE(test_scenario_set)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(items_are_addressed_by_their_names),
        FIXTURE_TEST(a_pair_is_addressed_by_both_names_in_either_order),
        FIXTURE_TEST(a_key_of_contact_alone_is_set_in_every_pair),
        FIXTURE_TEST(missing_keys_and_mappings_are_made),
        FIXTURE_TEST(the_last_setting_of_a_value_wins),
        FIXTURE_TEST(errors_name_the_setting_once_and_no_place_in_the_file),
        FIXTURE_TEST(a_setting_without_any_contact_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
