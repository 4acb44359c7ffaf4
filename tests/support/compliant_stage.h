/* SPDX-License-Identifier: BSD-3-Clause */
/* One cable, two bodies and one compliant pair, at states that the test chooses. */
#ifndef HAWSER_TESTS_COMPLIANT_STAGE_H
#define HAWSER_TESTS_COMPLIANT_STAGE_H

#include "contact/compliant.h"
#include "support/near.h"

#include <stdlib.h>
#include <string.h>

enum { STAGE_DISK, STAGE_OTHER, STAGE_BODIES };

typedef struct compliant_stage {
    haw_context *context;
    haw_body_spec body[STAGE_BODIES]; /* the disk or wall that is touched, and a small disk */
    haw_cable_spec cable;
    haw_contact_spec contact;
    haw_model *model;
    haw_state *state;
    haw_compliant *compliant;
    haw_contacts *contacts;
    haw_system *system;
    int dofs;
    double *q, *u; /* [coordinates], [dofs] of the next evaluation */
    double *normal, *tangential, *total;
} compliant_stage;

/* Everything is free to move; stiffnesses are those of a point. */
void stage_init(compliant_stage *s);

void stage_build_scene(compliant_stage *s, const haw_scene *scene);

void stage_build(compliant_stage *s);

/* Forces at (q, u); total is their sum. */
void stage_evaluate(compliant_stage *s);

void stage_commit(compliant_stage *s);

double *stage_body(const compliant_stage *s, double *vector, int body);

double *stage_cable(const compliant_stage *s, double *vector);

/* The list of a step: rates are linear in u, each impulse acts on all degrees of freedom by the
 * transpose of its rate's row, and together they are h times the forces. */
void stage_check_listed(compliant_stage *s, double h, double tolerance);

/* Histories of contact point `id` at the start of the step. */
double *stage_history(const compliant_stage *s, int id);

void stage_drop(compliant_stage *s);

void stage_close(compliant_stage *s);

#endif
