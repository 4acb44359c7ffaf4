/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /VTKHDF: temporal PolyData of version 2.0 (VTK file format documentation, "VTKHDF"). Points and
 * their data are appended frame by frame. The lines stay: there is one part, and every step refers
 * to it with the offsets 0. (VTK 9.3 starts to read the lines' offsets at CellOffsets +
 * PartOffsets, so that a part offset that grows with the steps would lead it past their end.)
 * Arrays that are equal by definition are one dataset under several names.
 */
#include "base/lie.h"
#include "io/writer.h"
#include "observe/belt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CIRCLE_CORNERS = HAW_OUTLINE_POINTS - 1 };

static const double pi = 3.14159265358979323846;

const haw_column_spec haw_point_columns[HAW_POINT_FIELDS_MAX] = {
    [HAW_POINT_TENSION] = {"tension", "N", false, false, 0, 1, true},
    [HAW_POINT_STRAIN] = {"strain", "1", false, false, 0, 1, true},
    [HAW_POINT_CURVATURE] = {"curvature", "1/m", false, false, 0, 1, true},
    [HAW_POINT_ELEMENT_TENSION] = {"element_tension", "N", false, false, 0, 1, true},
    [HAW_POINT_NORMAL] = {"contact_normal", "N/m", false, false, 0, 1, true},
    [HAW_POINT_TANGENTIAL] = {"contact_tangential", "N/m", false, false, 0, 1, true},
    [HAW_POINT_CONTACT] = {"contact_state", "1", false, false, 0, 1, true},
    [HAW_POINT_GAP] = {"contact_gap", "m", false, false, 0, 1, true},
    [HAW_POINT_FORCE] = {"contact_force", "N/m", false, false, 0, 3, true},
};

/* ---- outline of a body ---- */

/*
 * A surface of revolution as one line: up a meridian with a circle at every fourth of it, then down
 * and up three more, a quarter of a turn apart; a box alike, a meridian along each upright edge. A
 * plane as a square. The same points carry the surfaces: quadrangles between circles, a disk of the
 * plane, the square.
 */
enum {
    FINEST = 32, /* pieces of a circle and of a meridian */
    COARSEST = 4,
    QUARTERS = 3,  /* further meridians */
    SQUARE = 5,    /* points */
    MOST = 1 << 15 /* points of all bodies, if the coarsest surfaces have no more */
};

/* Pieces of the meridian between two circles. */
static int get_rise(int pieces)
{
    return pieces > 16 ? 4 : pieces > COARSEST ? 2 : 1;
}

static int count_circles(int pieces)
{
    return pieces / get_rise(pieces) + 1;
}

static int count_wire(int pieces)
{
    return pieces + 1 + count_circles(pieces) * pieces + QUARTERS * (pieces / 4 + pieces);
}

/* The finest surfaces with which all bodies together stay within bounds: each point has 120 to 144
 * bytes in a frame, and of a thousand spheres nobody sees the 441 points of one. */
static int choose_pieces(int bodies)
{
    int pieces = FINEST;
    while (pieces > COARSEST && (long)bodies * count_wire(pieces) > MOST) {
        pieces /= 2;
    }
    return pieces;
}

/* Number of points of the outline; the centre alone if a body has no shape. */
static int outline_count(const haw_body *body, int pieces)
{
    if (haw_surface_is_flat(
            &body->surface)) { /* circle: centre, then once around, closed; line: two points */
        return isfinite(haw_body_radius(body)) ? 1 + HAW_OUTLINE_POINTS : 2;
    }
    if (body->surface.ops == NULL) {
        return 1;
    }
    return body->surface.ops->draw != NULL ? count_wire(pieces) : SQUARE;
}

