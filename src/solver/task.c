/* SPDX-License-Identifier: BSD-3-Clause */
/* The referee's question, the observer and budgets, in one place for every row. */
#include "solver/task.h"

#include "base/status.h"
#include "solver/referee.h"

#include <math.h>
#include <string.h>

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
    return task->stopped || task->effort.iterations >= task->max_iterations ||
           flops(task) >= task->max_flops;
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
