/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writer of a results file, shared by the files that make its parts:
 *
 *     /VTKHDF             centrelines and outlines of the bodies, as ParaView wants them (vtkhdf.c)
 *     /hawser/scenario    text of the scenario
 *     /hawser/options     attributes: version, stepper, solver, all their options
 *     /hawser/energy      t, step and the ledger, one column each
 *     /hawser/solver      certificate
 *     /hawser/contacts/P  sums of pair P; at the end `profile` with one row for each grid point
 *     /hawser/bodies/B    position, angle, velocity, spin, torque of a prescribed spin; in space
 *                         orientation instead of the angle, and angular_velocity
 *     /hawser/cables/C    tension_mean, xi; at the end the point data as [frame][point] views
 *     /hawser/probes      under their names
 *     /hawser/sheaves/P   angle, normal, tangential, tension, slip of the knots of a rope
 *     /hawser/events      t, pair, kind, value
 *     /hawser/checkpoint  what a run goes on from, where there is one (checkpoint.c)
 *     /hawser/summary     attributes, written when the run ends
 */
#ifndef HAWSER_IO_WRITER_H
#define HAWSER_IO_WRITER_H

#include "io/field.h"
#include "io/table.h"
#include "model/model.h"

#include <hawser/io.h>
#include <hawser/stepper.h>

enum {
    HAW_POINT_FIELDS = 8,
    HAW_POINT_FIELDS_MAX = 9, /* of spatial models */
    HAW_OUTLINE_POINTS = 65
};

/* Order of the point data of /VTKHDF. */
typedef enum haw_point_field {
    HAW_POINT_TENSION,
    HAW_POINT_STRAIN,
    HAW_POINT_CURVATURE,
    HAW_POINT_ELEMENT_TENSION,
    HAW_POINT_NORMAL,
    HAW_POINT_TANGENTIAL,
    HAW_POINT_CONTACT,
    HAW_POINT_GAP,
    HAW_POINT_FORCE /* vector, of spatial models only */
} haw_point_field;

extern const haw_column_spec haw_point_columns[HAW_POINT_FIELDS_MAX]; /* rows left open */

/** Number of point fields of a dimension. */
static inline int haw_point_fields(int dimension)
{
    static const int fields[] = {[2] = HAW_POINT_FIELDS, [3] = HAW_POINT_FIELDS_MAX};
    return fields[dimension];
}

typedef struct haw_vtkhdf {
    int points;       /* of a frame */
    int *first_point; /* [cables + bodies + 1] of each in a frame, and the end */
    int pieces;       /* of circles and meridians of bodies */
    double half_line; /* half length at which a plane is drawn [m] */
    double *label;    /* [points] unstrained arc lengths of the samples of cables [m] */
    hid_t steps;      /* attribute NSteps */
    int point_column; /* the first of this part's columns */
    int step_column;
} haw_vtkhdf;

/* The last checkpoint of the run, and when one was saved beside the file. */
typedef struct haw_save {
    const haw_checkpoint *checkpoint; /* NULL: none yet */
    long frames, events;              /* of the file before it */
    double last_wall;                 /* [s] */
    long last_frames;
    bool is_wanted; /* in the file itself */
    bool is_missed; /* the last one that was due could not be saved: said once until one can */
} haw_save;

struct haw_writer {
    haw_context *context;
    haw_arena arena;
    haw_hdf5 file;
    const haw_scenario *scenario;     /* NULL: built through the library */
    const char *resolved;             /* the scenario with every default and --set written out */
    const haw_simulation *simulation; /* source of the settings; NULL: not known */
    const haw_model *model;
    haw_table table, events;
    haw_vtkhdf vtkhdf;
    hid_t clock; /* the group whose t stands beside every series */
    int energy_column, solver_column, pair_column, body_column, cable_column, probe_column,
        sheave_column;
    int probes;
    double *scratch;             /* x, y, z of the longest cable */
    struct haw_last_frame *last; /* contact_profile.c */
    struct haw_wrap_knot *knot;  /* [points of the largest pair of knots] */
    haw_status ended;            /* how the run did */
    haw_save save;
    bool has_failed;   /* all further frames are dropped */
    char failure[256]; /* why */
};

/** The group /VTKHDF with its columns. */
HAW_NODISCARD haw_status haw_vtkhdf_create(haw_writer *writer);

/** Put one frame into the columns of /VTKHDF. */
void haw_vtkhdf_frame(haw_writer *writer, const haw_frame *frame);

typedef enum haw_member_kind { HAW_MEMBER_PAIR, HAW_MEMBER_BODY, HAW_MEMBER_CABLE } haw_member_kind;

typedef haw_status haw_member_visit(haw_writer *writer, int i, hid_t group);

/** Visit the groups of all members of a kind, made if missing. @param parent  /hawser */
HAW_NODISCARD haw_status haw_members_visit(haw_writer *writer, hid_t parent, haw_member_kind kind,
                                           haw_member_visit *visit);

/** Write what has been buffered. */
HAW_NODISCARD haw_status haw_writer_flush(haw_writer *writer);

/* ---- checkpoint.c ---- */

void haw_save_begin(haw_writer *writer);

/** /hawser/checkpoint into the file itself, before it is closed. */
HAW_NODISCARD haw_status haw_save_write(haw_writer *writer);

/** Checkpoints beside a file that is complete: the last one is of no use any more. */
void haw_save_retire(haw_writer *writer);

/** Everything below /hawser. */
HAW_NODISCARD haw_status haw_groups_create(haw_writer *writer);
void haw_groups_frame(haw_writer *writer, const haw_frame *frame);

/** /hawser/summary (unless NULL) and the views of /hawser/cables, once all frames are written. */
HAW_NODISCARD haw_status haw_summary_write(haw_writer *writer, const haw_summary *summary);

/* Columns of a contact profile. In the plane there is one tangential stress, in space two. */
typedef enum haw_contact_column {
    HAW_CONTACT_XI,
    HAW_CONTACT_X,
    HAW_CONTACT_Y,
    HAW_CONTACT_Z,
    HAW_CONTACT_ANGLE,
    HAW_CONTACT_GAP,
    HAW_CONTACT_NORMAL, /* and the tangential ones behind it */
    HAW_CONTACT_TANGENTIAL,
    HAW_CONTACT_TANGENTIAL_2,
    HAW_CONTACT_STATE,
    HAW_CONTACT_TENSION,
    HAW_CONTACT_STRAIN,
    HAW_CONTACT_CURVATURE,
    HAW_CONTACT_SPEED,
    HAW_CONTACT_SLIP,
    HAW_CONTACT_COLUMNS
} haw_contact_column;

/* Names by dimension, [2] and [3]; NULL: no such column. */
typedef struct haw_contact_name {
    const char *name[4], *unit;
} haw_contact_name;

extern const haw_contact_name haw_contact_names[HAW_CONTACT_COLUMNS];

/** Room for the last frame. */
HAW_NODISCARD haw_status haw_contact_profile_create(haw_writer *writer);

/** Keep what the profiles need of a frame. */
void haw_contact_profile_keep(haw_writer *writer, const haw_frame *frame);

/** Bytes that the profiles will take in the file. */
size_t haw_contact_profile_bytes(const haw_writer *writer);

/** /hawser/contacts/P/profile of the last frame of a pair with a cable; `pair`: its group. */
HAW_NODISCARD haw_status haw_contact_profile_write(haw_writer *writer, int index, hid_t pair);

/** Name of a pair, cable-body. */
void haw_pair_name(const haw_model *model, int pair, char *name, size_t bytes);

#endif
