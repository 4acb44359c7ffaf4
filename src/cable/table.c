/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of cables, and what all of them share. */
#include "base/lie.h"
#include "cable/reeving.h"

#include <math.h>
#include <string.h>

const haw_row *const haw_cables[] = {&haw_cable_line.row, &haw_cable_ale.row, &haw_cable_arc1d.row,
                                     &haw_cable_beam.row, NULL};

const haw_row *haw_cable_element(int i, const haw_cable_ops **ops)
{
    for (int k = 0; haw_cables[k] != NULL; k++) {
        *ops = (const haw_cable_ops *)haw_cables[k];
        const int count = (*ops)->elements != NULL ? haw_row_count((*ops)->elements) : 1;
        if (i < count) {
            return (*ops)->elements != NULL ? (*ops)->elements[i] : haw_cables[k];
        }
        i -= count;
    }
    return NULL;
}

int haw_cable_widest(const haw_cable *cable)
{
    int widest = 0;
    for (int e = 0; e < cable->line.elements; e++) {
        const int count = cable->ops->dofs(cable, e).count;
        widest = count > widest ? count : widest;
    }
    return widest;
}

haw_status haw_cable_set_mass(haw_arena *arena, haw_cable *cable)
{
    const haw_mass_form *form = &cable->form;
    double block[HAW_SPACE_DOFS * HAW_SPACE_DOFS];
    if (cable->mass.value == NULL) {
        HAW_TRY(haw_band_create(arena, cable->line.dofs / form->copies, form->width, form->copies,
                                &cable->mass));
    }
    haw_band_clear(&cable->mass);
    for (int e = 0; e < cable->line.elements; e++) {
        const int first = cable->ops->dofs(cable, e).first - cable->first;
        cable->ops->mass_block(cable, e, NULL, block);
        haw_band_add(&cable->mass, first / form->copies, form->block, block);
    }
    return HAW_OK;
}

void haw_cable_start(const haw_cable *cable, double *q)
{
    memcpy(q + cable->first_q, cable->start, (size_t)cable->coordinates * sizeof *q);
}

void haw_cable_move(const haw_cable *cable, const double *q, double h, const double *u,
                    double *q_plus)
{
    for (int a = 0; a < cable->line.dofs; a++) {
        q_plus[cable->first_q + a] = q[cable->first_q + a] + h * u[cable->first + a];
    }
}

void haw_cable_difference(const haw_cable *cable, const double *q, const double *q_plus, double *d)
{
    for (int a = 0; a < cable->line.dofs; a++) {
        d[cable->first + a] = q_plus[cable->first_q + a] - q[cable->first_q + a];
    }
}

void haw_cable_set_gravity(haw_cable *cable, const double g[3])
{
    memcpy(cable->line.gravity, g, sizeof cable->line.gravity);
    memcpy(cable->beam.gravity, g, sizeof cable->beam.gravity);
    if (cable->rope != NULL) {
        memcpy(cable->rope->section.gravity, g, sizeof cable->rope->section.gravity);
    }
}

haw_dofs haw_cable_dofs(const haw_cable *cable, int e)
{
    return (haw_dofs){.count = cable->element_dofs, .first = haw_cable_node_dof(cable, e)};
}

haw_dofs haw_cable_dofs_of_two(const haw_cable *cable, int e)
{
    return (haw_dofs){.count = cable->element_dofs + cable->stride,
                      .first = haw_cable_node_dof(cable, e)};
}

int haw_cable_node_q(const haw_cable *cable, int n)
{
    return cable->first_q + cable->stride_q * n;
}

int haw_cable_node_dof(const haw_cable *cable, int n)
{
    return cable->first + cable->stride * n;
}

int haw_cable_tied(const haw_cable *cable, int *last)
{
    if (!cable->line.closed) {
        return 0;
    }
    *last = haw_cable_node_dof(cable, cable->line.elements);
    return cable->element_dofs - cable->stride;
}

int haw_cable_locate(const haw_cable *cable, const double *q, double label, double *s)
{
    const double along = label / cable->line.le;
    const int e = (int)fmin(fmax(floor(along), 0), cable->line.elements - 1);
    (void)q;
    *s = along - e;
    return e;
}

/* The second derivative of a cubic is linear in s; on a helix all keep their length. */
void haw_cable_bends(const haw_cable *cable, int e, const double *q, double bend[2])
{
    double d[2][3][3];
    cable->ops->curve(cable, e, 0, q, d[0]);
    cable->ops->curve(cable, e, 1, q, d[1]);
    bend[0] = fmax(vec3_norm(d[0][1]), vec3_norm(d[1][1]));
    bend[1] = vec3_norm(d[0][2]);
}

double haw_cable_reach(const haw_cable *cable, const double *q, const double *q_plus)
{
    const double *from = q + cable->first_q, *to = q_plus + cable->first_q;
    double most = 0;
    for (int a = 0; a < cable->coordinates; a++) {
        const double way = fabs(to[a] - from[a]);
        most = way > most ? way : most;
    }
    return 3 * fmax(1, cable->line.le) * most;
}

double haw_cable_speed(const haw_cable *cable, const double *u)
{
    double most = 0;
    if (cable->ops->speed != NULL) {
        return cable->ops->speed(cable, u);
    }
    for (int n = 0; n <= cable->line.elements; n++) {
        const double *v = u + haw_cable_node_dof(cable, n);
        double square = v[0] * v[0] + v[1] * v[1];
        for (int k = 2; k < cable->ops->dimension; k++) {
            square += v[k] * v[k];
        }
        most = square > most ? square : most;
    }
    return sqrt(most);
}
