/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hawser export: the cells of every frame as VTK XML PolyData with a .pvd collection, for ParaView
 * before 5.12 ("VTK XML file formats" of the VTK documentation). Plain text, 9 digits.
 */
#include "io/file.h"
#include "io/results.h"
#include "io/writer.h"

#include <hawser/io.h>

#include <math.h>

/* The cells of the file and room for one frame of points or of one field. */
typedef struct scene {
    haw_results *results;
    const char *folder;
    haw_array t;
    haw_cells lines, polygons;
    double *value; /* [3 * points] */
    int count;     /* points of a frame */
} scene;

static haw_status read_scene(scene *s)
{
    HAW_TRY(haw_results_column(s->results, "energy", NULL, "t", 1, &s->t));
    HAW_TRY(haw_results_points(s->results, &s->count));
    HAW_TRY(haw_results_cells(s->results, "Lines", s->count, &s->lines));
    HAW_TRY(haw_results_cells(s->results, "Polygons", s->count, &s->polygons));
    s->value = haw_arena_allocate(&s->results->arena, (size_t)s->count * 3 + 1, sizeof(double));
    return haw_arena_status(&s->results->arena);
}

static void write_integers(FILE *stream, const char *name, int count, const double *value)
{
    (void)fprintf(stream, "        <DataArray type=\"Int64\" Name=\"%s\" format=\"ascii\">\n",
                  name);
    for (int i = 0; i < count; i++) {
        (void)fprintf(stream, "%.0f%c", value[i], i % 16 == 15 || i + 1 == count ? '\n' : ' ');
    }
    (void)fputs("        </DataArray>\n", stream);
}

/* Not every reader accepts NaN in a VTK text file: points without a value get 0. */
static void write_reals(FILE *stream, const char *name, int components, int count,
                        const double *value)
{
    (void)fprintf(stream,
                  "        <DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" "
                  "format=\"ascii\">\n",
                  name, components);
    for (int i = 0; i < count * components; i++) {
        (void)fprintf(stream, "%.9g%c", isfinite(value[i]) ? value[i] : 0.0,
                      (i + 1) % components == 0 ? '\n' : ' ');
    }
    (void)fputs("        </DataArray>\n", stream);
}

static haw_status write_fields(const scene *s, int frame, FILE *stream)
{
    (void)fputs("      <PointData Scalars=\"tension\">\n", stream);
    for (int i = 0; i < haw_point_fields(s->results->dimension); i++) {
        const int components = haw_point_columns[i].components;
        const haw_block block = {
            .row = frame * s->count, .rows = s->count, .components = components};
        char path[64];
        (void)snprintf(path, sizeof path, "/VTKHDF/PointData/%s", haw_point_columns[i].name);
        HAW_TRY(haw_results_block(s->results, path, &block, s->value));
        write_reals(stream, haw_point_columns[i].name, components, s->count, s->value);
    }
    (void)fputs("      </PointData>\n", stream);
    return HAW_OK;
}

static void write_cells(FILE *stream, const char *name, const haw_cells *c)
{
    (void)fprintf(stream, "      <%s>\n", name);
    write_integers(stream, "connectivity", c->corners.rows, c->corners.value);
    write_integers(stream, "offsets", c->count, c->offsets.value + 1);
    (void)fprintf(stream, "      </%s>\n", name);
}

/* Files of earlier versions have none. */
static haw_status write_cell_data(const scene *s, FILE *stream)
{
    static const char *const name[] = {"kind", "part"};
    const char *part = "/VTKHDF/CellData/part";
    if (!haw_results_has(s->results, "%s", part)) {
        return haw_results_without(s->results, part);
    }
    (void)fputs("      <CellData Scalars=\"kind\">\n", stream);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        haw_array value;
        const haw_arena_mark mark = haw_arena_here(&s->results->arena);
        HAW_TRY(haw_results_array(s->results, &value, "/VTKHDF/CellData/%s", name[i]));
        write_integers(stream, name[i], value.rows, value.value);
        haw_arena_rewind(&s->results->arena, &mark);
    }
    (void)fputs("      </CellData>\n", stream);
    return HAW_OK;
}

static haw_status write_piece(const scene *s, int frame, FILE *stream)
{
    const haw_block block = {.row = frame * s->count, .rows = s->count, .components = 3};
    (void)fprintf(stream,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
                  "byte_order=\"LittleEndian\">\n  <PolyData>\n    <Piece NumberOfPoints=\"%d\" "
                  "NumberOfVerts=\"0\" NumberOfLines=\"%d\" NumberOfStrips=\"0\" "
                  "NumberOfPolys=\"%d\">\n",
                  s->count, s->lines.count, s->polygons.count);
    HAW_TRY(write_fields(s, frame, stream));
    HAW_TRY(write_cell_data(s, stream));
    HAW_TRY(haw_results_block(s->results, "/VTKHDF/Points", &block, s->value));
    (void)fputs("      <Points>\n", stream);
    write_reals(stream, "Points", 3, s->count, s->value);
    (void)fputs("      </Points>\n", stream);
    write_cells(stream, "Lines", &s->lines);
    write_cells(stream, "Polys", &s->polygons);
    (void)fputs("    </Piece>\n  </PolyData>\n</VTKFile>\n", stream);
    return HAW_OK;
}

static haw_status write_collection(const scene *s)
{
    haw_text text;
    HAW_TRY(haw_text_open(s->results->context, &text, s->folder, "lines.pvd"));
    (void)fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                "byte_order=\"LittleEndian\">\n  <Collection>\n",
                text.stream);
    for (int i = 0; i < s->t.rows; i++) {
        (void)fprintf(text.stream,
                      "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"lines-%05d.vtp\"/>\n",
                      s->t.value[i], i);
    }
    (void)fputs("  </Collection>\n</VTKFile>\n", text.stream);
    return haw_text_close(&text, HAW_OK);
}

static haw_status write_all(scene *s)
{
    HAW_TRY(haw_folder_make(s->results->context, s->folder));
    HAW_TRY(read_scene(s));
    for (int i = 0; i < s->t.rows; i++) {
        haw_text text;
        HAW_TRY(haw_text_open(s->results->context, &text, s->folder, "lines-%05d.vtp", i));
        HAW_TRY(haw_text_close(&text, write_piece(s, i, text.stream)));
    }
    return write_collection(s);
}

haw_status haw_export_vtp(haw_context *context, const char *results, const char *folder)
{
    scene s = {.folder = folder};
    HAW_TRY(haw_results_open(context, results, &s.results));
    return haw_results_end(s.results, write_all(&s));
}
