/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser export: everything of a results file as CSV. */
#include "io/csv.h"

#include "io/field.h"
#include "io/writer.h"

#include <hawser/io.h>

#include <limits.h>
#include <math.h>
#include <string.h>

void haw_csv_text(FILE *stream, const char *text)
{
    if (strpbrk(text, ",\"\n\r") == NULL) {
        (void)fputs(text, stream);
        return;
    }
    (void)fputc('"', stream);
    for (; *text != '\0'; text++) {
        (void)fputs(*text == '"' ? "\"\"" : (const char[]){*text, '\0'}, stream);
    }
    (void)fputc('"', stream);
}

void haw_csv_number(FILE *stream, double value)
{
    (void)fputc(',', stream);
    if (isfinite(value)) {
        (void)fprintf(stream, "%.17g", value);
    }
}

haw_status haw_csv_table(haw_context *context, const char *folder, const char *name, int rows,
                         int columns, const haw_csv_column *column)
{
    haw_text text;
    HAW_TRY(haw_text_open(context, &text, folder, "%s.csv", name));
    for (int i = 0; i < columns; i++) {
        (void)fputs(i > 0 ? "," : "", text.stream);
        haw_csv_text(text.stream, column[i].header);
    }
    for (int k = 0; k < rows; k++) {
        for (int i = 0; i < columns; i++) {
            (void)fprintf(text.stream, "%c%.17g", i > 0 ? ',' : '\n',
                          column[i].value[(ptrdiff_t)k * column[i].stride]);
        }
    }
    (void)fputc('\n', text.stream);
    return haw_text_close(&text, HAW_OK);
}

/* ---- histories: a row for each frame, gathered column by column ---- */

typedef struct sheet {
    haw_results *results; /* its arena holds the columns */
    int columns;
    haw_csv_column *column;
} sheet;

/* Unit of a component: "N s, N s, N m s" lists one for each, "N s, N m s" has one for the vector
 * and one for the angular part behind it. */
static void component_unit(const char *units, int dimension, int components, int i, char unit[32])
{
    int listed = 1;
    for (const char *c = units; *c != '\0'; c++) {
        listed += *c == ',';
    }
    int skipped = listed < components ? i >= dimension : i;
    for (; skipped > 0 && strchr(units, ',') != NULL; skipped--) {
        units = strchr(units, ',') + 1;
        units += strspn(units, " ");
    }
    (void)snprintf(unit, 32, "%.*s", (int)strcspn(units, ","), units);
    if (unit[0] == '\0') {
        (void)snprintf(unit, 32, "1");
    }
}

/* Suffix of a component in the header of its column: planar vectors with an angle, vectors in
 * space, quaternions, force and moment. */
static const char *component_name(int dimension, int components, int i)
{
    static const char *const names[][6] = {
        [2] = {"_x", "_y", "_angular", "", "", ""},
        [3] = {"_x", "_y", "_z", "_angular_x", "_angular_y", "_angular_z"},
    };
    static const char *const quaternion[] = {"_w", "_x", "_y", "_z"};
    if (components == 1) {
        return "";
    }
    return components == 4 ? quaternion[i] : i < 6 ? names[dimension][i] : "";
}

/*
 * Add the dataset `path` of /hawser/group/name (the name may be NULL), one column for each
 * component: prefix.path_x[unit], ... Missing datasets are skipped: a body has either an angle or
 * an orientation, and older files have fewer columns.
 */
static haw_status add(sheet *s, const char *group, const char *name, const char *path,
                      bool is_prefixed)
{
    const char *prefix = is_prefixed ? name : "";
    haw_results *results = s->results;
    haw_array array;
    if (!haw_results_has(results, "/hawser/%s/%s%s%s", group, name != NULL ? name : "",
                         name != NULL ? "/" : "", path)) {
        return haw_results_without(results, path);
    }
    HAW_TRY(haw_results_column(results, group, name, path, 0, &array));
    for (int i = 0; i < array.components; i++) {
        char unit[32];
        s->column =
            haw_arena_extend(&results->arena, s->column, (size_t)s->columns, sizeof *s->column);
        HAW_TRY(haw_arena_status(&results->arena));
        haw_csv_column *added = &s->column[s->columns++];
        component_unit(array.unit, results->dimension, array.components, i, unit);
        (void)snprintf(added->header, sizeof added->header, "%s%s%s%s[%s]", prefix,
                       is_prefixed ? "." : "", path,
                       component_name(results->dimension, array.components, i), unit);
        added->value = array.value + i;
        added->stride = array.components;
    }
    return HAW_OK;
}

