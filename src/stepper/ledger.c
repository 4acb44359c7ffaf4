/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger takes one step: sums, and the balance of what every stepper has found by itself. */
#include "stepper/simulation.h"

#include <math.h>

void haw_ledger_book(haw_simulation *simulation, haw_energy energy, double kinetic,
                     const haw_step_losses *step)
{
    haw_ledger *ledger = &simulation->ledger;
    const double elastic = energy.elastic - simulation->energy.elastic;
    const double gravity = energy.gravity - simulation->energy.gravity;
    const double balance = (kinetic - simulation->kinetic) + elastic + gravity - step->external +
                           step->friction + step->impact + step->damping + step->numerical;
    ledger->external_work += step->external;
    ledger->friction_loss += step->friction;
    ledger->impact_loss += step->impact;
    ledger->damping_loss += step->damping;
    ledger->numerical_loss += step->numerical;
    ledger->balance_error = fmax(ledger->balance_error, fabs(balance));
    ledger->balance_drift += balance;
    ledger->kinetic = kinetic;
    ledger->elastic = energy.elastic;
    ledger->gravity = energy.gravity;
}