/* In the plane: a closed outline with a spoke, or a piece of a straight line, about the centre. */
static void draw_shape(const haw_body *body, const double pose[3], int count, double half_line,
                       double (*p)[3])
{
    if (count == 2) {
        double normal[2] = {0.0, 1.0};
        const double gap = body->surface.ops->gap(&body->surface, pose, pose, normal);
        for (int i = 0; i < 2; i++) {
            const double along = i == 0 ? -half_line : half_line;
            p[i][0] += -gap * normal[0] + along * normal[1];
            p[i][1] += -gap * normal[1] - along * normal[0];
        }
        return;
    }
    const double r = haw_body_radius(body), c = cos(pose[2]), s = sin(pose[2]);
    double outline[HAW_OUTLINE_POINTS][2];
    for (int i = 0; i < HAW_OUTLINE_POINTS; i++) {
        const double a = 2.0 * pi * (i % CIRCLE_CORNERS) / CIRCLE_CORNERS;
        outline[i][0] = r * cos(a);
        outline[i][1] = r * sin(a);
    }
    if (body->surface.ops->draw != NULL) {
        body->surface.ops->draw(&body->surface, HAW_OUTLINE_POINTS, outline);
    }
    for (int i = 0; i < HAW_OUTLINE_POINTS; i++) {
        p[1 + i][0] += c * outline[i][0] - s * outline[i][1];
        p[1 + i][1] += s * outline[i][0] + c * outline[i][1];
    }
}

/* Local point of the meridian (r, z) at piece k of a circle. */
static void put(const haw_surface *surface, const double meridian[2], int k, int pieces,
                double x[3])
{
    const double angle = 2.0 * pi * fmod(k, pieces) / pieces;
    if (surface->ops->around != NULL) {
        surface->ops->around(surface, meridian, angle, x);
        return;
    }
    x[0] = meridian[0] * cos(angle);
    x[1] = meridian[0] * sin(angle);
    x[2] = meridian[1];
}

static void wire(const haw_surface *surface, int pieces, double (*point)[3])
{
    double meridian[FINEST + 1][2];
    int n = 0;
    surface->ops->draw(surface, pieces + 1, meridian);
    for (int j = 0; j <= pieces; j++) {
        put(surface, meridian[j], 0, pieces, point[n++]);
        for (int k = 1; k <= pieces && j % get_rise(pieces) == 0; k++) {
            put(surface, meridian[j], k, pieces, point[n++]);
        }
    }
    for (int quarter = 1; quarter <= QUARTERS; quarter++) {
        const bool is_down = quarter % 2 == 1;
        const int at = quarter * pieces / 4;
        for (int k = at - pieces / 4 + 1; k <= at; k++) {
            put(surface, meridian[is_down ? pieces : 0], k, pieces, point[n++]);
        }
        for (int j = 1; j <= pieces; j++) {
            put(surface, meridian[is_down ? pieces - j : j], at, pieces, point[n++]);
        }
    }
}

