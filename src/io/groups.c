/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything below /hawser: histories as one dataset per column, each with its unit. */
#include "base/lie.h"
#include "contact/knot.h"
#include "io/results.h"
#include "io/writer.h"
#include "observe/belt.h"
#include "stepper/stepper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void name_member(const haw_model *model, haw_member_kind kind, int i,
                        char name[HAW_MEMBER_MAX])
{
    if (kind == HAW_MEMBER_PAIR) {
        haw_pair_name(model, i, name, HAW_MEMBER_MAX);
    } else {
        const bool is_body = kind == HAW_MEMBER_BODY;
        (void)snprintf(name, HAW_MEMBER_MAX, "%s",
                       is_body ? model->body[i].name : model->cable[i].name);
    }
}

haw_status haw_members_visit(haw_writer *writer, hid_t parent, haw_member_kind kind,
                             haw_member_visit *visit)
{
    static const char *const groups[] = {"contacts", "bodies", "cables"};
    const haw_model *model = writer->model;
    const int counts[] = {model->pairs, model->bodies, model->cables};
    hid_t all = -1;
    HAW_TRY(haw_hdf5_group(&writer->file, parent, groups[kind], &all));
    for (int i = 0; i < counts[kind]; i++) {
        char name[HAW_MEMBER_MAX];
        hid_t group = -1;
        name_member(model, kind, i, name);
        HAW_TRY(haw_hdf5_group(&writer->file, all, name, &group));
        HAW_TRY(visit(writer, i, group));
    }
    return HAW_OK;
}

/* ---- options: what a run was made with, one attribute per option ---- */

static haw_status write_option(haw_hdf5 *file, hid_t group, const char *key,
                               const haw_option *option, const void *options)
{
    const void *member = (const char *)options + option->offset;
    long whole = 0;
    switch (option->type) {
    case HAW_OPTION_REAL:
        return haw_hdf5_real(file, group, key, 1, member);
    case HAW_OPTION_VECTOR:
        return haw_hdf5_real(file, group, key, 2, member);
    case HAW_OPTION_STRING:
        return haw_hdf5_text(file, group, key, *(const char *const *)member);
    case HAW_OPTION_CHOICE:
        return haw_hdf5_text(file, group, key, option->choices[*(const int *)member]);
    case HAW_OPTION_BOOL:
        whole = *(const bool *)member;
        break;
    case HAW_OPTION_INT:
        whole = *(const int *)member;
        break;
    }
    return haw_hdf5_integer(file, group, key, 1, &whole);
}

/* A stepper or a solver with its options. */
static haw_status write_method(haw_hdf5 *file, hid_t group, const char *kind, const haw_row *row,
                               const void *options)
{
    HAW_TRY(haw_hdf5_text(file, group, kind, row->name));
    for (const haw_option *o = row->options; o != NULL && o->key != NULL; o++) {
        char key[128];
        (void)snprintf(key, sizeof key, "%s.%s", kind, o->key);
        HAW_TRY(write_option(file, group, key, o, options));
    }
    return HAW_OK;
}

static haw_status write_run(haw_hdf5 *file, hid_t group, const haw_run_settings *run)
{
    static const char *const words[] = {"stop", "warn", "halve", "auto"};
    const haw_stepper_settings *stepper = &run->stepper;
    const haw_solver_settings *solver = &run->solver;
    if (stepper->ops != NULL) {
        HAW_TRY(write_method(file, group, "stepper", &stepper->ops->row, stepper->options));
    }
    if (solver->ops != NULL) {
        HAW_TRY(write_method(file, group, "solver", &solver->ops->row, solver->options));
    }
    HAW_TRY(haw_hdf5_text(file, group, "on_unconverged", words[run->on_unconverged]));
    HAW_TRY(haw_hdf5_real(file, group, "output.every", 1, &run->every));
    return haw_hdf5_real(file, group, "output.separation", 1, &run->separation);
}

static haw_status make_options(haw_writer *writer, hid_t parent)
{
    haw_hdf5 *file = &writer->file;
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(file, parent, "options", &group));
    HAW_TRY(haw_hdf5_text(file, group, "version", haw_version()));
    HAW_TRY(haw_hdf5_real(file, group, "gravity", 2, writer->model->gravity));
    if (writer->scenario != NULL) {
        HAW_TRY(haw_hdf5_text(file, group, "file", writer->scenario->file));
    }
    if (writer->simulation != NULL) {
        const double step = haw_simulation_step_length(writer->simulation);
        HAW_TRY(haw_hdf5_real(file, group, "step", 1, &step));
        HAW_TRY(write_run(file, group, haw_simulation_settings(writer->simulation)));
    }
    return HAW_OK;
}

