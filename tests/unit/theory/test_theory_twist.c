/* SPDX-License-Identifier: BSD-3-Clause */
/* Ply, plectoneme, twisted ring and rod, knot: printed figures, and the same by another method. */
#include "base/lie.h"
#include "support/theory.h"

#include <complex.h>
#include <gsl/gsl_multimin.h>

static const double pi = 3.14159265358979323846;

/* ---- ply ---- */

enum { PLATES, SPIN, BALANCED };

static const char *const ends_of[] = {"plates", "spin", "balanced"};

static haw_theory_result ply(void *context, double beta, double tension, int ends)
{
    const setting set[] = {{"beta-deg", beta}, {"tension", tension}, {"ends", 0, ends_of[ends]}};
    return theory_run(context, "ply", 3, set);
}

static void plies_have_the_printed_figures(void **state)
{
    static const struct {
        double beta;
        const char *pitch, *moment, *contact, *moment_spin, *contact_spin;
    } row[] = {{10, "35.634", ".430759", "635.78", ".0364261", "1734.43"},
               {15, "23.449", ".655963", "2320.11", ".114294", "7742.13"},
               {20, "17.263", ".891820", "6205.11", ".258662", "22739.3"},
               {25, "13.474", "1.140076", "13534.2", ".483595", "52079.4"}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        haw_theory_result plates = ply(*state, row[i].beta, 20, PLATES);
        haw_theory_result spin = ply(*state, row[i].beta, 20, SPIN);
        assert_digits(1e3 * haw_theory_value(&plates, "pitch"), row[i].pitch);
        assert_digits(haw_theory_value(&plates, "moment"), row[i].moment);
        assert_digits(haw_theory_value(&plates, "contact"), row[i].contact);
        assert_digits(haw_theory_value(&spin, "moment"), row[i].moment_spin);
        assert_digits(haw_theory_value(&spin, "contact"), row[i].contact_spin);
        haw_theory_result_free(*state, &plates);
        haw_theory_result_free(*state, &spin);
    }
    /* measured in the middle of clamped plies of two and three turns */
    static const double middle[][3] = {{9.769, .03420, 1597}, {14.36, .10130, 6607}};
    for (int i = 0; i < 2; ++i) {
        haw_theory_result spin = ply(*state, middle[i][0], 20, SPIN);
        assert_near(haw_theory_value(&spin, "moment"), middle[i][1], 0, 5e-3);
        assert_near(haw_theory_value(&spin, "contact"), middle[i][2], 0, 5e-3);
        haw_theory_result_free(*state, &spin);
    }
}

/* Energy of both rods per length of a rod. `twist`: what u3 has beyond the torsion; NAN: no u3. */
static double ply_energy(double beta, double r, double twist)
{
    const double b = 1.570796e-3, c = 1.208305e-3, k = sin(beta) * sin(beta) / r;
    const double u3 = isnan(twist) ? 0 : sin(beta) * cos(beta) / r + twist;
    return b * k * k + c * u3 * u3;
}

/* dU = T dl + M dPhi + 2 p dr per length of a rod, l = cos, Phi = sin / r. */
static void a_ply_follows_from_its_energy(void **state)
{
    const double r = 1e-3, step = 1e-5;
    for (int deg = 5; deg < 44; deg += 6) {
        for (int ends = PLATES; ends <= BALANCED; ++ends) {
            haw_theory_result it = ply(*state, deg, 20, ends);
            const double beta = deg * pi / 180, t = sin(beta) * cos(beta) / r;
            const double more = ends == BALANCED ? haw_theory_value(&it, "twist") - t
                                : ends == SPIN   ? (double)NAN
                                                 : 0;
            const double by_beta =
                (ply_energy(beta + step, r, more) - ply_energy(beta - step, r, more)) / (2 * step);
            const double by_r =
                (ply_energy(beta, r * (1 + step), more) - ply_energy(beta, r * (1 - step), more)) /
                (2 * step * r);
            const double tension = haw_theory_value(&it, "tension");
            const double moment = r / cos(beta) * (by_beta + tension * sin(beta));
            assert_near(haw_theory_value(&it, "moment"), moment, 1e-9, 1e-7);
            assert_near(haw_theory_value(&it, "contact"),
                        by_r / 2 + moment * sin(beta) / (2 * r * r), 1e-3, 1e-7);
            haw_theory_result_free(*state, &it);
        }
    }
    const setting locked[] = {{"beta-deg", 45}};
    theory_refuses(*state, "ply", 1, locked, "locks at 45");
}