static void square(double half, double (*point)[3])
{
    static const double corner[SQUARE][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    for (int i = 0; i < SQUARE; i++) {
        point[i][0] = half * corner[i][0];
        point[i][1] = half * corner[i][1];
        point[i][2] = 0;
    }
}

/* In space, about the centre. */
static void draw_surface(const haw_body *body, const double pose[7], int pieces, double half_line,
                         double (*p)[3])
{
    double rotation[9];
    const int count = outline_count(body, pieces);
    if (body->surface.ops->draw != NULL) {
        wire(&body->surface, pieces, p);
    } else {
        square(half_line, p);
    }
    quaternion_matrix(pose + 3, rotation);
    for (int i = 0; i < count; i++) {
        double turned[3];
        mat3_apply(rotation, p[i], turned);
        memcpy(p[i], pose, sizeof *p);
        vec3_add(1, turned, p[i]);
    }
}

/* The outline of a body in its present pose. */
static void draw(const haw_body *body, int d, const double *pose, const haw_vtkhdf *vtk,
                 double (*p)[3])
{
    const int count = outline_count(body, vtk->pieces);
    memset(p, 0, (size_t)count * sizeof *p);
    for (int i = 0; i < count; i++) {
        memcpy(p[i], pose, (size_t)d * sizeof *pose);
    }
    if (haw_surface_is_flat(&body->surface)) {
        draw_shape(body, pose, count, vtk->half_line, p);
    } else if (body->surface.ops != NULL) {
        draw_surface(body, pose, vtk->pieces, vtk->half_line, p);
    }
}

/* ---- static part ---- */

static haw_status count_points(haw_writer *writer)
{
    const haw_model *model = writer->model;
    haw_vtkhdf *vtk = &writer->vtkhdf;
    const size_t parts = (size_t)model->cables + (size_t)model->bodies;
    vtk->first_point = haw_arena_allocate(&writer->arena, parts + 1, sizeof *vtk->first_point);
    HAW_TRY(haw_arena_status(&writer->arena));
    vtk->pieces = choose_pieces(model->bodies);
    for (int i = 0; i < model->cables + model->bodies; i++) {
        vtk->points += i < model->cables
                           ? haw_cable_sample_count(model, i)
                           : outline_count(&model->body[i - model->cables], vtk->pieces);
        vtk->first_point[i + 1] = vtk->points;
    }
    vtk->label = haw_arena_allocate(&writer->arena, (size_t)vtk->points + 1, sizeof *vtk->label);
    return haw_arena_status(&writer->arena);
}

/* How far a body, or what is drawn of it, reaches about its centre. */
static double extent(const haw_body *body)
{
    const haw_surface_ops *ops = body->surface.ops;
    double outline[FINEST + 1][2], most = 0.0;
    if (ops->corners > 0 || ops->draw == NULL) {
        return ops->corners > 0 ? haw_body_reach(body) : haw_body_radius(body);
    }
    ops->draw(&body->surface, FINEST + 1, outline);
    for (int i = 0; i <= FINEST; i++) {
        most = fmax(most, hypot(outline[i][0], outline[i][1]));
    }
    return most;
}

/* A plane is drawn three times as long as the largest extent of the scene. */
static double scene_size(const haw_model *model)
{
    double size = 0.0;
    for (int i = 0; i < model->cables; i++) {
        size = fmax(size, model->cable[i].line.le * model->cable[i].line.elements);
    }
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        const double r = body->surface.ops != NULL ? extent(body) : 0.0;
        size = fmax(size, fmax(fabs(body->start[0]), fabs(body->start[1])));
        size = isfinite(r) ? fmax(size, r) : size;
    }
    return size > 0.0 ? 3.0 * size : 1.0;
}

/* Connectivity of all lines: one per cable and per body that has an outline. */
static haw_status write_lines(haw_writer *writer, hid_t lines)
{
    const haw_model *model = writer->model;
    haw_vtkhdf *vtk = &writer->vtkhdf;
    const int parts = model->cables + model->bodies;
    double *corner =
        haw_arena_allocate(&writer->arena, (size_t)vtk->points + (size_t)parts + 1, sizeof *corner);
    HAW_TRY(haw_arena_status(&writer->arena));
    double *offset = corner + vtk->points;
    int cells = 0;
    int corners = 0;
    for (int i = 0; i < parts; i++) {
        const int end = vtk->first_point[i + 1];
        for (int j = vtk->first_point[i]; j < end && end > vtk->first_point[i] + 1; j++) {
            corner[corners++] = j;
        }
        if (end > vtk->first_point[i] + 1) {
            offset[++cells] = corners;
        }
    }
    HAW_TRY(haw_hdf5_array(&writer->file, lines, "Connectivity", H5T_STD_I64LE, corners, corner));
    HAW_TRY(haw_hdf5_array(&writer->file, lines, "Offsets", H5T_STD_I64LE, cells + 1, offset));
    const double counts[2] = {cells, corners};
    HAW_TRY(haw_hdf5_array(&writer->file, lines, "NumberOfCells", H5T_STD_I64LE, 1, &counts[0]));
    return haw_hdf5_array(&writer->file, lines, "NumberOfConnectivityIds", H5T_STD_I64LE, 1,
                          &counts[1]);
}

