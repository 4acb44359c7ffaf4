/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/arcs.h"

#include "support/random.h"

double uniform(uint64_t *seed, double from, double to)
{
    return from + (to - from) * 0.5 * (random_signed(seed) + 1);
}

double spread(uint64_t *seed, double from, double to)
{
    return exp(uniform(seed, log(from), log(to)));
}

double tension_at(double alpha, void *data)
{
    const curve *c = data;
    return c->profile(c->solution, alpha).tension;
}

double tangential_at(double alpha, void *data)
{
    const curve *c = data;
    return c->profile(c->solution, alpha).tangential;
}

double slope_of(double (*f)(double, void *), const curve *c, double at, double h)
{
    curve d = *c;
    return (8 * (f(at + h, &d) - f(at - h, &d)) - (f(at + 2 * h, &d) - f(at - 2 * h, &d))) /
           (12 * h);
}

double integral_of(double (*f)(double, void *), const curve *c, double from, double to,
                   double layer)
{
    curve d = *c;
    const gsl_function function = {f, &d};
    double at[4] = {from, from + layer, to - layer, to}, sum = 0;
    gsl_integration_workspace *work = gsl_integration_workspace_alloc(2000);
    if (!(2 * layer < to - from)) {
        at[1] = at[2] = 0.5 * (from + to);
    }
    for (int i = 0; i < 3; ++i) {
        double part = 0, error = 0;
        if (at[i + 1] > at[i]) {
            (void)gsl_integration_qag(&function, at[i], at[i + 1], 0, 1e-13, 2000,
                                      GSL_INTEG_GAUSS61, work, &part, &error);
        }
        sum += part;
    }
    gsl_integration_workspace_free(work);
    return sum;
}
