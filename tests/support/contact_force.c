/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/contact_force.h"

#include "contact/contact.h"
#include "stepper/simulation.h"

double contact_force(const haw_simulation *simulation, int row)
{
    const haw_contacts *contacts = simulation->contacts;
    return contacts->phase == HAW_STATICS ? contacts->force[row]
                                          : contacts->impulse[row] / simulation->h;
}