static haw_status begin(sheet *s, haw_results *results)
{
    *s = (sheet){.results = results};
    return add(s, "energy", NULL, "t", false);
}

static haw_status write_sheet(const sheet *s, const char *folder, const char *name)
{
    return haw_csv_table(s->results->context, folder, name, s->results->frames, s->columns,
                         s->column);
}

/* Member by member. */
static haw_status add_members(sheet *s, haw_results_group members, const char *group,
                              const char *const *what)
{
    const haw_names *names = &s->results->names[members];
    const int paths = haw_words_count(what);
    for (int i = 0; i < names->count * paths; i++) {
        HAW_TRY(add(s, group, names->name[i / paths], what[i % paths], true));
    }
    return HAW_OK;
}

haw_status haw_csv_histories(haw_results *results, const char *folder)
{
    static const char *const body[] = {"position",         "angle", "orientation", "velocity",
                                       "angular_velocity", "spin",  "torque",      NULL};
    static const char *const cable[] = {"tension_mean", NULL};
    static const char *const pair[] = {"normal_sum", "tangential_sum", "wrap_angle", "closed",
                                       NULL};
    sheet s;
    HAW_TRY(begin(&s, results));
    HAW_TRY(add_members(&s, HAW_RESULTS_BODIES, "bodies", body));
    HAW_TRY(add_members(&s, HAW_RESULTS_CABLES, "cables", cable));
    HAW_TRY(add_members(&s, HAW_RESULTS_CONTACTS, "contacts", pair));
    return write_sheet(&s, folder, "histories");
}

static haw_status write_fields(haw_results *results, const char *folder, const char *file,
                               const char *group, const char *name, const haw_field *fields)
{
    sheet s;
    HAW_TRY(begin(&s, results));
    for (const haw_field *f = fields; f->name != NULL; f++) {
        HAW_TRY(add(&s, group, name, f->name, false));
    }
    return write_sheet(&s, folder, file);
}

haw_status haw_csv_energy(haw_results *results, const char *folder)
{
    return write_fields(results, folder, "energy", "energy", NULL, haw_ledger_fields);
}

haw_status haw_csv_probes(haw_results *results, const char *folder)
{
    const haw_names *names = &results->names[HAW_RESULTS_PROBES];
    sheet s;
    HAW_TRY(begin(&s, results));
    for (int i = 0; i < names->count; i++) {
        HAW_TRY(add(&s, "probes", NULL, names->name[i], false));
    }
    return write_sheet(&s, folder, "probes");
}

static haw_status write_events(haw_results *results, const char *folder)
{
    const haw_names *pairs = &results->names[HAW_RESULTS_CONTACTS];
    haw_events events;
    haw_text text;
    HAW_TRY(haw_results_events(results, &events));
    HAW_TRY(haw_text_open(results->context, &text, folder, "events.csv"));
    (void)fputs("t[s],contact,event,value\n", text.stream);
    for (int i = 0; i < events.count; i++) {
        const haw_event *event = &events.event[i];
        const bool is_known = event->pair >= 0 && event->pair < pairs->count;
        (void)fprintf(text.stream, "%.17g,", event->t);
        haw_csv_text(text.stream, is_known ? pairs->name[event->pair] : "");
        (void)fprintf(text.stream, ",%s,%.17g\n", haw_event_name(event->kind), event->value);
    }
    return haw_text_close(&text, HAW_OK);
}

/* ---- profiles ---- */

enum { PROFILE_COLUMNS = 15 };

/* Columns of a profile: names in the file and in the table. */
static const struct {
    const char *name, *header;
    int from; /* smallest dimension of results that have it */
} profile_columns[PROFILE_COLUMNS] = {
    {"xi", "xi[m]"},
    {"x", "x[m]"},
    {"y", "y[m]"},
    {"z", "z[m]", 3},
    {"tension", "tension[N]"},
    {"strain", "strain[1]"},
    {"curvature", "curvature[1/m]"},
    {"element_tension", "element_tension[N]"},
    {"contact_normal", "normal_force[N/m]"},
    {"contact_tangential", "tangential_force[N/m]"},
    {"contact_force_x", "force_x[N/m]", 3},
    {"contact_force_y", "force_y[N/m]", 3},
    {"contact_force_z", "force_z[N/m]", 3},
    {"contact_state", "state[1]"},
    {"contact_gap", "gap[m]"},
};

