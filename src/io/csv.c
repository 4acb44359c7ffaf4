/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser export: everything of a results file as CSV. */
#include "io/field.h"
#include "io/sheet.h"
#include "io/writer.h"

#include <hawser/io.h>

enum { PROFILE_COLUMNS_MAX = 14 };

static haw_status add_all(haw_sheet *sheet, const char *group, const char *name,
                          const haw_field *fields)
{
    for (const haw_field *f = fields; f->name != NULL; f++) {
        const char *const path[3] = {group, name, f->name};
        HAW_TRY(haw_sheet_add(sheet, path, NULL));
    }
    return HAW_OK;
}

static haw_status fill_probes(haw_sheet *sheet)
{
    const haw_names *names = haw_results_names(sheet->results, HAW_RESULTS_PROBES);
    for (int i = 0; i < names->count; i++) {
        const char *const path[3] = {"probes", NULL, names->name[i]};
        HAW_TRY(haw_sheet_add(sheet, path, NULL));
    }
    return HAW_OK;
}

/* Certificate, probes, or the sums of one pair. */
static haw_status write_group(haw_results *results, const char *folder, const char *group,
                              const char *name)
{
    char file[HAW_HEADER_MAX];
    haw_sheet sheet;
    haw_status status = haw_sheet_init(&sheet, results);
    if (status == HAW_OK && name != NULL) {
        status = add_all(&sheet, group, name, haw_pair_fields_of(haw_results_dimension(results)));
        (void)snprintf(file, sizeof file, "contact-%s", name);
    } else if (status == HAW_OK) {
        const bool is_solver = group[0] == 's';
        status =
            is_solver ? add_all(&sheet, group, NULL, haw_certificate_fields) : fill_probes(&sheet);
        (void)snprintf(file, sizeof file, "%s", group);
    }
    if (status == HAW_OK) {
        status = haw_sheet_write(&sheet, folder, file);
    }
    haw_sheet_fini(&sheet);
    return status;
}

static haw_status write_events(haw_results *results, const char *folder)
{
    const haw_names *pairs = haw_results_names(results, HAW_RESULTS_CONTACTS);
    haw_events events;
    haw_text text;
    HAW_TRY(haw_results_events(results, &events));
    HAW_TRY(haw_text_open(haw_results_context(results), folder, "events", ".csv", &text));
    (void)fputs("t[s],contact,event,value\n", text.stream);
    for (int i = 0; i < events.count; i++) {
        const haw_event *event = &events.event[i];
        const bool is_known = event->pair >= 0 && event->pair < pairs->count;
        (void)fprintf(text.stream, "%.17g,", event->t);
        haw_csv_text(text.stream, is_known ? pairs->name[event->pair] : "");
        (void)fprintf(text.stream, ",%s,%.17g\n", haw_event_name(event->kind), event->value);
    }
    return haw_text_close(&text);
}

/* ---- profiles ---- */

/* A column of a profile: its name in the file and in the sheet. */
typedef struct profile_column {
    const char *name, *header;
    int from; /* smallest dimension of results that have it */
} profile_column;

static const profile_column profile_columns[PROFILE_COLUMNS_MAX] = {
    {"x", "x[m]", 2},
    {"y", "y[m]", 2},
    {"z", "z[m]", 3},
    {"tension", "tension[N]", 2},
    {"strain", "strain[1]", 2},
    {"curvature", "curvature[1/m]", 2},
    {"element_tension", "element_tension[N]", 2},
    {"contact_normal", "normal_force[N/m]", 2},
    {"contact_tangential", "tangential_force[N/m]", 2},
    {"contact_force_x", "force_x[N/m]", 3},
    {"contact_force_y", "force_y[N/m]", 3},
    {"contact_force_z", "force_z[N/m]", 3},
    {"contact_state", "state[1]", 2},
    {"contact_gap", "gap[m]", 2},
};

/* A profile about to be written. */
typedef struct profile {
    haw_results *results;
    const char *cable;
    int columns;
    profile_column column[PROFILE_COLUMNS_MAX];
    const haw_array *xi;
    double *value; /* one frame: [columns][points], then the labels [points] */
} profile;

static double *labels(const profile *p)
{
    return p->value + (size_t)p->xi->rows * PROFILE_COLUMNS_MAX;
}

static haw_status read_frame(const profile *p, int frame)
{
    HAW_TRY(haw_results_labels(p->results, p->cable, frame, p->xi, labels(p)));
    for (int i = 0; i < p->columns; i++) {
        HAW_TRY(haw_results_profile(p->results, p->cable, p->column[i].name, frame, p->xi->rows,
                                    p->value + (size_t)i * (size_t)p->xi->rows));
    }
    return HAW_OK;
}

static haw_status write_frames(const profile *p, FILE *stream)
{
    haw_array t;
    HAW_TRY(haw_results_column(p->results, "energy", NULL, "t", &t));
    (void)fputs("frame,t[s],xi[m]", stream);
    for (int i = 0; i < p->columns; i++) {
        (void)fprintf(stream, ",%s", p->column[i].header);
    }
    (void)fputc('\n', stream);
    for (int k = 0; k < t.rows; k++) {
        HAW_TRY(read_frame(p, k));
        for (int j = 0; j < p->xi->rows; j++) {
            (void)fprintf(stream, "%d,%.17g,%.17g", k, t.value[k], labels(p)[j]);
            for (int i = 0; i < p->columns; i++) {
                (void)fprintf(stream, ",%.17g",
                              p->value[(size_t)i * (size_t)p->xi->rows + (size_t)j]);
            }
            (void)fputc('\n', stream);
        }
    }
    return HAW_OK;
}