typedef struct polygons {
    int cells, corners; /* so far */
    double *corner, *offset;
} polygons;

static void put_corner(polygons *p, int point)
{
    p->corner[p->corners++] = point;
}

static void close_polygon(polygons *p)
{
    p->offset[++p->cells] = p->corners;
}

/* Quadrangles between two circles, whose points follow each other. */
static void put_band(polygons *p, int pieces, int low, int high)
{
    for (int k = 0; k < pieces; k++) {
        put_corner(p, low + k);
        put_corner(p, low + k + 1);
        put_corner(p, high + k + 1);
        put_corner(p, high + k);
        close_polygon(p);
    }
}

/* An end, within a circle: seen from outside its corners go round to the left, as all do. */
static void put_face(polygons *p, int pieces, int first, bool is_lower)
{
    for (int k = 0; k < pieces; k++) {
        put_corner(p, first + (is_lower ? pieces - 1 - k : k));
    }
    close_polygon(p);
}

/* The surface of a body on the points of its outline. */
static void put_surface(polygons *p, const haw_body *body, int pieces, int first)
{
    const int count = outline_count(body, pieces), apart = get_rise(pieces) + pieces;
    if (body->surface.ops != NULL && !haw_surface_is_flat(&body->surface) &&
        body->surface.ops->draw != NULL) {
        const int bands = count_circles(pieces) - 1;
        for (int j = 0; j < bands; j++) {
            put_band(p, pieces, first + j * apart, first + (j + 1) * apart);
        }
        for (int j = 0; j <= bands && body->surface.ops->around != NULL; j += bands) {
            put_face(p, pieces, first + j * apart, j == 0);
        }
        return;
    }
    const int centre = count == SQUARE ? 0 : 1;
    for (int k = centre; k + 1 < count && count >= SQUARE; k++) { /* the last is the first */
        put_corner(p, first + k);
    }
    if (count >= SQUARE) {
        close_polygon(p);
    }
}

/* Surfaces of all bodies; the number of those of each body goes to `cells`. */
static haw_status write_polygons(haw_writer *writer, hid_t group, int *cells)
{
    const haw_model *model = writer->model;
    const int pieces = writer->vtkhdf.pieces;
    const int circles = count_circles(pieces);
    const size_t most = (size_t)model->bodies * (size_t)(4 * circles * pieces + HAW_OUTLINE_POINTS);
    polygons p = {.corner = haw_arena_allocate(&writer->arena, most + 1, sizeof(double)),
                  .offset = haw_arena_allocate(&writer->arena, most + 1, sizeof(double))};
    HAW_TRY(haw_arena_status(&writer->arena));
    for (int i = 0; i < model->bodies; i++) {
        const int before = p.cells;
        put_surface(&p, &model->body[i], pieces, writer->vtkhdf.first_point[model->cables + i]);
        cells[i] = p.cells - before;
    }
    const double counts[2] = {p.cells, p.corners};
    haw_hdf5 *file = &writer->file;
    HAW_TRY(haw_hdf5_array(file, group, "Connectivity", H5T_STD_I64LE, p.corners, p.corner));
    HAW_TRY(haw_hdf5_array(file, group, "Offsets", H5T_STD_I64LE, p.cells + 1, p.offset));
    HAW_TRY(haw_hdf5_array(file, group, "NumberOfCells", H5T_STD_I64LE, 1, &counts[0]));
    return haw_hdf5_array(file, group, "NumberOfConnectivityIds", H5T_STD_I64LE, 1, &counts[1]);
}

/* What a cell belongs to: `kind` 0 a cable, 1 a body; `part` its number, cables first, as in the
 * scenario. The order of cells is that of VTK: lines, then polygons. */