/* ---- columns ---- */

static haw_status add_fields(haw_writer *writer, hid_t group, const haw_field *fields)
{
    for (const haw_field *f = fields; f->name != NULL; f++) {
        const haw_column_spec spec = {.name = f->name,
                                      .unit = f->unit,
                                      .is_integer = f->type != HAW_FIELD_REAL,
                                      .rows = 1,
                                      .components = f->count};
        HAW_TRY(haw_table_add(&writer->table, group, &spec));
    }
    return HAW_OK;
}

/* Time beside the series of a group, as one dataset under many names; a probe may be called t. */
static haw_status put_clock(haw_writer *writer, hid_t group)
{
    return H5Lexists(group, "t", H5P_DEFAULT) > 0
               ? HAW_OK
               : haw_hdf5_link(&writer->file, writer->clock, "t", group, "t");
}

/* Time, step and ledger; certificate. */
static haw_status make_accounts(haw_writer *writer, hid_t parent)
{
    static const haw_column_spec clock[] = {
        {"t", "s", false, false, 1, 1},
        {"step", "", true, false, 1, 1},
    };
    hid_t energy = -1;
    hid_t solver = -1;
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "energy", &energy));
    writer->energy_column = writer->table.columns;
    HAW_TRY(haw_table_add(&writer->table, energy, &clock[0]));
    HAW_TRY(haw_table_add(&writer->table, energy, &clock[1]));
    HAW_TRY(add_fields(writer, energy, haw_ledger_fields));
    writer->clock = energy;
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "solver", &solver));
    HAW_TRY(put_clock(writer, solver));
    writer->solver_column = writer->table.columns;
    return add_fields(writer, solver, haw_certificate_fields);
}

void haw_pair_name(const haw_model *model, int pair, char *name, size_t bytes)
{
    const haw_pair *p = &model->pair[pair];
    int same = 0;
    for (int i = 0; i < pair; i++) {
        const haw_pair *other = &model->pair[i];
        same += other->cable == p->cable && other->proxy == p->proxy && other->body == p->body;
    }
    (void)snprintf(name, bytes, same == 0 ? "%s-%s" : "%s-%s-%d", p->between[0], p->between[1],
                   same + 1);
}

static haw_status make_pair(haw_writer *writer, int i, hid_t group)
{
    const haw_pair *pair = &writer->model->pair[i];
    const long points = pair->points;
    haw_hdf5 *file = &writer->file;
    HAW_TRY(haw_hdf5_text(file, group, "law", pair->law->row.name));
    HAW_TRY(haw_hdf5_real(file, group, "friction", 1, &pair->options.friction));
    HAW_TRY(haw_hdf5_real(file, group, "restitution", 1, &pair->options.restitution));
    HAW_TRY(haw_hdf5_integer(file, group, "points", 1, &points));
    HAW_TRY(put_clock(writer, group));
    return add_fields(writer, group, haw_pair_fields_of(writer->model->dimension));
}

/* Attributes from which a reader can draw the shape of a body. */
static haw_status describe_shape(haw_writer *writer, const haw_body *body, hid_t group)
{
    haw_hdf5 *file = &writer->file;
    if (body->surface.ops == NULL) {
        return HAW_OK;
    }
    const double radius = haw_body_radius(body);
    const int d = writer->model->dimension;
    HAW_TRY(haw_hdf5_text(file, group, "shape", body->surface.ops->row.name));
    const bool is_flat = haw_surface_is_flat(&body->surface);
    if (body->surface.ops->corner != NULL) { /* within the radius of a rectangle, of a box */
        double half[3];
        body->surface.ops->corner(&body->surface, 0.0, half);
        for (int i = 0; i < d; i++) {
            half[i] = fabs(half[i]);
        }
        HAW_TRY(haw_hdf5_real(file, group, "half", d, half));
    }
    if (isfinite(radius)) {
        return haw_hdf5_real(file, group, "radius", 1, &radius);
    }
    if (!is_flat) {
        return HAW_OK;
    }
    double normal[2] = {0.0, 0.0};
    const double offset = body->surface.ops->gap(&body->surface, body->start, body->start, normal);
    HAW_TRY(haw_hdf5_real(file, group, "normal", 2, normal));
    return haw_hdf5_real(file, group, "offset", 1, &offset);
}