static void a_balanced_ply_has_no_force_and_no_moment(void **state)
{
    const double b = 1.570796e-3, r = 1e-3, beta = pi / 9, s = sin(beta);
    haw_theory_result it = ply(*state, 20, 20, BALANCED);
    const double k = haw_theory_value(&it, "curvature"),
                 q = haw_theory_value(&it, "section_torque");
    const double ft = haw_theory_value(&it, "tangent_force");
    const double fb = haw_theory_value(&it, "binormal_force");
    assert_near(ft * cos(beta) + fb * s, 0, 1e-12, 0);
    assert_near(b * k * s + q * cos(beta) + r * (ft * s - fb * cos(beta)), 0, 1e-12, 0);
    assert_near(haw_theory_value(&it, "contact"), b * pow(s, 4) / (r * r * r * cos(2 * beta)), 0,
                1e-12);
    haw_theory_result_free(*state, &it);
}

/* ---- plectoneme ---- */

static void plectonemes_have_the_printed_figures(void **state)
{
    static const struct {
        double alpha;
        const char *force, *moment;
    } row[] = {{15, ".01821", "1.4705"}, {20, ".06060", "3.7320"}, {25, ".16086", "8.0930"}};

    const double a = 1.55e-3, b = 1.3e6 * pi / 4 * a * a * a * a;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        const setting set[] = {
            {"radius", a}, {"bending-stiffness", b}, {"alpha-deg", row[i].alpha}};
        haw_theory_result r = theory_run(*state, "plectoneme", 3, set);
        assert_digits(haw_theory_value(&r, "force"), row[i].force);
        assert_digits(1e4 * haw_theory_value(&r, "moment"), row[i].moment);
        haw_theory_result_free(*state, &r);
    }
}

/* A rod of length L with n turns; B = C = 1. The plectoneme takes the length l. */
typedef struct twisted {
    double length, turns, force, radius;
} twisted;

static double twisted_energy(const twisted *t, double l, double alpha)
{
    const double s = sin(alpha);
    const double twist = (2 * pi * t->turns - sin(2 * alpha) / (2 * t->radius) * l) / t->length;
    return t->length * twist * twist / 2 + s * s * s * s / (2 * t->radius * t->radius) * l +
           t->force * l;
}

static double twisted_of(const gsl_vector *x, void *data)
{
    return twisted_energy(data, gsl_vector_get(x, 0), gsl_vector_get(x, 1));
}

/* Simplex search, begun again until it stays. */
static void minimise(double (*function)(const gsl_vector *, void *), void *data, size_t n,
                     double *x, double size)
{
    gsl_multimin_function f = {function, n, data};
    gsl_vector *step = gsl_vector_alloc(n);
    gsl_vector_view view = gsl_vector_view_array(x, n);
    gsl_multimin_fminimizer *it =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
    for (int round = 0; round < 8; ++round) {
        gsl_vector_set_all(step, ldexp(size, -2 * round));
        gsl_multimin_fminimizer_set(it, &f, &view.vector, step);
        for (int i = 0; i < 4000 && gsl_multimin_fminimizer_size(it) > 1e-12; ++i) {
            if (gsl_multimin_fminimizer_iterate(it) != 0) {
                break;
            }
        }
        gsl_vector_memcpy(&view.vector, it->x);
    }
    gsl_multimin_fminimizer_free(it);
    gsl_vector_free(step);
}

static void a_plectoneme_has_the_least_energy(void **state)
{
    for (int deg = 12; deg < 40; deg += 9) {
        const setting set[] = {{"radius", 1},
                               {"bending-stiffness", 1},
                               {"torsional-stiffness", 1},
                               {"alpha-deg", deg}};
        haw_theory_result r = theory_run(*state, "plectoneme", 4, set);
        const double alpha = deg * pi / 180, l = 40, length = 90, step = 1e-5;
        const double moment = haw_theory_value(&r, "moment");
        twisted t = {length, (moment * length + sin(2 * alpha) / 2 * l) / (2 * pi),
                     haw_theory_value(&r, "force"), 1};
        double x[2] = {l + 0.7, alpha - 0.02};
        minimise(twisted_of, &t, 2, x, 0.05);
        assert_near(x[0], l, 0, 1e-5);
        assert_near(x[1], alpha, 0, 1e-5);
        twisted wide = t, narrow = t;
        wide.radius += step;
        narrow.radius -= step;
        assert_near(haw_theory_value(&r, "contact"),
                    (twisted_energy(&wide, l, alpha) - twisted_energy(&narrow, l, alpha)) /
                        (2 * step * l),
                    0, 1e-7);
        assert_near(haw_theory_value(&r, "writhe") * l + haw_theory_value(&r, "twist") * length,
                    t.turns, 0, 1e-12);
        haw_theory_result_free(*state, &r);
    }
}