static haw_status write_cell_data(haw_writer *writer, hid_t group, const int *polygons_of)
{
    const haw_model *model = writer->model;
    const int parts = model->cables + model->bodies;
    int count = 0, n = 0;
    for (int i = 0; i < parts; i++) {
        count += 1 + (i < model->cables ? 0 : polygons_of[i - model->cables]);
    }
    double *kind = haw_arena_allocate(&writer->arena, 2 * (size_t)count + 1, sizeof *kind);
    HAW_TRY(haw_arena_status(&writer->arena));
    double *part = kind + count;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < parts; i++) {
            const int points = writer->vtkhdf.first_point[i + 1] - writer->vtkhdf.first_point[i];
            const int surface = i < model->cables ? 0 : polygons_of[i - model->cables];
            for (int k = pass == 0 ? points > 1 : surface; k > 0; k--) {
                kind[n] = i < model->cables ? 0 : 1;
                part[n++] = i;
            }
        }
    }
    HAW_TRY(haw_hdf5_array(&writer->file, group, "kind", H5T_STD_I64LE, n, kind));
    return haw_hdf5_array(&writer->file, group, "part", H5T_STD_I64LE, n, part);
}

static haw_status add(haw_writer *writer, hid_t group, const char *name, int components)
{
    const haw_column_spec spec = {
        .name = name, .is_integer = true, .rows = 1, .components = components};
    return haw_table_add(&writer->table, group, &spec);
}

/* Cells: lines, surfaces, and two other kinds that must exist although they are empty. */
static haw_status make_cells(haw_writer *writer, hid_t group)
{
    static const char *const empty[] = {"Vertices", "Strips"};
    static const double zero = 0.0;
    haw_hdf5 *file = &writer->file;
    hid_t lines = -1, surfaces = -1, data = -1, first = -1;
    int *polygons_of =
        haw_arena_allocate(&writer->arena, (size_t)writer->model->bodies + 1, sizeof *polygons_of);
    HAW_TRY(haw_arena_status(&writer->arena));
    HAW_TRY(haw_hdf5_group(file, group, "Lines", &lines));
    HAW_TRY(write_lines(writer, lines));
    HAW_TRY(haw_hdf5_group(file, group, "Polygons", &surfaces));
    HAW_TRY(write_polygons(writer, surfaces, polygons_of));
    HAW_TRY(haw_hdf5_group(file, group, "CellData", &data));
    HAW_TRY(write_cell_data(writer, data, polygons_of));
    HAW_TRY(haw_hdf5_group(file, group, empty[0], &first));
    HAW_TRY(haw_hdf5_array(file, first, "Connectivity", H5T_STD_I64LE, 0, NULL));
    HAW_TRY(haw_hdf5_array(file, first, "Offsets", H5T_STD_I64LE, 1, &zero));
    HAW_TRY(haw_hdf5_array(file, first, "NumberOfCells", H5T_STD_I64LE, 1, &zero));
    HAW_TRY(haw_hdf5_link(file, first, "NumberOfCells", first, "NumberOfConnectivityIds"));
    return haw_hdf5_link(file, group, empty[0], group, empty[1]);
}

static haw_status make_steps(haw_writer *writer, hid_t group)
{
    static const char *const integers[] = {"PartOffsets", "NumberOfParts", "PointOffsets"};
    haw_hdf5 *file = &writer->file;
    const haw_column_spec values = {.name = "Values", .unit = "s", .rows = 1, .components = 1};
    hid_t steps = -1, offsets = -1, cells = -1;
    HAW_TRY(haw_hdf5_group(file, group, "Steps", &steps));
    HAW_TRY(haw_table_add(&writer->table, steps, &values));
    for (int i = 0; i < 3; i++) {
        HAW_TRY(add(writer, steps, integers[i], 1));
    }
    HAW_TRY(add(writer, steps, "CellOffsets", 4));
    HAW_TRY(haw_hdf5_link(file, steps, "CellOffsets", steps, "ConnectivityIdOffsets"));
    HAW_TRY(haw_hdf5_group(file, steps, "CellDataOffsets", &cells)); /* cells stay, like parts */
    HAW_TRY(haw_hdf5_link(file, steps, "PartOffsets", cells, "kind"));
    HAW_TRY(haw_hdf5_link(file, steps, "PartOffsets", cells, "part"));
    HAW_TRY(haw_hdf5_group(file, steps, "PointDataOffsets", &offsets));
    for (int i = 0; i < haw_point_fields(writer->model->dimension); i++) {
        HAW_TRY(haw_hdf5_link(file, steps, "PointOffsets", offsets, haw_point_columns[i].name));
    }
    const long none = 0;
    HAW_TRY(haw_hdf5_integer(file, steps, "NSteps", 1, &none));
    writer->vtkhdf.steps = H5Aopen(steps, "NSteps", H5P_DEFAULT);
    return writer->vtkhdf.steps < 0 ? haw_hdf5_broken(file) : HAW_OK;
}