/* Angular velocities are inertial, the spin is that about the body's z axis. */
static haw_status make_body(haw_writer *writer, int i, hid_t group)
{
    const haw_body *body = &writer->model->body[i];
    const int d = writer->model->dimension, turns = (int)haw_body_coordinates(writer->model) - d;
    const bool has_axes = turns > 1;
    const haw_column_spec columns[] = {
        {"position", "m", false, false, 1, d},
        {has_axes ? "orientation" : "angle", has_axes ? "1" : "rad", false, false, 1, turns},
        {"velocity", "m/s", false, false, 1, d},
        {has_axes ? "angular_velocity" : NULL, "rad/s", false, false, 1, 3},
        {"spin", "rad/s", false, false, 1, 1},
        {"torque", "N m", false, false, 1, 1},
    };
    HAW_TRY(haw_hdf5_real(&writer->file, group, "mass", 1, &body->mass[0]));
    HAW_TRY(haw_hdf5_real(&writer->file, group, "inertia", (int)haw_body_dofs(writer->model) - d,
                          &body->mass[d]));
    HAW_TRY(describe_shape(writer, body, group));
    HAW_TRY(put_clock(writer, group));
    for (size_t j = 0; j < sizeof columns / sizeof *columns; j++) {
        HAW_TRY(columns[j].name != NULL ? haw_table_add(&writer->table, group, &columns[j])
                                        : HAW_OK);
    }
    return HAW_OK;
}

/* True if the samples of a cable move through its material. */
static bool has_labels(const haw_cable *cable)
{
    return cable->ops->label != NULL;
}

/* Unstrained arc length of the samples, s = j / n in each element; initial values if the mesh moves
 * along the cable. */
static haw_status write_xi(haw_writer *writer, int cable, hid_t group)
{
    const haw_line *line = &writer->model->cable[cable].line;
    const int n = haw_cable_sample_count(writer->model, cable);
    const double step = line->le / haw_cable_samples(writer->model, cable);
    const haw_arena_mark mark = haw_arena_here(&writer->arena);
    double *xi = haw_arena_allocate(&writer->arena, 2 * (size_t)n, sizeof *xi);
    HAW_TRY(haw_arena_status(&writer->arena));
    for (int i = 0; i < n; i++) {
        xi[i] = i * step;
    }
    if (has_labels(&writer->model->cable[cable])) {
        double *rest = xi + n;
        haw_state *drawn;
        HAW_TRY(haw_state_create(writer->context, writer->model, &drawn));
        haw_cable_profile(writer->model, cable, drawn->q, NULL,
                          &(haw_profile){xi, rest, rest, rest, rest, rest, rest, NULL});
        haw_state_free(writer->context, drawn);
    }
    HAW_TRY(haw_hdf5_array(&writer->file, group, "xi", H5T_IEEE_F64LE, n, xi));
    haw_arena_rewind(&writer->arena, &mark);
    return haw_hdf5_unit(&writer->file, group, "xi", "m");
}

static const char *element_name(const haw_cable *cable)
{
    if (cable->line.ops != NULL) {
        return cable->line.ops->row.name;
    }
    return cable->beam.ops != NULL ? cable->beam.ops->row.name : cable->ops->row.name;
}

