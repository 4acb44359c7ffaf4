/* SPDX-License-Identifier: BSD-3-Clause */
/* The contact problem of an implicit step in its global form, over the equations of a system. */
#ifndef HAWSER_CONTACT_ROWS_H
#define HAWSER_CONTACT_ROWS_H

#include "contact/contact.h"
#include "model/system.h"

/** H^T [d count x equations] of the listed contacts, columns ascending; from the arena. */
HAW_NODISCARD haw_status haw_contact_rows(const haw_contacts *contacts, const haw_system *system,
                                          haw_arena *arena, haw_csr *ht);

/**
 * (A + A^T) / 2 with A = scale times the entries of the system's matrix: what damping of a
 * stretched cable and turned sections add is not symmetric, but solvers are faster on a matrix that
 * is. Newton's method on the mechanics has the same limit with either.
 */
HAW_NODISCARD haw_status haw_contact_matrix(const haw_system *system, double scale,
                                            haw_arena *arena, haw_csr *matrix);

#endif
