/* SPDX-License-Identifier: BSD-3-Clause */
/* `contact`: which two things touch, and how. */
#include "law/law.h"
#include "model/model.h"
#include "scenario/grammar.h"
#include "shape/surface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LAW_SIZE = 64 };

/* ---- between: [name, name] ---- */

/* A cable, or all whose names begin with what stands before a last '*'. */
static bool names_cables(const haw_reader *reader, const char *name)
{
    const haw_scene *scene = &reader->scenario->scene;
    const size_t length = strlen(name);
    bool any = haw_scene_find_cable(scene, name) != NULL;
    for (int i = 0; i < scene->cables && length > 1 && name[length - 1] == '*'; ++i) {
        any = any || (scene->cable[i].name != NULL &&
                      strncmp(scene->cable[i].name, name, length - 1) == 0);
    }
    return any;
}

static void refuse_name(haw_reader *reader, const haw_yaml_node *node, const char *name)
{
    const size_t length = strlen(name);
    if (length > 1 && name[length - 1] == '*' && !reader->names_lost) {
        haw_read_error(reader, node,
                       "no cable has a name that begins with '%.*s' (a pattern stands for cables; "
                       "bodies have a pair each)",
                       (int)length - 1, name);
    } else {
        haw_read_unknown_name(reader, node, name);
    }
}

/* A cable and a surface, two surfaces of which one can act as a point with a radius, or two cables,
 * which may be one. */
static void check_owners(haw_reader *reader, const haw_yaml_node *node,
                         const haw_contact_spec *contact)
{
    const int dimension = haw_read_dimension(reader);
    const haw_body_spec *body[2];
    int cables = 0;
    bool can_touch = false;
    const haw_yaml_node *item = node->first;
    for (int i = 0; i < 2; ++i, item = item->next) {
        body[i] = haw_scene_find_body(&reader->scenario->scene, contact->between[i]);
        if (body[i] == NULL && !names_cables(reader, contact->between[i])) {
            refuse_name(reader, item, contact->between[i]);
            return;
        }
        const haw_row *surface =
            body[i] != NULL ? haw_row_find(haw_surfaces_in(dimension), body[i]->shape) : NULL;
        cables += body[i] == NULL ? 1 : 0;
        if (body[i] != NULL && surface == NULL) {
            haw_read_error(reader, item, "body '%s' has no shape that can touch anything",
                           contact->between[i]);
            return;
        }
        can_touch =
            can_touch || (surface != NULL && ((const haw_surface_ops *)surface)->corners > 0);
    }
    if (strcmp(contact->between[0], contact->between[1]) == 0 && cables < 2) {
        haw_read_error(reader, node, "a body touches others only");
    } else if (cables == 0 && !can_touch) {
        haw_read_error(reader, node, "contact between two bodies needs a %s",
                       haw_body_kind_find(dimension)->proxy);
    }
}

static void check_repeated(haw_reader *reader, const haw_yaml_node *node,
                           const haw_contact_spec *contact)
{
    const char *const *names = contact->between;
    const haw_contact_spec *earlier = reader->scenario->scene.contact;
    for (; earlier != contact; ++earlier) {
        const char *const *other = earlier->between;
        if (other[0] != NULL &&
            ((strcmp(other[0], names[0]) == 0 && strcmp(other[1], names[1]) == 0) ||
             (strcmp(other[0], names[1]) == 0 && strcmp(other[1], names[0]) == 0))) {
            haw_read_error(reader, node, "the contact %s-%s is already defined", names[0],
                           names[1]);
            return;
        }
    }
}

static void read_between(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_contact_spec *contact = value;
    if (!haw_read_kind(reader, node, node->key->text, HAW_YAML_LIST)) {
        return;
    }
    if (node->count != 2) {
        haw_read_error(reader, node, "'between' must be a list of 2 names (got %d)", node->count);
        return;
    }
    const char *first = haw_read_text(reader, node->first, "name");
    const char *second = haw_read_text(reader, node->last, "name");
    if (first == NULL || second == NULL) {
        return;
    }
    contact->between[0] = first;
    contact->between[1] = second;
    check_owners(reader, node, contact);
    check_repeated(reader, node, contact);
}

static void write_between(haw_resolve *out, const void *contact)
{
    haw_resolve_texts(out, 2, ((const haw_contact_spec *)contact)->between);
}

static const haw_form between_form = {
    read_between, write_between,
    .schema = "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": "
              "\"string\"}",
    .word = "list"};

/* ---- laws: their names are checked whatever the law, a typo must not hide behind `hard` ---- */