static haw_status make_cable(haw_writer *writer, int i, hid_t group)
{
    static const haw_column_spec mean = {
        .name = "tension_mean", .unit = "N", .rows = 1, .components = 1};
    const haw_cable *cable = &writer->model->cable[i];
    const haw_end_spec *end = cable->end;
    const long pinned[2] = {end[0].kind == HAW_END_PINNED && end[0].body == NULL,
                            end[1].kind == HAW_END_PINNED && end[1].body == NULL};
    const haw_line *line = &cable->line;
    const long elements = line->elements;
    const long samples = haw_cable_samples(writer->model, i);
    const long first = writer->vtkhdf.first_point[i];
    const long all = writer->vtkhdf.points;
    const double length = line->le * line->elements;
    haw_hdf5 *file = &writer->file;
    HAW_TRY(haw_hdf5_text(file, group, "element", element_name(cable)));
    HAW_TRY(haw_hdf5_integer(file, group, "elements", 1, &elements));
    HAW_TRY(haw_hdf5_integer(file, group, "samples_per_element", 1, &samples));
    HAW_TRY(haw_hdf5_real(file, group, "length", 1, &length));
    HAW_TRY(haw_hdf5_real(file, group, "stiffness", 1, &line->stiffness));
    HAW_TRY(haw_hdf5_real(file, group, "density", 1, &line->density));
    HAW_TRY(cable->width > 0.0 ? haw_hdf5_real(file, group, "width", 1, &cable->width) : HAW_OK);
    HAW_TRY(haw_table_add(&writer->table, group, &mean));
    if (has_labels(cable)) {
        const haw_column_spec label = {.name = "label",
                                       .unit = "m",
                                       .rows = 1,
                                       .components = haw_cable_sample_count(writer->model, i),
                                       .is_profile = true};
        HAW_TRY(haw_table_add(&writer->table, group, &label));
    }
    HAW_TRY(haw_hdf5_integer(file, group, "pinned", 2, pinned));
    HAW_TRY(haw_hdf5_integer(file, group, "first_point", 1, &first));
    HAW_TRY(haw_hdf5_integer(file, group, "frame_points", 1, &all));
    HAW_TRY(put_clock(writer, group));
    return write_xi(writer, i, group);
}

static haw_status make_probes(haw_writer *writer, hid_t parent)
{
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "probes", &group));
    writer->probe_column = writer->table.columns;
    const haw_run_settings *run =
        writer->simulation != NULL ? haw_simulation_settings(writer->simulation) : NULL;
    writer->probes = run != NULL ? run->probes : 0;
    for (int i = 0; i < writer->probes; i++) {
        char name[HAW_MEMBER_MAX];
        haw_hdf5_member(haw_run_probe_name(run, i), name);
        const haw_column_spec spec = {.name = name,
                                      .unit = haw_simulation_probe_unit(writer->simulation, i),
                                      .rows = 1,
                                      .components =
                                          haw_simulation_probe_size(writer->simulation, i)};
        HAW_TRY(haw_table_add(&writer->table, group, &spec));
    }
    return put_clock(writer, group);
}

static haw_status make_events(haw_writer *writer, hid_t parent)
{
    static const haw_column_spec columns[] = {
        {"t", "s", false, false, 1, 1},
        {"pair", "", true, false, 1, 1},
        {"kind", "", true, false, 1, 1},
        {"value", "", false, false, 1, 1},
    };
    char names[256] = "";
    size_t used = 0;
    for (int i = 0; i <= HAW_EVENT_WRAP && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%d: %s", i > 0 ? ", " : "",
                                 i, haw_event_name((haw_event_kind)i));
    }
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "events", &group));
    HAW_TRY(haw_hdf5_text(&writer->file, group, "kinds", names));
    for (int i = 0; i < 4; i++) {
        HAW_TRY(haw_table_add(&writer->events, group, &columns[i]));
    }
    return HAW_OK;
}

/* ---- ropes on sheaves: a row per frame, with room for the knots of a full turn, then NAN ---- */

enum { SHEAVE_COLUMNS = 5 };

/* The angle is along the arc from the tangent point at the start of the rope. */
static const haw_field knot_columns[SHEAVE_COLUMNS] = {
    HAW_FIELD_ROW("angle", "rad", REAL, haw_wrap_knot, angle, 1, NULL),
    HAW_FIELD_ROW("normal", "N/m", REAL, haw_wrap_knot, normal, 1, NULL),
    HAW_FIELD_ROW("tangential", "N/m", REAL, haw_wrap_knot, tangential, 1, NULL),
    HAW_FIELD_ROW("tension", "N", REAL, haw_wrap_knot, tension, 1, NULL),
    HAW_FIELD_ROW("slip", "m/s", REAL, haw_wrap_knot, slip, 1, NULL),
};

static const double turn = 6.28318530717958647693;

/* Knots of a full turn. */
static int room(const haw_writer *writer, const haw_pair *pair)
{
    const double knots = ceil(turn * haw_knots_radius(writer->model, pair) / pair->spacing) + 2;
    return knots < pair->points ? (int)knots : pair->points;
}