/* ---- ring and rod ---- */

enum { CORNERS = 240 };

/* Curve r = 1 + e beta cos(2 p), z = e sin(2 p), with what keeps its length to first order. */
static void bent_ring(double e, double beta, double (*x)[3])
{
    for (int i = 0; i < CORNERS; ++i) {
        const double p = 2 * pi * i / CORNERS, radial = 1 + e * beta * cos(2 * p);
        const double along = -e * beta * sin(2 * p) / 2;
        x[i][0] = radial * cos(p) - along * sin(p);
        x[i][1] = radial * sin(p) + along * cos(p);
        x[i][2] = e * sin(2 * p);
    }
}

/* Derivatives by the parameter: differences of the trigonometric polynomial, to fourth order. */
static double difference(double (*x)[3], int i, int j, int order)
{
    const double h = 2 * pi / CORNERS;
    double at[5];
    for (int k = -2; k <= 2; ++k) {
        at[k + 2] = x[(i + k + CORNERS) % CORNERS][j];
    }
    return order == 1 ? (at[0] - 8 * at[1] + 8 * at[3] - at[4]) / (12 * h)
                      : (-at[0] + 16 * at[1] - 30 * at[2] + 16 * at[3] - at[4]) / (12 * h * h);
}

/* Length times integral of curvature^2, and the writhe as a double integral. */
static void ring_measures(double (*x)[3], double *bending, double *writhe)
{
    static double d1[CORNERS][3];
    const double h = 2 * pi / CORNERS;
    double length = 0, square = 0, sum = 0;
    for (int i = 0; i < CORNERS; ++i) {
        double d2[3], c[3];
        for (int j = 0; j < 3; ++j) {
            d1[i][j] = difference(x, i, j, 1);
            d2[j] = difference(x, i, j, 2);
        }
        vec3_cross(d1[i], d2, c);
        const double v = sqrt(d1[i][0] * d1[i][0] + d1[i][1] * d1[i][1] + d1[i][2] * d1[i][2]);
        length += h * v;
        square += h * (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) / pow(v, 5);
    }
    for (int i = 0; i < CORNERS; ++i) {
        for (int k = 0; k < CORNERS; ++k) {
            double c[3], d[3], to = 0, volume = 0;
            vec3_cross(d1[i], d1[k], c);
            for (int j = 0; j < 3; ++j) {
                d[j] = x[i][j] - x[k][j];
                to += d[j] * d[j];
                volume += c[j] * d[j];
            }
            sum += i == k ? 0 : h * h * volume / (to * sqrt(to));
        }
    }
    *bending = length * square;
    *writhe = sum / (4 * pi);
}

/*
 * A ring of the length 2 pi with the twist Th before it is closed: the energy B / 2 times the
 * integral of curvature^2 + C (Th - 2 pi Wr)^2 / (4 pi) falls where the ring bends if Th is above
 * the rise of the first term over C Wr; least over the share of the bending in the plane.
 */
static double ring_threshold(double beta, double b, double c)
{
    static double x[CORNERS][3];
    double flat = 0, bent = 0, none = 0, writhe = 0;
    bent_ring(0, beta, x);
    ring_measures(x, &flat, &none);
    bent_ring(0.01, beta, x);
    ring_measures(x, &bent, &writhe);
    return b / 2 * (bent - flat) / (2 * pi) / (c * fabs(writhe));
}

static void a_ring_leaves_its_plane_at_michells_twist(void **state)
{
    static const double ratio[] = {1.5, 2.2, 3};
    double least = HUGE_VAL;
    for (int i = 0; i <= 60; ++i) {
        least = fmin(least, ring_threshold(0.3 + 0.02 * i, 1, 1));
    }
    for (int i = 0; i < 3; ++i) {
        const setting set[] = {
            {"torsional-stiffness", ratio[i]}, {"radius", 0.3}, {"bending-stiffness", 1}};
        assert_near(theory_quantity(*state, "twisted-rod", 3, set, "ring_twist"), least / ratio[i],
                    0, 2e-3);
        assert_near(theory_quantity(*state, "twisted-rod", 3, set, "ring_twist"),
                    2 * pi * sqrt(3) / ratio[i], 0, 1e-14);
    }
}