static const haw_names law_names = {"contact law", .table = {{haw_laws}}};
static const haw_names normal_names = {"normal law", .table = {{haw_normal_laws}}};
/* coulomb is set-valued: what law: hard has */
static const haw_names friction_names = {"friction law", .table = {{haw_friction_laws}},
                                         .first = "coulomb"};

/* ---- what the law needs ---- */

static bool is_word(const char *text, const char *word)
{
    return text != NULL && strcmp(text, word) == 0;
}

/* Numbers that a compliant law cannot do without. */
static void check_needs(haw_reader *reader, const haw_yaml_node *node,
                        const haw_contact_spec *contact, const char *const *needs, const char *law)
{
    while (*(needs = haw_contact_missing(needs, contact)) != NULL) {
        haw_read_error(reader, node, "missing required key '%s' in a contact with %s", *needs++,
                       law);
    }
}

static void check_friction(haw_reader *reader, const haw_yaml_node *node,
                           const haw_contact_spec *contact)
{
    static const char *const two_needs[] = {"stribeck_velocity", NULL};
    char law[LAW_SIZE];
    const haw_friction_ops *ops =
        (const haw_friction_ops *)haw_row_find(haw_friction_laws, contact->tangential);
    if (ops != NULL) {
        (void)snprintf(law, sizeof law, "friction law '%s'", contact->tangential);
        check_needs(reader, node, contact, ops->needs, law);
    } else if (contact->tangential == NULL && isnan(contact->tangential_stiffness) &&
               isnan(contact->regularization)) {
        haw_read_error(reader, node,
                       "missing required key 'tangential_stiffness' (or "
                       "'regularization_velocity') in a contact with law 'penalty' and friction");
    }
    bool is_rope = false; /* whose knots know whether they stuck: mu_s while they did, then mu_k */
    for (int i = 0; i < 2; ++i) {
        const haw_cable_spec *cable =
            haw_scene_find_cable(&reader->scenario->scene, contact->between[i]);
        is_rope = is_rope || (cable != NULL && cable->sheaves > 0);
    }
    const bool has_two =
        !isnan(contact->friction_kinetic) && contact->friction_kinetic != contact->friction;
    const bool is_asked = ops != NULL && haw_law_reads(ops->needs, two_needs[0]);
    if (has_two && !is_asked && !is_rope) {
        check_needs(reader, node, contact, two_needs, "'friction_kinetic'");
    }
}

static void check_penalty(haw_reader *reader, const haw_yaml_node *node,
                          const haw_contact_spec *contact)
{
    const haw_normal_ops *normal =
        (const haw_normal_ops *)haw_row_find(haw_normal_laws, contact->normal);
    if (normal != NULL) {
        check_needs(reader, node, contact, normal->needs, "law 'penalty'");
    }
    if (is_word(contact->tangential, "coulomb")) {
        haw_read_error(reader, haw_yaml_get(node, "tangential"),
                       "friction law 'coulomb' is set-valued; it is the friction of law 'hard'");
    }
    if (contact->friction > 0) {
        check_friction(reader, node, contact);
    }
}

static void check_contact(haw_reader *reader, const haw_yaml_node *node, void *value)
{
    haw_contact_spec *contact = value;
    if (contact->refine == HAW_REFINE_MINIMA && haw_read_dimension(reader) != 2) {
        haw_read_error(reader, haw_yaml_get(node, "refine"), "'refine: minima' needs dimension: 2");
    }
    if (is_word(contact->law, "penalty")) {
        check_penalty(reader, node, contact);
    } else if (is_word(contact->law, "hard")) {
        contact->tangential = NULL; /* a friction law of penalty: one --set changes the law */
    }
}

static void init_contact(const haw_reader *reader, void *contact)
{
    (void)reader;
    *(haw_contact_spec *)contact = haw_contact_spec_default();
}

#define AT(field) offsetof(haw_contact_spec, field)
static const haw_key contact_keys[] = {
    {"between", &between_form, .flags = HAW_KEY_REQUIRED,
     .help = "names of the two partners; 'yarn-*' stands for all cables whose names begin so"},
    {.of = haw_contact_options},
    {"spacing", .excludes = "points_per_element"},
    {"law", &haw_form_name, AT(law), &law_names},
    {"normal", &haw_form_name, AT(normal), &normal_names},
    {"tangential", &haw_form_name, AT(tangential), &friction_names},
    {NULL},
};
#undef AT
static const haw_mapping contact_mapping = {"a contact", contact_keys, check_contact};
const haw_list haw_list_contacts = {
    .mapping = &contact_mapping, .item = sizeof(haw_contact_spec), .init = init_contact};
