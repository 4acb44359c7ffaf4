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

/**
 * A checkpoint of the run (haw_observer): it is written beside the file, as `file`.ckpt with all
 * that is in the file, where the run's settings ask for it now.
 *
 * @param checkpoint  must stay as it is until the next one, or until the writer is closed
 * @return ERR_IO with the reason; the checkpoints before are as they were
 */
HAW_API HAW_NODISCARD haw_status haw_writer_checkpoint(haw_writer *writer,
                                                       const haw_checkpoint *checkpoint);

/**
 * How the run ended, before the writer is closed. After ERR_CANCELLED the file gets the last
 * checkpoint; a run that failed leaves results that stand there as they are, and writes
 * NAME.failed.h5.
 *
 * @return the name that the file will have, valid until the writer is closed; NULL: no memory
 */
HAW_API const char *haw_writer_end(haw_writer *writer, haw_status status);

/** Flush, write the summary, close and rename. Frees the writer whatever it returns. */
HAW_API HAW_NODISCARD haw_status haw_writer_close(haw_writer *writer, const haw_summary *summary);

/* A run as it was at its last checkpoint. */
typedef struct haw_saved {
    const char *path;        /* the file that it was read from */
    const char *file, *text; /* its scenario: name, and the text as it was given */
    const char *resolved;    /* as haw_scenario_resolve writes it */
    int sets;
    const char *const *set; /* [sets] path=value */
    haw_checkpoint checkpoint;
    long frames; /* in its results */
    int events;
    const haw_event *event; /* [events] so far */
    void *memory;           /* owner of everything above */
} haw_saved;

/**
 * Read the checkpoint of a results file, or of the one that a run left beside it (`file`.ckpt).
 * @return ERR_IO: missing or damaged; ERR_INPUT: it has none, or it is one of another version
 */
HAW_API HAW_NODISCARD haw_status haw_saved_read(haw_context *context, const char *file,
                                                haw_saved **saved);
HAW_API void haw_saved_free(haw_context *context, haw_saved *saved);

/** Begin a file that was just opened with the frames and events of a run up to its checkpoint. */
HAW_API HAW_NODISCARD haw_status haw_writer_continue(haw_writer *writer, const haw_saved *saved);

/** Close a file that is not wanted after all, and remove it. NULL is accepted. */
HAW_API void haw_writer_discard(haw_writer *writer);

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