/* A wave exp(i k x) of the deflection has B k^4 - M k^3 + T k^2 = 0: the least M over k. */
static void a_rod_under_tension_buckles_at_the_least_moment_of_all_waves(void **state)
{
    const double b = 0.7, t = 3.1;
    const setting set[] = {{"bending-stiffness", b}, {"tension", t}};
    double least = HUGE_VAL, at = 0;
    for (int i = 0; i < 6000; ++i) {
        const double k = 0.5 * pow(20, i / 6000.);
        const double m = b * k + t / k;
        at = m < least ? k : at;
        least = fmin(least, m);
    }
    assert_near(theory_quantity(*state, "twisted-rod", 2, set, "rod_moment"), least, 0, 1e-6);
    assert_near(theory_quantity(*state, "twisted-rod", 2, set, "rod_wavelength"), 2 * pi / at, 0,
                1e-3);
}

/* ---- knot ---- */

static void loose_knots_have_the_printed_contact(void **state)
{
    static const char *const row[2][5] = {{"0.492301", ".3483", ".17005", "2.6815", ".44183"},
                                          {"1.466842", "4.5037", ".17338", "6.8140", ".44348"}};
    double sigma[6] = {0};
    for (int n = 1; n <= 5; ++n) {
        const setting set[] = {{"turns", n}, {"rod-radius", 0.5}, {"loop-radius", 1}};
        haw_theory_result r = theory_run(*state, "knot", 3, set);
        sigma[n] = haw_theory_value(&r, "sigma");
        if (n <= 2) {
            assert_digits(sigma[n], row[n - 1][0]);
            assert_digits(haw_theory_value(&r, "line_half"), row[n - 1][1]);
            assert_digits(haw_theory_value(&r, "line_point"), row[n - 1][2]);
            assert_digits(haw_theory_value(&r, "point_place"), row[n - 1][3]);
            assert_digits(haw_theory_value(&r, "single_point"), row[n - 1][4]);
        }
        haw_theory_result_free(*state, &r);
    }
    for (int n = 3; n <= 5; ++n) {
        assert_digits(sigma[n] - sigma[n - 1], ".974527");
    }
    assert_near(sigma[2] - sigma[1], .974527, 2e-5, 0);
}

typedef struct strands {
    double complex u[4]; /* u, u', u", u''' */
} strands;

/* On the line |u| = 1 stays: (|u|^2)'''' = 0 says what p is. */
static double pressing(const strands *s)
{
    const double bend = cabs(s->u[2]);
    return -4 * creal(s->u[3] * conj(s->u[1])) - 3 * bend * bend;
}

static strands rate_of(const strands *s, int touching)
{
    const strands d = {{s->u[1], s->u[2], s->u[3], touching ? pressing(s) * s->u[0] : 0}};
    return d;
}

static strands moved(const strands *s, const strands *d, double step)
{
    strands to;
    for (int i = 0; i < 4; ++i) {
        to.u[i] = s->u[i] + step * d->u[i];
    }
    return to;
}

static strands next(const strands *s, double h, int touching)
{
    const strands k1 = rate_of(s, touching), s2 = moved(s, &k1, h / 2);
    const strands k2 = rate_of(&s2, touching), s3 = moved(s, &k2, h / 2);
    const strands k3 = rate_of(&s3, touching), s4 = moved(s, &k3, h);
    const strands k4 = rate_of(&s4, touching);
    strands to = *s;
    for (int i = 0; i < 4; ++i) {
        to.u[i] += h / 6 * (k1.u[i] + 2 * k2.u[i] + 2 * k3.u[i] + k4.u[i]);
    }
    return to;
}

/* Work of the bending against that of the ends, over a piece of the braid; least |u|, least p. */
typedef struct account {
    double energy, force, nearest, least;
} account;

static void follow(strands *s, double length, int touching, double complex end, account *a)
{
    enum { PIECES = 4000 };

    const double h = length / PIECES;
    for (int i = 0; i < PIECES; ++i) {
        const strands half = next(s, h / 2, touching), to = next(&half, h / 2, touching);
        const strands *const at[] = {s, &half, &to};
        const double weight[] = {1, 4, 1};
        for (int j = 0; j < 3; ++j) {
            const double off = cabs(at[j]->u[2] - end), p = touching ? pressing(at[j]) : 0;
            a->energy += h / 6 * weight[j] * off * off / 2;
            a->force += h / 6 * weight[j] * p;
            a->least = fmin(a->least, p);
        }
        a->nearest = fmin(a->nearest, cabs(to.u[0]));
        *s = to;
    }
}

