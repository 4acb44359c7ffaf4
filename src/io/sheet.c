/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of histories as CSV. */
#include "io/sheet.h"

#include "io/field.h"

#include <string.h>

haw_status haw_sheet_init(haw_sheet *sheet, haw_results *results)
{
    static const char *const clock[3] = {"energy", NULL, "t"};
    *sheet = (haw_sheet){.results = results, .rows = haw_results_frames(results)};
    return haw_sheet_add(sheet, clock, NULL);
}

void haw_sheet_fini(haw_sheet *sheet)
{
    haw_release(haw_results_context(sheet->results), sheet->column);
    sheet->column = NULL;
}

/* Room for one more column. */
static haw_status grow(haw_sheet *sheet)
{
    if (sheet->columns < sheet->room) {
        return HAW_OK;
    }
    const int room = sheet->room > 0 ? 2 * sheet->room : 16;
    haw_sheet_column *column =
        haw_allocate(haw_results_context(sheet->results), (size_t)room, sizeof *column);
    if (column == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (sheet->columns > 0) {
        memcpy(column, sheet->column, (size_t)sheet->columns * sizeof *column);
    }
    haw_release(haw_results_context(sheet->results), sheet->column);
    sheet->column = column;
    sheet->room = room;
    return HAW_OK;
}

/* Unit of a component: "N s, N s, N m s" lists one for each. */
static void component_unit(const char *units, int component, char unit[32])
{
    for (int i = 0; i < component && strchr(units, ',') != NULL; i++) {
        units = strchr(units, ',') + 2;
    }
    (void)snprintf(unit, 32, "%.*s", (int)strcspn(units, ","), units);
}

/* What a column's header says of a component: planar vectors with an angle, vectors in space,
 * quaternions, a force and a moment. */
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

haw_status haw_sheet_add(haw_sheet *sheet, const char *const path[3], const char *prefix)
{
    haw_array array;
    HAW_TRY(haw_results_column(sheet->results, path[0], path[1], path[2], &array));
    for (int i = 0; i < array.components; i++) {
        char unit[32];
        HAW_TRY(grow(sheet));
        component_unit(array.unit, i, unit);
        haw_sheet_column *column = &sheet->column[sheet->columns++];
        (void)snprintf(column->header, sizeof column->header, "%s%s%s%s[%s]",
                       prefix != NULL ? prefix : "", prefix != NULL ? "." : "", path[2],
                       component_name(haw_results_dimension(sheet->results), array.components, i),
                       unit[0] != '\0' ? unit : "1");
        column->value = array.value + i;
        column->stride = array.components;
    }
    return HAW_OK;
}

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

haw_status haw_sheet_write(const haw_sheet *sheet, const char *folder, const char *name)
{
    haw_text text;
    HAW_TRY(haw_text_open(haw_results_context(sheet->results), folder, name, ".csv", &text));
    for (int j = 0; j < sheet->columns; j++) {
        (void)fputs(j > 0 ? "," : "", text.stream);
        haw_csv_text(text.stream, sheet->column[j].header);
    }
    (void)fputc('\n', text.stream);
    for (int i = 0; i < sheet->rows; i++) {
        for (int j = 0; j < sheet->columns; j++) {
            const haw_sheet_column *column = &sheet->column[j];
            (void)fprintf(text.stream, "%s%.17g", j > 0 ? "," : "",
                          column->value[(size_t)i * (size_t)column->stride]);
        }
        (void)fputc('\n', text.stream);
    }
    return haw_text_close(&text);
}

/* Members of a group, with some of their columns; a body has an angle or an orientation. */
typedef struct part {
    haw_results_group group;
    const char *path, *column[8];
} part;

static haw_status add_member(haw_sheet *sheet, const part *p, const char *name)
{
    for (int j = 0; p->column[j] != NULL; j++) {
        const char *const path[3] = {p->path, name, p->column[j]};
        char full[512];
        (void)snprintf(full, sizeof full, "/hawser/%s/%s/%s", path[0], path[1], path[2]);
        HAW_TRY(haw_results_has(sheet->results, full) ? haw_sheet_add(sheet, path, name) : HAW_OK);
    }
    return HAW_OK;
}

static haw_status add_part(haw_sheet *sheet, const part *p)
{
    const haw_names *names = haw_results_names(sheet->results, p->group);
    for (int i = 0; i < names->count; i++) {
        HAW_TRY(add_member(sheet, p, names->name[i]));
    }
    return HAW_OK;
}

static haw_status add_histories(haw_sheet *sheet)
{
    static const part parts[] = {
        {HAW_RESULTS_BODIES,
         "bodies",
         {"position", "angle", "orientation", "velocity", "angular_velocity", "spin", "torque"}},
        {HAW_RESULTS_CABLES, "cables", {"tension_mean"}},
        {HAW_RESULTS_CONTACTS,
         "contacts",
         {"normal_sum", "tangential_sum", "wrap_angle", "closed"}},
    };
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        HAW_TRY(add_part(sheet, &parts[k]));
    }
    return HAW_OK;
}

static haw_status add_energy(haw_sheet *sheet)
{
    for (const haw_field *f = haw_ledger_fields; f->name != NULL; f++) {
        const char *const path[3] = {"energy", NULL, f->name};
        HAW_TRY(haw_sheet_add(sheet, path, NULL));
    }
    return HAW_OK;
}

/* A sheet of what `add` puts into it. */
static haw_status write_sheet(haw_results *results, const char *folder, const char *name,
                              haw_status (*add)(haw_sheet *sheet))
{
    haw_sheet sheet;
    haw_status status = haw_sheet_init(&sheet, results);
    if (status == HAW_OK) {
        status = add(&sheet);
    }
    if (status == HAW_OK) {
        status = haw_sheet_write(&sheet, folder, name);
    }
    haw_sheet_fini(&sheet);
    return status;
}

haw_status haw_csv_histories(haw_results *results, const char *folder)
{
    return write_sheet(results, folder, "histories", add_histories);
}

haw_status haw_csv_energy(haw_results *results, const char *folder)
{
    return write_sheet(results, folder, "energy", add_energy);
}
