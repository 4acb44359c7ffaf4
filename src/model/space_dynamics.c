/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces, energies, masses and matrices of spatial models: sums over bodies and cables. */
#include "base/lie.h"
#include "model/space.h"
#include "model/space_load.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, NODE = 6, BLOCK = HAW_SPACE_DOFS * HAW_SPACE_DOFS };

static const double pi = 3.14159265358979323846;
static const double TURN_MOST = 0.9; /* of pi, beyond which a logarithm is near its branch */

/* ---- bodies ---- */

/* What holds a degree of freedom carries its weight: neither shows in forces or energies. */
static double weight(const haw_model *model, const haw_body *body, int j)
{
    return body->held[j] ? 0 : body->mass[j] * model->gravity[j];
}

/* J Omega */
static void spin_momentum(const haw_body *body, const double *omega, double momentum[AXES])
{
    for (int j = 0; j < AXES; j++) {
        momentum[j] = body->mass[AXES + j] * omega[j];
    }
}

static void body_forces(const haw_model *model, double t, const double *u, const haw_forces *forces)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        const double *omega = u + body->first + AXES;
        double momentum[AXES];
        for (int j = 0; j < AXES; j++) {
            forces->conservative[body->first + j] = weight(model, body, j);
        }
        forces->damping[body->first + NODE - 1] = -body->rotational_damping * omega[2];
        forces->load[body->first + NODE - 1] = haw_function_value(&body->torque, t);
        spin_momentum(body, omega, momentum);
        vec3_cross(momentum, omega, forces->gyroscopic + body->first + AXES);
    }
}

/* Matrix += mass M + rate C; of the gyroscopic force C = skew(Omega) J - skew(J Omega). */
static void add_body(haw_system *system, const haw_body *body, const double *u, double mass,
                     double rate)
{
    const double *omega = u + body->first + AXES, *inertia = body->mass + AXES;
    const int spin = body->first + AXES;
    double momentum[AXES], across[9] = {0}, along[9] = {0};
    spin_momentum(body, omega, momentum);
    mat3_add_skew(1, omega, across);
    mat3_add_skew(1, momentum, along);
    for (int j = 0; j < NODE; j++) {
        haw_system_add(system, body->first + j, body->first + j, mass * body->mass[j]);
    }
    for (int k = 0; k < AXES * AXES; k++) {
        haw_system_add(system, spin + k / AXES, spin + k % AXES,
                       rate * (across[k] * inertia[k % AXES] - along[k]));
    }
    haw_system_add(system, spin + 2, spin + 2, rate * body->rotational_damping);
}

/* ---- cables ---- */

/* y += factor m x over the nodes of an element. */
static void multiply(const double m[BLOCK], double factor, const double *x, double *y)
{
    for (int a = 0; a < HAW_SPACE_DOFS; a++) {
        double sum = 0;
        for (int b = 0; b < HAW_SPACE_DOFS; b++) {
            sum += m[a * HAW_SPACE_DOFS + b] * x[b];
        }
        y[a] += factor * sum;
    }
}

/* y += factor M x: the masses of all elements of a cable are the same. */
static void add_mass(const haw_cable *cable, double factor, const double *x, double *y)
{
    const haw_beam *beam = &cable->beam;
    double m[BLOCK];
    beam->ops->mass(beam, m);
    for (int e = 0; e < beam->elements; e++) {
        const int first = cable->first + beam->ops->node_dofs * e;
        multiply(m, factor, x + first, y + first);
    }
}

static void cable_forces(const haw_cable *cable, const double *q, const double *u,
                         const haw_forces *forces)
{
    const haw_beam *beam = &cable->beam;
    const double *velocity = u + cable->first;
    if (cable->damping_mass > 0) {
        add_mass(cable, -cable->damping_mass, u, forces->damping);
    }
    beam->ops->force(beam, q + cable->first_q, velocity, forces->conservative + cable->first,
                     forces->damping + cable->first);
    beam->ops->gyroscopic(beam, velocity, forces->gyroscopic + cable->first);
}

static void add_cable(haw_system *system, int i, const double *q, const double *u,
                      const double factor[2])
{
    const haw_cable *cable = &system->model->cable[i];
    const haw_beam *beam = &cable->beam;
    const double mass = factor[0] + factor[1] * cable->damping_mass;
    double m[BLOCK], k[BLOCK];
    beam->ops->mass(beam, m);
    for (int e = 0; e < beam->elements; e++) {
        beam->ops->tangent(beam, e, q + cable->first_q, u + cable->first, factor[1], k);
        for (int a = 0; a < BLOCK; a++) {
            k[a] += mass * m[a];
        }
        haw_system_add_element(system, i, e, k);
    }
}

/* ---- the model ---- */

void haw_space_forces(const haw_model *model, double t, double part, const double *q,
                      const double *u, const haw_forces *forces)
{
    const size_t bytes = (size_t)model->dofs * sizeof(double);
    double *const all[] = {forces->conservative, forces->damping, forces->load, forces->gyroscopic};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        memset(all[i], 0, bytes);
    }
    body_forces(model, t, u, forces);
    for (int i = 0; i < model->cables; i++) {
        cable_forces(&model->cable[i], q, u, forces);
    }
    haw_space_loads_apply(model, t, q, forces->load);
    for (int a = 0; a < model->dofs && part != 1; a++) {
        forces->load[a] *= part;
    }
}

haw_energy haw_space_energy(const haw_model *model, const double *q)
{
    double energy[2] = {0, 0};
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < AXES; j++) {
            energy[1] -= weight(model, body, j) * q[body->first_q + j];
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        cable->beam.ops->energy(&cable->beam, q + cable->first_q, energy);
    }
    return (haw_energy){energy[0], energy[1]};
}

double haw_space_kinetic(const haw_model *model, const double *u)
{
    double kinetic = 0;
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < NODE; j++) {
            kinetic += 0.5 * body->mass[j] * u[body->first + j] * u[body->first + j];
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        kinetic += cable->beam.ops->kinetic(&cable->beam, u + cable->first);
    }
    return kinetic;
}

void haw_space_mass(const haw_model *model, const double *x, double *y)
{
    memset(y, 0, (size_t)model->dofs * sizeof *y);
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < NODE; j++) {
            y[body->first + j] = body->mass[j] * x[body->first + j];
        }
    }
    for (int i = 0; i < model->cables; i++) {
        add_mass(&model->cable[i], 1, x, y);
    }
}

void haw_space_add_model(haw_system *system, const double *q, const double *u, double mass,
                         double rate)
{
    const haw_model *model = system->model;
    const double factor[2] = {mass, rate};
    for (int i = 0; i < model->bodies; i++) {
        add_body(system, &model->body[i], u, mass, rate);
    }
    for (int i = 0; i < model->cables; i++) {
        add_cable(system, i, q, u, factor);
    }
    haw_space_loads_tangent(system, q);
}

haw_status haw_space_guard(const haw_model *model, const double *q)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        int element = 0;
        const double turn = cable->beam.ops->turn(&cable->beam, q + cable->first_q, &element);
        if (!(turn <= TURN_MOST * pi)) {
            return haw_fail(model->context, HAW_ERR_GUARD,
                            "cable '%s': element %d of %d turns by %.4g rad between its nodes, "
                            "more than %.4g rad: use a finer mesh (elements)",
                            cable->name, element, cable->beam.elements, turn, TURN_MOST * pi);
        }
    }
    return HAW_OK;
}