/*
 * The complex equation itself: the strands part as they should, and do not meet again. If the rod
 * is thicker by a factor, lengths grow with its root and so does the energy W of the braid: dW = W
 * / 2 is the work of all contact forces.
 */
static void a_loose_knot_obeys_its_equation_and_the_work_of_its_thickness(void **state)
{
    for (int n = 1; n <= 2; ++n) {
        const setting set[] = {{"turns", n}, {"rod-radius", 0.5}, {"loop-radius", 1}};
        haw_theory_result r = theory_run(*state, "knot", 3, set);
        const double k = haw_theory_value(&r, "rate"), x1 = haw_theory_value(&r, "line_half");
        const double l1 = haw_theory_value(&r, "line_point"),
                     x2 = haw_theory_value(&r, "point_place");
        const double l2 = haw_theory_value(&r, "single_point"), angle = (2 * n + 1) * pi / 2;
        const double complex i = I, end = cos(angle) + i * sin(angle);
        /* Re(u''' u'~) - |u"|^2 / 2 is the same all along, -1 / 2 beyond the contacts */
        const double third = (1.5 * k * k * k * k - 0.5) / k;
        strands s = {{1, i * k, -k * k, i * (third - k * k * k)}};
        account a = {-creal(s.u[1] * conj(end)), 0, 1, 1};
        follow(&s, x1, 1, end, &a);
        s.u[3] += l1 * s.u[0];
        follow(&s, x2 - x1, 0, end, &a);
        s.u[3] += l2 * s.u[0];
        assert_near(cabs(s.u[3]), 0, 1e-6, 0);
        assert_near(cabs(s.u[2] - end), 0, 1e-6, 0);
        assert_near(a.force, haw_theory_value(&r, "line_part") / 2, 1e-7, 0);
        assert_true(a.nearest > 1 - 1e-6 && a.least >= 0);
        const double sum = 2 * (a.force + l1 + l2);
        assert_near(fabs(a.energy), sum, 1e-6, 0);
        assert_near(haw_theory_value(&r, "sigma"), sum / (2 * sqrt(2)), 1e-7, 0);
        haw_theory_result_free(*state, &r);
    }
}

/* F de = -dE + mu P de with E = pi B / R and e = 2 pi R, by differences. */
static void the_force_of_a_loose_knot_is_its_balance_of_energy(void **state)
{
    const double h = 1.6e-3, b = 9.265e-7, loop = 0.3, step = 1e-5, mu = 0.1;
    const setting set[] = {
        {"rod-radius", h}, {"bending-stiffness", b}, {"loop-radius", loop}, {"friction", mu}};
    haw_theory_result r = theory_run(*state, "knot", 4, set);
    const double force = (pi * b / (loop - step) - pi * b / (loop + step)) / (2 * pi * 2 * step);
    assert_near(haw_theory_value(&r, "force"), force, 0, 1e-8);
    assert_near(haw_theory_value(&r, "force_pull"), force + mu * haw_theory_value(&r, "contact"), 0,
                1e-8);
    assert_near(haw_theory_value(&r, "force") * h * h / b, pow(h / loop, 2) / 2, 0, 1e-12);
    haw_theory_result_free(*state, &r);
}

TEST_FILE(test_theory_twist)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plies_have_the_printed_figures),
        cmocka_unit_test(a_ply_follows_from_its_energy),
        cmocka_unit_test(a_balanced_ply_has_no_force_and_no_moment),
        cmocka_unit_test(plectonemes_have_the_printed_figures),
        cmocka_unit_test(a_plectoneme_has_the_least_energy),
        cmocka_unit_test(a_ring_leaves_its_plane_at_michells_twist),
        cmocka_unit_test(a_rod_under_tension_buckles_at_the_least_moment_of_all_waves),
        cmocka_unit_test(loose_knots_have_the_printed_contact),
        cmocka_unit_test(a_loose_knot_obeys_its_equation_and_the_work_of_its_thickness),
        cmocka_unit_test(the_force_of_a_loose_knot_is_its_balance_of_energy),
    };
    return cmocka_run_group_tests(tests, theory_create, theory_free);
}