haw_status haw_vtkhdf_create(haw_writer *writer)
{
    static const long version[2] = {2, 0};
    haw_hdf5 *file = &writer->file;
    haw_vtkhdf *vtk = &writer->vtkhdf;
    hid_t group = -1;
    hid_t data = -1;
    HAW_TRY(count_points(writer));
    const double count = vtk->points;
    vtk->half_line = scene_size(writer->model);
    HAW_TRY(haw_hdf5_group(file, file->id, "VTKHDF", &group));
    HAW_TRY(haw_hdf5_integer(file, group, "Version", 2, version));
    HAW_TRY(haw_hdf5_text(file, group, "Type", "PolyData"));
    const haw_column_spec points = {"Points", "m", false, true, vtk->points, 3, true};
    HAW_TRY(haw_table_store(&writer->table, vtk->points));
    vtk->point_column = writer->table.columns;
    HAW_TRY(haw_table_add(&writer->table, group, &points));
    HAW_TRY(haw_hdf5_group(file, group, "PointData", &data));
    for (int i = 0; i < haw_point_fields(writer->model->dimension); i++) {
        haw_column_spec spec = haw_point_columns[i];
        spec.rows = vtk->points;
        HAW_TRY(haw_table_add(&writer->table, data, &spec));
    }
    vtk->step_column = writer->table.columns;
    HAW_TRY(haw_hdf5_array(file, group, "NumberOfPoints", H5T_STD_I64LE, 1, &count));
    HAW_TRY(make_cells(writer, group));
    return make_steps(writer, group);
}

/* ---- contact fields: forces of the grid spread over the samples of the cables ---- */

/*
 * Forces of grid points are spread over the two samples around each, by the lever rule, and divided
 * by the unstrained length that belongs to a sample: a line load [N/m] with the right sum whatever
 * the two grids are.
 */
typedef struct haw_lever {
    int sample; /* in the points of a frame; the second is the next one */
    int near;   /* the one nearest to the point */
    double share[2];
    double length[2]; /* unstrained, that belongs to the sample [m] */
} haw_lever;