static bool is_shown(const haw_writer *writer, int pair)
{
    return writer->simulation != NULL && haw_pair_has_knots(&writer->model->pair[pair]);
}

static haw_status make_sheave(haw_writer *writer, int pair, hid_t parent)
{
    char text[256];
    hid_t all = -1, group = -1;
    haw_pair_name(writer->model, pair, text, sizeof text);
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "sheaves", &all));
    HAW_TRY(haw_hdf5_group(&writer->file, all, text, &group));
    HAW_TRY(put_clock(writer, group));
    for (int k = 0; k < SHEAVE_COLUMNS; k++) {
        const haw_column_spec spec = {.name = knot_columns[k].name,
                                      .unit = knot_columns[k].unit,
                                      .rows = 1,
                                      .components = room(writer, &writer->model->pair[pair]),
                                      .is_profile = true};
        HAW_TRY(haw_table_add(&writer->table, group, &spec));
    }
    return HAW_OK;
}

static haw_status make_sheaves(haw_writer *writer, hid_t parent)
{
    size_t most = 0;
    writer->sheave_column = writer->table.columns;
    for (int i = 0; i < writer->model->pairs; i++) {
        const size_t points = (size_t)writer->model->pair[i].points;
        most = is_shown(writer, i) && points > most ? points : most;
        HAW_TRY(is_shown(writer, i) ? make_sheave(writer, i, parent) : HAW_OK);
    }
    writer->knot = haw_arena_allocate(&writer->arena, most + 1, sizeof *writer->knot);
    return haw_arena_status(&writer->arena);
}

haw_status haw_groups_create(haw_writer *writer)
{
    const haw_scenario *scenario = writer->scenario;
    haw_hdf5 *file = &writer->file;
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(file, file->id, "hawser", &group));
    HAW_TRY(haw_hdf5_text(file, group, "title", writer->model->title));
    const long dimension = writer->model->dimension;
    if (dimension != HAW_RESULTS_DIMENSION) {
        HAW_TRY(haw_hdf5_integer(file, group, "dimension", 1, &dimension));
    }
    const char *text = scenario != NULL && scenario->text != NULL ? scenario->text : "";
    HAW_TRY(haw_hdf5_string(file, group, "scenario", text));
    HAW_TRY(haw_hdf5_string(file, group, "resolved", writer->resolved));
    HAW_TRY(make_options(writer, group));
    HAW_TRY(make_accounts(writer, group));
    writer->pair_column = writer->table.columns;
    HAW_TRY(haw_members_visit(writer, group, HAW_MEMBER_PAIR, make_pair));
    writer->body_column = writer->table.columns;
    HAW_TRY(haw_members_visit(writer, group, HAW_MEMBER_BODY, make_body));
    writer->cable_column = writer->table.columns;
    HAW_TRY(haw_members_visit(writer, group, HAW_MEMBER_CABLE, make_cable));
    HAW_TRY(make_probes(writer, group));
    HAW_TRY(make_events(writer, group));
    return make_sheaves(writer, group);
}

/* ---- frames ---- */

static int put_fields(const haw_table *table, int column, const haw_field *fields,
                      const void *object)
{
    for (const haw_field *f = fields; f->name != NULL; f++) {
        double *slot = haw_table_slot(table, column++);
        for (int i = 0; i < f->count; i++) {
            slot[i] = haw_field_value(f, object, i);
        }
    }
    return column;
}

static void put_bodies(const haw_writer *writer, const haw_frame *frame)
{
    const haw_table *table = &writer->table;
    const haw_model *model = writer->model;
    const size_t d = (size_t)model->dimension, turns = (size_t)haw_body_coordinates(model) - d;
    int column = writer->body_column;
    for (int i = 0; i < model->bodies; i++) {
        const double *q = &frame->state->q[model->body[i].first_q];
        const double *u = &frame->state->u[model->body[i].first];
        memcpy(haw_table_slot(table, column++), q, d * sizeof *q);
        memcpy(haw_table_slot(table, column++), q + d, turns * sizeof *q);
        memcpy(haw_table_slot(table, column++), u, d * sizeof *u);
        if (turns > 1) {
            quaternion_rotate(q + d, u + d, haw_table_slot(table, column++));
        }
        *haw_table_slot(table, column++) = u[haw_body_dofs(model) - 1];
        *haw_table_slot(table, column++) = frame->torque != NULL ? frame->torque[i] : 0.0;
    }
}

