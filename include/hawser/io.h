/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Result files: one HDF5 file per run (design: /VTKHDF for ParaView, /hawser for the rest),
 * and its export to CSV and .vtp/.pvd; contact problems as FCLIB files.
 */
#ifndef HAWSER_IO_H
#define HAWSER_IO_H

#include <hawser/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct haw_writer haw_writer;

/**
 * Open `file`.part; it becomes `file` when the writer is closed.
 * Frames are buffered and flushed every few of them: a killed run stays readable to there.
 *
 * @return ERR_IO with the reason (missing folder, no space left on the device, ...)
 */
HAW_API HAW_NODISCARD haw_status haw_writer_open(haw_context *context, const char *file,
                                                 const haw_scenario *scenario,
                                                 const haw_model *model,
                                                 const haw_simulation *simulation,
                                                 haw_writer **writer);
HAW_API HAW_NODISCARD haw_status haw_writer_frame(haw_writer *writer, const haw_frame *frame);
HAW_API HAW_NODISCARD haw_status haw_writer_event(haw_writer *writer, const haw_event *event);

/** Flush, write the summary, close and rename. Frees the writer whatever it returns. */
HAW_API HAW_NODISCARD haw_status haw_writer_close(haw_writer *writer, const haw_summary *summary);

/** Histories, events and profiles as CSV files in a folder (made if missing). */
HAW_API HAW_NODISCARD haw_status haw_export_csv(haw_context *context, const char *results,
                                                const char *folder);

/** Centrelines as .vtp files with a .pvd collection, for ParaView before 5.12. */
HAW_API HAW_NODISCARD haw_status haw_export_vtp(haw_context *context, const char *results,
                                                const char *folder);

/* Texts of an FCLIB file (NULL: empty), and an answer to its problem. */
typedef struct haw_fclib_info {
    const char *title, *description, *math_info;
    const double
        *impulses; /* [n d]; written with their u as /solution/r and /solution/u; NULL: none */
} haw_fclib_info;

/**
 * Read a contact problem from an FCLIB file: local or global form, any encoding of its matrices.
 * Bilateral rows of a local form are eliminated; solutions and guesses are not read.
 *
 * @param problem  out: has passed haw_problem_check; freed by haw_problem_free
 * @return ERR_IO: missing or unreadable file; ERR_INPUT: "path: /fclib_local/W/p: reason"
 */
HAW_API HAW_NODISCARD haw_status haw_fclib_read(haw_context *context, const char *path,
                                                haw_problem **problem);

/**
 * Write a contact problem as an FCLIB file, through `path`.part.
 *
 * @param info  NULL: empty texts
 * @return ERR_IO with the reason (missing folder, no space left on the device, ...)
 */
HAW_API HAW_NODISCARD haw_status haw_fclib_write(haw_context *context, const char *path,
                                                 const haw_problem *problem,
                                                 const haw_fclib_info *info);

#ifdef __cplusplus
}
#endif
#endif
