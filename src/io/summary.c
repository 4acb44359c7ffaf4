/* SPDX-License-Identifier: BSD-3-Clause */
/* What is written when the run has ended: the summary, and views of the profiles by cable. */
#include "io/writer.h"

#include <stdio.h>
#include <string.h>

/*
 * A virtual dataset [frame][point] of rows that lie `frame` apart in a dataset of /VTKHDF. The
 * bytes stay there, where the program and ParaView read the same. HDF5 can make such views of a
 * fixed number of frames only: they are made when the run has ended.
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
    const hid_t set =
        is_set ? H5Dcreate2(group, names[0], H5T_IEEE_F64LE, view, H5P_DEFAULT, create, H5P_DEFAULT)
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
    HAW_TRY(haw_members_visit(writer, parent, HAW_MEMBER_CABLE, make_views));
    HAW_TRY(haw_members_visit(writer, parent, HAW_MEMBER_PAIR, haw_contact_profile_write));
    if (summary == NULL) {
        return haw_hdf5_leave(&writer->file, parent);
    }
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "summary", &group));
    HAW_TRY(haw_hdf5_text(&writer->file, group, "stepper", summary->stepper));
    HAW_TRY(haw_hdf5_text(&writer->file, group, "solver", summary->solver));
    HAW_TRY(write_attributes(writer, group, haw_summary_fields, summary));
    HAW_TRY(write_attributes(writer, group, haw_ledger_fields, &summary->ledger));
    HAW_TRY(write_attributes(writer, group, haw_certificate_fields, &summary->certificate));
    HAW_TRY(haw_hdf5_leave(&writer->file, group));
    return haw_hdf5_leave(&writer->file, parent);
}
