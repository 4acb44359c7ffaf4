/* SPDX-License-Identifier: BSD-3-Clause */
/* The referee's question, the observer and budgets, in one place for every row; when a sweeping
 * method asks the referee, and when it gives up. */
#include "solver/referee.h"
#include "solver/solver.h"

#include <math.h>

double *haw_task_doubles(haw_task *task, size_t count)
{
    return haw_arena_allocate(task->arena, count, sizeof(double));
}

double *haw_task_weights(haw_task *task)
{
    const int n = task->problem->contacts, d = task->problem->dimension;
    double *w = haw_task_doubles(task, (size_t)n), sum = 0.0;
    int count = 0;

    if (w == NULL) {
        return NULL;
    }
    for (int c = 0; c < n; c++) {
        const double *block = haw_operator_block(&task->op, c);

        for (int i = 0; i < d; i++) {
            w[c] += block[i * (d + 1)] / d;
        }
        if (w[c] > 0.0) {
            sum += w[c];
            count++;
        }
    }
    for (int c = 0; c < n; c++) {
        if (!(w[c] > 0.0)) {
            w[c] = count > 0 ? sum / count : 1.0;
        }
    }
    return w;
}

double haw_task_judge(haw_task *task, const double *r, const double *u)
{
    const double natural = haw_referee_stop(&task->op, task->v_ref, r, u);

    task->best = fmin(task->best, natural);
    if (task->observer != NULL && task->observer->observe != NULL) {
        const haw_solve_progress progress = {task->solver, &task->effort, natural, task->best};

        task->stopped = task->observer->observe(task->observer->user, &progress) || task->stopped;
    }
    return natural;
}

void haw_task_velocity(haw_task *task, const double *r, double *u)
{
    haw_operator_velocity(&task->op, r, u);
    task->effort.products++;
    task->effort.first_order_flops += task->op.flops;
}

double haw_task_natural(haw_task *task, const double *r, double *u)
{
    haw_task_velocity(task, r, u);
    return haw_task_judge(task, r, u);
}

static double flops(const haw_task *task)
{
    return task->effort.newton_flops + task->effort.first_order_flops;
}

bool haw_task_exhausted(const haw_task *task)
{
    return task->stopped || haw_context_insists(task->context) ||
           task->effort.iterations >= task->max_iterations || flops(task) >= task->max_flops;
}

haw_status haw_task_delegate(haw_task *task, const haw_solver_settings *settings,
                             const haw_budget *budget, double *r)
{
    const int left = task->max_iterations - task->effort.iterations;
    const int iterations = budget->iterations < left ? budget->iterations : left;
    const haw_task own = *task;
    const haw_arena_mark memory = haw_arena_here(task->arena);

    task->max_iterations = task->effort.iterations + iterations;
    task->max_flops = fmin(task->max_flops, flops(task) + budget->flops);
    task->solver = settings->ops->row.name;
    const haw_status status = settings->ops->solve(task, settings->options, r);

    haw_arena_rewind(task->arena, &memory);
    task->max_iterations = own.max_iterations;
    task->max_flops = own.max_flops;
    task->solver = own.solver;
    return status;
}

/* ---- sweeping methods ---- */

enum { ASK_EVERY = 16, PATIENCE = 10000 };

void haw_monitor_init(haw_monitor *monitor, haw_task *task, double *u)
{
    *monitor = (haw_monitor){.task = task, .next = 1, .best = INFINITY};
    monitor->u = u;
}

bool haw_monitor_ask(haw_monitor *monitor, double change, const double *r)
{
    const double tolerance = monitor->task->tolerance;
    const double natural = haw_task_natural(monitor->task, r, monitor->u);

    if (natural <= tolerance || !(natural <= DBL_MAX) || change == 0.0) {
        return true;
    }
    monitor->trigger = change * (tolerance / natural);
    monitor->next = monitor->sweep + ASK_EVERY;
    if (natural < 0.99 * monitor->best) {
        monitor->best = natural;
        monitor->best_at = monitor->sweep;
    }
    return haw_monitor_idle(monitor) >= PATIENCE || haw_task_exhausted(monitor->task);
}