static haw_status write_frames(haw_results *results, const char *cable, FILE *stream)
{
    const char *name[PROFILE_COLUMNS + 1] = {NULL};
    int columns = 0;
    haw_array t;
    HAW_TRY(haw_results_column(results, "energy", NULL, "t", 1, &t));
    (void)fputs("frame,t[s]", stream);
    for (int i = 0; i < PROFILE_COLUMNS; i++) {
        if (profile_columns[i].from <= results->dimension) {
            name[columns++] = profile_columns[i].name;
            (void)fprintf(stream, ",%s", profile_columns[i].header);
        }
    }
    (void)fputc('\n', stream);
    for (int k = 0; k < t.rows; k++) {
        const haw_arena_mark mark = haw_arena_here(&results->arena);
        haw_array p;
        HAW_TRY(haw_results_profiles(results, cable, name, k, &p));
        for (int j = 0; j < p.rows; j++) {
            (void)fprintf(stream, "%d,%.17g", k, t.value[k]);
            for (int i = 0; i < columns; i++) {
                (void)fprintf(stream, ",%.17g", p.value[(ptrdiff_t)i * p.rows + j]);
            }
            (void)fputc('\n', stream);
        }
        haw_arena_rewind(&results->arena, &mark);
    }
    return HAW_OK;
}

static haw_status write_profile(haw_results *results, const char *folder, const char *cable)
{
    haw_text text;
    HAW_TRY(haw_text_open(results->context, &text, folder, "profile-%s.csv", cable));
    return haw_text_close(&text, write_frames(results, cable, text.stream));
}

/* Contact of a pair along its cable at the last frame; files of killed runs do not have it. */
static haw_status write_contact(haw_results *results, const char *folder, const char *pair)
{
    haw_csv_column column[HAW_CONTACT_COLUMNS];
    char file[HAW_MEMBER_MAX + 16];
    int columns = 0, rows = INT_MAX;
    if (!haw_results_has(results, "/hawser/contacts/%s/profile", pair)) {
        return HAW_OK;
    }
    for (int i = 0; i < HAW_CONTACT_COLUMNS; i++) {
        const char *name = haw_contact_names[i].name[results->dimension];
        haw_array array;
        if (name == NULL) {
            continue;
        }
        HAW_TRY(haw_results_array(results, &array, "/hawser/contacts/%s/profile/%s", pair, name));
        rows = array.rows < rows ? array.rows : rows;
        haw_csv_column *added = &column[columns++];
        *added = (haw_csv_column){.value = array.value, .stride = 1};
        (void)snprintf(added->header, sizeof added->header, "%s[%s]", name, array.unit);
    }
    (void)snprintf(file, sizeof file, "contact-profile-%s", pair);
    return haw_csv_table(results->context, folder, file, rows, columns, column);
}

/* ---- all ---- */

static haw_status write_all(haw_results *results, const char *folder)
{
    const haw_names *pairs = &results->names[HAW_RESULTS_CONTACTS];
    const haw_names *cables = &results->names[HAW_RESULTS_CABLES];
    HAW_TRY(haw_folder_make(results->context, folder));
    HAW_TRY(haw_csv_histories(results, folder));
    HAW_TRY(haw_csv_energy(results, folder));
    HAW_TRY(write_fields(results, folder, "solver", "solver", NULL, haw_certificate_fields));
    HAW_TRY(haw_csv_probes(results, folder));
    HAW_TRY(write_events(results, folder));
    for (int i = 0; i < pairs->count; i++) {
        char file[HAW_MEMBER_MAX + 16];
        (void)snprintf(file, sizeof file, "contact-%s", pairs->name[i]);
        HAW_TRY(write_fields(results, folder, file, "contacts", pairs->name[i],
                             haw_pair_fields_of(results->dimension)));
    }
    for (int i = 0; i < cables->count; i++) {
        HAW_TRY(write_profile(results, folder, cables->name[i]));
    }
    for (int i = 0; i < pairs->count; i++) {
        HAW_TRY(write_contact(results, folder, pairs->name[i]));
    }
    return HAW_OK;
}

haw_status haw_export_csv(haw_context *context, const char *results, const char *folder)
{
    haw_results *opened = NULL;
    HAW_TRY(haw_results_open(context, results, &opened));
    return haw_results_end(opened, write_all(opened, folder));
}