static void put_probes(const haw_writer *writer, const haw_frame *frame)
{
    int first = 0;
    for (int i = 0; i < writer->probes; i++) {
        const int column = writer->probe_column + i;
        const int n = writer->table.column[column].components;
        double *slot = haw_table_slot(&writer->table, column);
        for (int j = 0; j < n; j++) {
            slot[j] = first + j < frame->probe_values ? frame->probe[first + j] : (double)NAN;
        }
        first += n;
    }
}

static void put_cables(const haw_writer *writer, const haw_frame *frame)
{
    const haw_model *model = writer->model;
    int column = writer->cable_column;
    for (int i = 0; i < model->cables; i++) {
        *haw_table_slot(&writer->table, column++) =
            haw_cable_tension_mean(&model->cable[i], frame->state->q);
        if (has_labels(&model->cable[i])) {
            memcpy(haw_table_slot(&writer->table, column++),
                   writer->vtkhdf.label + writer->vtkhdf.first_point[i],
                   (size_t)haw_cable_sample_count(model, i) * sizeof(double));
        }
    }
}

static void put_sheaves(const haw_writer *writer, const haw_frame *frame)
{
    int column = writer->sheave_column;
    for (int i = 0; i < writer->model->pairs; i++) {
        if (!is_shown(writer, i)) {
            continue;
        }
        const int count = haw_wrap_knots(frame, i, writer->knot);
        const int all = room(writer, &writer->model->pair[i]);
        for (int j = 0; j < SHEAVE_COLUMNS; j++) {
            double *slot = haw_table_slot(&writer->table, column++);
            for (int k = 0; k < all; k++) {
                slot[k] = k < count ? haw_field_value(&knot_columns[j], &writer->knot[k], 0)
                                    : (double)NAN;
            }
        }
    }
}

void haw_groups_frame(haw_writer *writer, const haw_frame *frame)
{
    const haw_model *model = writer->model;
    const haw_table *table = &writer->table;
    *haw_table_slot(table, writer->energy_column) = frame->t;
    *haw_table_slot(table, writer->energy_column + 1) = (double)frame->step;
    (void)put_fields(table, writer->energy_column + 2, haw_ledger_fields, frame->ledger);
    (void)put_fields(table, writer->solver_column, haw_certificate_fields, frame->certificate);
    int column = writer->pair_column;
    for (int i = 0; i < model->pairs; i++) {
        column = put_fields(table, column, haw_pair_fields_of(model->dimension), &frame->pair[i]);
    }
    put_bodies(writer, frame);
    put_cables(writer, frame);
    put_probes(writer, frame);
    put_sheaves(writer, frame);
}

/* ---- the end: views of the profiles by cable, profiles of the contacts, summary ---- */

/*
 * A virtual dataset [frame][point] of rows that lie `frame` apart in a dataset of /VTKHDF. No data
 * are copied: the program and ParaView read the same bytes. HDF5 can create such views only for a
 * fixed number of frames, so they are created when the run has ended.
 */
static haw_status make_view(haw_writer *writer, hid_t group, const char *const names[2],
                            const hsize_t start[2], const hsize_t shape[2])
{
    const bool has_components = strcmp(names[1], "/VTKHDF/Points") == 0 ||
                                strcmp(names[1], "/VTKHDF/PointData/contact_force") == 0;
    const hsize_t frame[2] = {(hsize_t)writer->vtkhdf.points, 1};
    const hsize_t count[2] = {shape[0], 1};
    const hsize_t block[2] = {shape[1], 1};
    const hsize_t total[2] = {shape[0] * frame[0], 3};
    const hid_t view = H5Screate_simple(2, shape, NULL);
    const hid_t space = H5Screate_simple(has_components ? 2 : 1, total, NULL);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    const bool is_set =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, frame, count, block) >= 0 &&
        H5Pset_obj_track_times(create, false) >= 0 &&
        H5Pset_virtual(create, view, ".", names[1], space) >= 0;
    const hid_t set = is_set ? H5Dcreate2(group, names[0], haw_table_type(&writer->table, true),
                                          view, H5P_DEFAULT, create, H5P_DEFAULT)
                             : -1;
    const haw_status status =
        set < 0 || H5Dclose(set) < 0 ? haw_hdf5_broken(&writer->file) : HAW_OK;
    (void)H5Pclose(create);
    (void)H5Sclose(space);
    (void)H5Sclose(view);
    return status;
}

