/* SPDX-License-Identifier: BSD-3-Clause */
/* hawser export: everything of a results file as CSV. */
#include "io/field.h"
#include "io/sheet.h"
#include "io/writer.h"

#include <hawser/io.h>

enum { PROFILE_COLUMNS = 10 };

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
        status = add_all(&sheet, group, name, haw_pair_fields);
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

static haw_status read_frame(haw_results *results, const char *cable, int frame, int points,
                             double *value)
{
    static const char *const columns[PROFILE_COLUMNS] = {"x",
                                                         "y",
                                                         "tension",
                                                         "strain",
                                                         "curvature",
                                                         "element_tension",
                                                         "contact_normal",
                                                         "contact_tangential",
                                                         "contact_state",
                                                         "contact_gap"};
    for (int i = 0; i < PROFILE_COLUMNS; i++) {
        HAW_TRY(haw_results_profile(results, cable, columns[i], frame, points,
                                    value + (size_t)i * (size_t)points));
    }
    return HAW_OK;
}

/* @param value  room for one frame: [PROFILE_COLUMNS][points] */
static haw_status write_frames(haw_results *results, const char *cable, const haw_array *xi,
                               double *value, FILE *stream)
{
    haw_array t;
    HAW_TRY(haw_results_column(results, "energy", NULL, "t", &t));
    (void)fputs("frame,t[s],xi[m],x[m],y[m],tension[N],strain[1],curvature[1/m],element_tension[N],"
                "normal_force[N/m],tangential_force[N/m],state[1],gap[m]\n",
                stream);
    for (int k = 0; k < t.rows; k++) {
        HAW_TRY(read_frame(results, cable, k, xi->rows, value));
        for (int j = 0; j < xi->rows; j++) {
            (void)fprintf(stream, "%d,%.17g,%.17g", k, t.value[k], xi->value[j]);
            for (int i = 0; i < PROFILE_COLUMNS; i++) {
                (void)fprintf(stream, ",%.17g", value[(size_t)i * (size_t)xi->rows + (size_t)j]);
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
    double *value = haw_allocate(context, (size_t)xi.rows * PROFILE_COLUMNS, sizeof *value);
    if (value == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_status status = haw_text_open(context, folder, name, ".csv", &text);
    if (status == HAW_OK) {
        status = write_frames(results, cable, &xi, value, text.stream);
        const haw_status closed = haw_text_close(&text);
        status = status == HAW_OK ? closed : status;
    }
    haw_release(context, value);
    return status;
}

/* Contact of a pair at the last frame; a run that was killed has none. */
static haw_status write_contact(haw_results *results, const char *folder, const char *pair)
{
    char name[HAW_HEADER_MAX];
    char path[HAW_HEADER_MAX + 32];
    haw_array column[HAW_CONTACT_COLUMNS];
    haw_text text;
    (void)snprintf(path, sizeof path, "/hawser/contacts/%s/profile", pair);
    if (!haw_results_has(results, path)) {
        return HAW_OK;
    }
    for (int i = 0; i < HAW_CONTACT_COLUMNS; i++) {
        (void)snprintf(path, sizeof path, "/hawser/contacts/%s/profile/%s", pair,
                       haw_contact_column_names[i]);
        HAW_TRY(haw_results_array(results, path, &column[i]));
        column[i].rows = column[i].rows < column[0].rows ? column[i].rows : column[0].rows;
        column[0].rows = column[i].rows;
    }
    (void)snprintf(name, sizeof name, "contact-profile-%s", pair);
    HAW_TRY(haw_text_open(haw_results_context(results), folder, name, ".csv", &text));
    for (int i = 0; i < HAW_CONTACT_COLUMNS; i++) {
        (void)fprintf(text.stream, "%s%s[%s]", i > 0 ? "," : "", haw_contact_column_names[i],
                      column[i].unit);
    }
    for (int k = 0; k < column[0].rows; k++) {
        for (int i = 0; i < HAW_CONTACT_COLUMNS; i++) {
            (void)fprintf(text.stream, "%c%.17g", i > 0 ? ',' : '\n', column[i].value[k]);
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