static haw_status write_profile(haw_results *results, const char *folder, const char *cable)
{
    char name[HAW_HEADER_MAX];
    char path[HAW_HEADER_MAX + 32];
    haw_array xi;
    haw_text text;
    haw_context *context = haw_results_context(results);
    (void)snprintf(name, sizeof name, "profile-%s", cable);
    (void)snprintf(path, sizeof path, "/hawser/cables/%s/xi", cable);
    HAW_TRY(haw_results_array(results, path, &xi));
    profile p = {
        .results = results,
        .cable = cable,
        .xi = &xi,
        .value = haw_allocate(context, (size_t)xi.rows * (PROFILE_COLUMNS_MAX + 1), sizeof(double)),
    };
    if (p.value == NULL) {
        return HAW_ERR_NOMEM;
    }
    for (int i = 0; i < PROFILE_COLUMNS_MAX; i++) {
        if (profile_columns[i].from <= haw_results_dimension(results)) {
            p.column[p.columns++] = profile_columns[i];
        }
    }
    haw_status status = haw_text_open(context, folder, name, ".csv", &text);
    if (status == HAW_OK) {
        status = write_frames(&p, text.stream);
        const haw_status closed = haw_text_close(&text);
        status = status == HAW_OK ? closed : status;
    }
    haw_release(context, p.value);
    return status;
}

/* The contact of a pair along its cable. */
typedef struct contact {
    int columns;
    const char *name[HAW_CONTACT_COLUMNS];
    haw_array column[HAW_CONTACT_COLUMNS]; /* all cut to the shortest */
} contact;

static haw_status read_contact(haw_results *results, const char *pair, contact *c)
{
    const int d = haw_results_dimension(results);
    for (int i = 0; i < HAW_CONTACT_COLUMNS; i++) {
        const char *name = haw_contact_names[i].name[d];
        haw_array *column = &c->column[c->columns];
        char path[HAW_HEADER_MAX + 32];
        if (name == NULL) {
            continue;
        }
        (void)snprintf(path, sizeof path, "/hawser/contacts/%s/profile/%s", pair, name);
        HAW_TRY(haw_results_array(results, path, column));
        column->rows = column->rows < c->column[0].rows ? column->rows : c->column[0].rows;
        c->column[0].rows = column->rows;
        c->name[c->columns++] = name;
    }
    return HAW_OK;
}

/* Contact of a pair at the last frame; a run that was killed has none. */
static haw_status write_contact(haw_results *results, const char *folder, const char *pair)
{
    char name[HAW_HEADER_MAX];
    char path[HAW_HEADER_MAX + 32];
    contact c = {0};
    haw_text text;
    (void)snprintf(path, sizeof path, "/hawser/contacts/%s/profile", pair);
    if (!haw_results_has(results, path)) {
        return HAW_OK;
    }
    HAW_TRY(read_contact(results, pair, &c));
    (void)snprintf(name, sizeof name, "contact-profile-%s", pair);
    HAW_TRY(haw_text_open(haw_results_context(results), folder, name, ".csv", &text));
    for (int i = 0; i < c.columns; i++) {
        (void)fprintf(text.stream, "%s%s[%s]", i > 0 ? "," : "", c.name[i], c.column[i].unit);
    }
    for (int k = 0; k < c.column[0].rows; k++) {
        for (int i = 0; i < c.columns; i++) {
            (void)fprintf(text.stream, "%c%.17g", i > 0 ? ',' : '\n', c.column[i].value[k]);
        }
    }
    (void)fputc('\n', text.stream);
    return haw_text_close(&text);
}

static haw_status write_members(haw_results *results, const char *folder)
{
    const haw_names *pairs = haw_results_names(results, HAW_RESULTS_CONTACTS);
    const haw_names *cables = haw_results_names(results, HAW_RESULTS_CABLES);
    for (int i = 0; i < pairs->count; i++) {
        HAW_TRY(write_group(results, folder, "contacts", pairs->name[i]));
    }
    for (int i = 0; i < cables->count; i++) {
        HAW_TRY(write_profile(results, folder, cables->name[i]));
    }
    for (int i = 0; i < pairs->count; i++) {
        HAW_TRY(write_contact(results, folder, pairs->name[i]));
    }
    return HAW_OK;
}

static haw_status write_all(haw_results *results, const char *folder)
{
    HAW_TRY(haw_csv_histories(results, folder));
    HAW_TRY(haw_csv_energy(results, folder));
    HAW_TRY(write_group(results, folder, "solver", NULL));
    HAW_TRY(write_group(results, folder, "probes", NULL));
    HAW_TRY(write_events(results, folder));
    return write_members(results, folder);
}

haw_status haw_export_csv(haw_context *context, const char *results, const char *folder)
{
    haw_results *opened = NULL;
    HAW_TRY(haw_results_open(context, results, &opened));
    haw_status status = haw_folder_make(context, folder);
    if (status == HAW_OK) {
        status = write_all(opened, folder);
    }
    haw_results_close(opened);
    return status;
}