/* Views of the components of a dataset of vectors, one name each. */
static haw_status make_component_views(haw_writer *writer, hid_t group, const char *source,
                                       const char *const *axis, int cable)
{
    const hsize_t shape[2] = {(hsize_t)writer->table.frames,
                              (hsize_t)haw_cable_sample_count(writer->model, cable)};
    hsize_t start[2] = {(hsize_t)writer->vtkhdf.first_point[cable], 0};
    for (int i = 0; i < writer->model->dimension; i++) {
        const char *const names[2] = {axis[i], source};
        start[1] = (hsize_t)i;
        HAW_TRY(make_view(writer, group, names, start, shape));
    }
    return HAW_OK;
}

static haw_status make_views(haw_writer *writer, int cable, hid_t group)
{
    static const char *const axis[3] = {"x", "y", "z"};
    static const char *const force[3] = {"contact_force_x", "contact_force_y", "contact_force_z"};
    const hsize_t shape[2] = {(hsize_t)writer->table.frames,
                              (hsize_t)haw_cable_sample_count(writer->model, cable)};
    const hsize_t start[2] = {(hsize_t)writer->vtkhdf.first_point[cable], 0};
    for (int i = 0; i < HAW_POINT_FIELDS; i++) {
        char source[64];
        (void)snprintf(source, sizeof source, "/VTKHDF/PointData/%s", haw_point_columns[i].name);
        const char *const names[2] = {haw_point_columns[i].name, source};
        HAW_TRY(make_view(writer, group, names, start, shape));
    }
    HAW_TRY(make_component_views(writer, group, "/VTKHDF/Points", axis, cable));
    return haw_point_fields(writer->model->dimension) > HAW_POINT_FORCE
               ? make_component_views(writer, group, "/VTKHDF/PointData/contact_force", force,
                                      cable)
               : HAW_OK;
}

/* The stepper `static` may find another unstrained length than was drawn, after the file was begun.
 */
static haw_status settle_length(haw_writer *writer, int i, hid_t group)
{
    const haw_cable *cable = &writer->model->cable[i];
    const double length = cable->line.le * cable->line.elements;
    if (length == cable->drawn) {
        return HAW_OK;
    }
    if (H5Adelete(group, "length") < 0 || H5Ldelete(group, "xi", H5P_DEFAULT) < 0) {
        return haw_hdf5_broken(&writer->file);
    }
    HAW_TRY(haw_hdf5_real(&writer->file, group, "length", 1, &length));
    return write_xi(writer, i, group);
}

static haw_status write_attributes(haw_writer *writer, hid_t group, const haw_field *fields,
                                   const void *object)
{
    for (const haw_field *f = fields; f->name != NULL; f++) {
        const double value = haw_field_value(f, object, 0);
        const long whole = f->type != HAW_FIELD_REAL ? (long)value : 0;
        HAW_TRY(f->type != HAW_FIELD_REAL
                    ? haw_hdf5_integer(&writer->file, group, f->name, 1, &whole)
                    : haw_hdf5_real(&writer->file, group, f->name, 1, &value));
    }
    return HAW_OK;
}

haw_status haw_summary_write(haw_writer *writer, const haw_summary *summary)
{
    hid_t parent = -1;
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(&writer->file, writer->file.id, "hawser", &parent));
    HAW_TRY(haw_members_visit(writer, parent, HAW_MEMBER_CABLE, settle_length));
    HAW_TRY(haw_members_visit(writer, parent, HAW_MEMBER_CABLE, make_views));
    HAW_TRY(haw_members_visit(writer, parent, HAW_MEMBER_PAIR, haw_contact_profile_write));
    if (summary == NULL) {
        return HAW_OK;
    }
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "summary", &group));
    HAW_TRY(haw_hdf5_text(&writer->file, group, "stepper", summary->stepper));
    HAW_TRY(haw_hdf5_text(&writer->file, group, "solver", summary->solver));
    HAW_TRY(write_attributes(writer, group, haw_summary_fields, summary));
    HAW_TRY(write_attributes(writer, group, haw_ledger_fields, &summary->ledger));
    return write_attributes(writer, group, haw_certificate_fields, &summary->certificate);
}
