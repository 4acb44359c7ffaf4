/* SPDX-License-Identifier: BSD-3-Clause */
/* Growing the contact workspace to a new largest number of closed points. */
#ifndef HAWSER_CONTACT_GROW_H
#define HAWSER_CONTACT_GROW_H

#include "contact/contact.h"

/** Room for `count` contacts; the items found so far are kept. */
HAW_NODISCARD haw_status haw_contacts_reserve(haw_contacts *contacts, int count);

/** The same without room for the matrix of the contact problem, which is quadratic in `count`. */
HAW_NODISCARD haw_status haw_contacts_reserve_rows(haw_contacts *contacts, int count);

enum { HAW_DELASSUS_COLUMNS = 2 * HAW_DIRECTIONS }; /* of one solve: two contacts */

#endif