/* The sample at or before a label, of `count` ascending ones. */
static int sample_before(const double *label, int count, double at)
{
    int low = 0, high = count - 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (label[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Where the samples move along the cable. */
static haw_lever moving_lever(const haw_writer *writer, const haw_pair *pair, int point)
{
    const int first = writer->vtkhdf.first_point[pair->cable];
    const int count = writer->vtkhdf.first_point[pair->cable + 1] - first;
    const double *label = writer->vtkhdf.label + first;
    const double at = point * pair->spacing;
    const int left = sample_before(label, count, at);
    const double width = label[left + 1] - label[left];
    const double part = width > 0.0 ? fmin(fmax((at - label[left]) / width, 0.0), 1.0) : 0.0;
    haw_lever lever = {.sample = first + left,
                       .near = first + left + (part > 0.5 ? 1 : 0),
                       .share = {1.0 - part, part}};
    for (int k = 0; k < 2; k++) {
        const int low = left + k > 0 ? left + k - 1 : 0;
        const int high = left + k + 1 < count ? left + k + 1 : count - 1;
        lever.length[k] = 0.5 * (label[high] - label[low]);
    }
    return lever;
}

static haw_lever lever_at(const haw_writer *writer, const haw_pair *pair, int point)
{
    const haw_model *model = writer->model;
    const haw_cable *cable = &model->cable[haw_pair_owner(pair, point)];
    if (cable->ops->label != NULL) {
        return moving_lever(writer, pair, point);
    }
    int element = 0;
    double s = 0.0;
    haw_belt_middle(model, pair, point, &element, &s);
    const int own = (int)(haw_cable_member(cable, &element) - model->cable);
    const haw_line *line = &model->cable[own].line;
    const int samples = haw_cable_samples(model, own);
    const int last = samples * line->elements;
    const int first = writer->vtkhdf.first_point[own];
    const double place = samples * (element + s); /* in samples from the start of the cable */
    const int left = place < last ? (int)place : last - 1;
    haw_lever lever = {.sample = first + left,
                       .near = first + (int)(place + 0.25),
                       .share = {left + 1 - place, place - left}};
    for (int k = 0; k < 2; k++) {
        const bool is_end = left + k == 0 || left + k == last;
        lever.length[k] = line->le / samples * (is_end ? 0.5 : 1.0);
    }
    return lever;
}

/* Normal and tangents of the touch of a grid id; false if there is none. */
static bool find_axes(const haw_frame *frame, int id, int *next, double axis[3][3])
{
    while (*next < frame->touches && frame->touch[*next].id < id) {
        ++*next;
    }
    if (*next == frame->touches || frame->touch[*next].id != id) {
        return false;
    }
    memcpy(axis[0], frame->touch[*next].normal, sizeof axis[0]);
    memcpy(axis[1], frame->touch[*next].tangent, sizeof axis[1]);
    vec3_cross(axis[0], axis[1], axis[2]);
    return true;
}

/*
 * State, gap and loads of a point at the samples next to it. In the plane the tangential load has a
 * sign; in space it is the size of a vector, which is shown beside it.
 *
 * @param next  touches of the last step are listed in the order of their ids
 */
static void spread_point(const haw_writer *writer, const haw_frame *frame, const haw_pair *pair,
                         int point, int *next, double *const *data)
{
    const int d = writer->model->dimension, id = pair->first_point + point;
    const double *force = &frame->point_force[(ptrdiff_t)d * id];
    double *vectors = data[HAW_POINT_FORCE];
    const double load[2] = {force[0], vectors != NULL ? hypot(force[1], force[2]) : force[1]};
    const bool is_closed = frame->point_state != NULL && frame->point_gap != NULL &&
                           frame->point_state[id] != HAW_POINT_OPEN;
    double axis[3][3], vector[3] = {0};
    if (!is_closed && load[0] == 0.0 && load[1] == 0.0) {
        return;
    }
    const haw_lever lever = lever_at(writer, pair, point);
    if (is_closed) {
        data[HAW_POINT_CONTACT][lever.near] = frame->point_state[id];
        data[HAW_POINT_GAP][lever.near] = frame->point_gap[id];
    }
    const bool has_axes = vectors != NULL && find_axes(frame, id, next, axis);
    for (int k = 0; k < d && has_axes; k++) {
        vec3_add(force[k], axis[k], vector);
    }
    for (int k = 0; k < 2; k++) {
        const int sample = lever.sample + k;
        data[HAW_POINT_NORMAL][sample] += lever.share[k] * load[0] / lever.length[k];
        data[HAW_POINT_TANGENTIAL][sample] += lever.share[k] * load[1] / lever.length[k];
        if (vectors != NULL) {
            vec3_add(lever.share[k] / lever.length[k], vector, vectors + (ptrdiff_t)3 * sample);
        }
    }
}

static void put_contacts(const haw_writer *writer, const haw_frame *frame, double *const *data)
{
    const haw_model *model = writer->model;
    double *load[2] = {data[HAW_POINT_NORMAL], data[HAW_POINT_TANGENTIAL]};
    int next = 0;
    for (int i = 0; i < writer->vtkhdf.points; i++) {
        data[HAW_POINT_CONTACT][i] = HAW_POINT_OPEN;
        data[HAW_POINT_GAP][i] = (double)NAN;
    }
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        for (int j = 0; j < pair->points && pair->cable >= 0; j++) {
            spread_point(writer, frame, pair, j, &next, data);
        }
    }
    /* The two ends of a closed cable are one sample, with half the length at either. */
    for (int i = 0; i < model->cables; i++) {
        const int first = writer->vtkhdf.first_point[i];
        const int last = writer->vtkhdf.first_point[i + 1] - 1;
        for (int k = 0; k < 2 && model->cable[i].line.closed; k++) {
            load[k][first] = load[k][last] = 0.5 * (load[k][first] + load[k][last]);
        }
    }
}

/* ---- frames ---- */

static void put_cables(haw_writer *writer, const haw_state *state, double (*point)[3],
                       double *const *data)
{
    for (int i = 0; i < writer->model->cables; i++) {
        const int first = writer->vtkhdf.first_point[i];
        const int n = haw_cable_sample_count(writer->model, i);
        double *x = writer->scratch;
        double *y = x + n;
        double *z = y + n;
        const haw_profile profile = {.xi = writer->vtkhdf.label + first,
                                     .x = x,
                                     .y = y,
                                     .z = z,
                                     .tension = data[HAW_POINT_TENSION] + first,
                                     .strain = data[HAW_POINT_STRAIN] + first,
                                     .curvature = data[HAW_POINT_CURVATURE] + first,
                                     .element_tension = data[HAW_POINT_ELEMENT_TENSION] + first};
        haw_cable_profile(writer->model, i, state->q, state->u, &profile);
        for (int j = 0; j < n; j++) {
            point[first + j][0] = x[j];
            point[first + j][1] = y[j];
            point[first + j][2] = z[j];
        }
    }
}

/* The outline of a body; the point data of rigid bodies are NAN. */
static void put_body(const haw_writer *writer, const haw_state *state, int i, double (*point)[3],
                     double *const *data)
{
    const haw_model *model = writer->model;
    const haw_body *body = &model->body[i];
    const int first = writer->vtkhdf.first_point[model->cables + i];
    draw(body, model->dimension, &state->q[body->first_q], &writer->vtkhdf, &point[first]);
    for (int j = 0; j < outline_count(&model->body[i], writer->vtkhdf.pieces); j++) {
        for (int k = 0; k < haw_point_fields(model->dimension); k++) {
            const int n = haw_point_columns[k].components;
            for (int a = 0; a < n; a++) {
                data[k][n * (first + j) + a] = NAN;
            }
        }
    }
}

void haw_vtkhdf_frame(haw_writer *writer, const haw_frame *frame)
{
    const haw_model *model = writer->model;
    const haw_vtkhdf *vtk = &writer->vtkhdf;
    const haw_table *table = &writer->table;
    double(*point)[3] = (double(*)[3])haw_table_slot(table, vtk->point_column);
    double *data[HAW_POINT_FIELDS_MAX] = {NULL};
    for (int i = 0; i < HAW_POINT_FIELDS || i < haw_point_fields(model->dimension); i++) {
        const size_t components = (size_t)haw_point_columns[i].components;
        data[i] = haw_table_slot(table, vtk->point_column + 1 + i);
        memset(data[i], 0, (size_t)vtk->points * components * sizeof(double));
    }
    put_cables(writer, frame->state, point, data);
    put_contacts(writer, frame, data);
    for (int i = 0; i < model->bodies; i++) {
        put_body(writer, frame->state, i, point, data);
    }
    const double k = (double)(table->frames + table->filled);
    const double step[] = {frame->t, 0.0, 1.0, k * vtk->points};
    const int steps = (int)(sizeof step / sizeof step[0]);
    for (int i = 0; i < steps; i++) {
        *haw_table_slot(table, vtk->step_column + i) = step[i];
    }
    memset(haw_table_slot(table, vtk->step_column + steps), 0, 4 * sizeof(double));
}
