/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/reeving.h"

const haw_row *rope_kind(int k)
{
    for (int i = 0; haw_cables[i] != NULL; i++) {
        if (((const haw_cable_ops *)haw_cables[i])->is_reeved && k-- == 0) {
            return haw_cables[i];
        }
    }
    return NULL;
}

haw_body_spec reeving_sheave(const char *name, double x, double y, double radius)
{
    haw_body_spec body = haw_body_spec_default();
    body.name = name;
    body.shape = "circle";
    body.shape_options[0] = radius;
    body.mass = 40;
    body.position[0] = x;
    body.position[1] = y;
    return body;
}

static haw_contact_spec reeving_contact(const char *sheave)
{
    haw_contact_spec contact = haw_contact_spec_default();
    contact.between[0] = "rope";
    contact.between[1] = sheave;
    contact.law = "penalty";
    contact.normal_stiffness = 3e8;
    contact.tangential_stiffness = 1e7;
    contact.tangential_damping = 0;
    contact.friction = 0.2;
    contact.per = HAW_PER_LENGTH;
    return contact;
}

void reeving_init(reeving_case *c, const char *element)
{
    memset(c, 0, sizeof *c);
    c->body[REEVING_BLOCK] = reeving_sheave("block", 0.5, -3, 0.2);
    c->body[REEVING_BLOCK].joint = HAW_JOINT_VERTICAL;
    c->body[REEVING_DRIVE] = reeving_sheave("drive", 1.2, 0.4, 0.3);
    c->body[REEVING_DRIVE].joint = HAW_JOINT_REVOLUTE;
    c->body[REEVING_CAR] = haw_body_spec_default();
    c->body[REEVING_CAR].name = "car";
    c->body[REEVING_CAR].mass = 100;
    c->body[REEVING_CAR].joint = HAW_JOINT_VERTICAL;
    c->body[REEVING_CAR].position[0] = 1.6;
    c->body[REEVING_CAR].position[1] = -4;
    c->sheave[0] = (haw_reeving_spec){"block", HAW_SIDE_LEFT};
    c->sheave[1] = (haw_reeving_spec){"drive", HAW_SIDE_RIGHT};
    c->cable = haw_cable_spec_default();
    c->cable.name = "rope";
    c->cable.element = element;
    c->cable.elements = 6;
    c->cable.from[0] = 0.3;
    c->cable.from[1] = 1;
    c->cable.ends[1].body = "car";
    c->cable.stiffness = 1e6;
    c->cable.density = 1.4;
    c->cable.sheaves = 2;
    c->cable.reeving = c->sheave;
    c->cable.modes[0] = c->cable.modes[1] = 2;
    c->contact[0] = reeving_contact("block");
    c->contact[1] = reeving_contact("drive");
    c->scene = (haw_scene){.dimension = 2,
                           .gravity = {0, -9.81},
                           .bodies = REEVING_BODIES,
                           .body = c->body,
                           .cables = 1,
                           .cable = &c->cable,
                           .contacts = 2,
                           .contact = c->contact};
    assert_int_equal(haw_context_create(NULL, &c->context), HAW_OK);
}

const haw_rope *reeving_rope(const reeving_case *c)
{
    return c->model->cable[0].rope;
}

double reeving_element(const haw_rope *rope, int arc)
{
    return (rope->arc[arc].label_out - rope->arc[arc].label_in) / rope->per_arc;
}

void reeving_open(reeving_case *c)
{
    if (haw_model_build(c->context, &c->scene, &c->model) != HAW_OK) {
        fail_msg("%s", haw_context_message(c->context));
    }
    assert_int_equal(haw_state_create(c->context, c->model, &c->state), HAW_OK);
}

void reeving_start(reeving_case *c, const char *element)
{
    reeving_init(c, element);
    reeving_open(c);
}

void reeving_close(reeving_case *c)
{
    haw_state_free(c->context, c->state);
    haw_model_free(c->model);
    haw_context_free(c->context);
}

void reeving_refuses(const reeving_refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        reeving_case c;
        reeving_init(&c, "ale");
        rows[i].change(&c);
        assert_int_equal(haw_model_build(c.context, &c.scene, &c.model), HAW_ERR_INPUT);
        assert_null(c.model);
        if (strstr(haw_context_message(c.context), rows[i].text) == NULL) {
            fail_msg("row %zu: \"%s\" lacks \"%s\"", i, haw_context_message(c.context),
                     rows[i].text);
        }
        assert_string_equal(haw_context_place(c.context), rows[i].place);
        haw_context_free(c.context);
    }
}

/* The block of one element of a cable, out of those of all. */
typedef struct sink {
    int element, dofs;
    double *k;
} sink;

static void take(void *user, int e, const double *k)
{
    const sink *to = user;
    for (int i = 0; i < to->dofs * to->dofs && e == to->element; i++) {
        to->k[i] = k[i];
    }
}

void reeving_block(const haw_cable *cable, int e, const double *q, const double *u,
                   const double factor[2], double *k)
{
    sink to = {.element = e, .dofs = cable->ops->dofs(cable, e).count};
    to.k = k;
    cable->ops->blocks(cable, q, u, factor, take, &to);
}

void reeving_course(const reeving_case *c, const double *q, reeving_arc *arc)
{
    const haw_cable *cable = &c->model->cable[0];
    const haw_rope *rope = cable->rope;
    for (int i = 0; i <= rope->arcs; i++) {
        haw_reeving_circle circle[2];
        for (int k = 0; k < 2; k++) {
            const haw_rope_arc *from = &rope->arc[i - 1 + k];
            const double *x = q + from->dof;
            circle[k] = (haw_reeving_circle){{x[0], x[1]}, from->radius, from->turn};
        }
        arc[i].span = haw_reeving_line(&circle[0], &circle[1], arc[i].along);
        if (i < rope->arcs) {
            const haw_sheave sheave = haw_rope_sheave(cable, i, q);
            arc[i].in = sheave.at[0];
            arc[i].out = sheave.at[1];
        }
    }
}
