/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Result files: one HDF5 file per run (design: /VTKHDF for ParaView, /hawser for the rest),
 * and its export to CSV and .vtp/.pvd.
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

#ifdef __cplusplus
}
#endif
#endif
