/* SPDX-License-Identifier: BSD-3-Clause */
/* Which members of a frame go into the results, with their units. */
#include "io/field.h"

#define REAL(s, member, unit)             HAW_FIELD_ROW(#member, unit, REAL, s, member, 1, NULL)
#define VECTOR(s, member, unit, n)        HAW_FIELD_ROW(#member, unit, REAL, s, member, n, NULL)
#define PICKED(s, member, unit, n, index) HAW_FIELD_ROW(#member, unit, REAL, s, member, n, index)
#define INT(s, member)                    HAW_FIELD_OF(INT, s, member)
#define LONG(s, member)                   HAW_FIELD_OF(LONG, s, member)
#define END                               HAW_FIELDS_END

const haw_field haw_ledger_fields[] = {
    REAL(haw_ledger, kinetic, "J"),
    REAL(haw_ledger, elastic, "J"),
    REAL(haw_ledger, gravity, "J"),
    REAL(haw_ledger, external_work, "J"),
    REAL(haw_ledger, friction_loss, "J"),
    REAL(haw_ledger, impact_loss, "J"),
    REAL(haw_ledger, damping_loss, "J"),
    REAL(haw_ledger, numerical_loss, "J"),
    REAL(haw_ledger, balance_error, "J"),
    REAL(haw_ledger, balance_drift, "J"),
    REAL(haw_ledger, contact_work_max, "J"),
    REAL(haw_ledger, initial, "J"),
    END,
};

const haw_field haw_certificate_fields[] = {
    REAL(haw_certificate, residual_max, "1"),
    {"relative_max", "1", offsetof(haw_certificate, relative_max), HAW_FIELD_REAL, 1, NULL,
     "residual_relative_max"},
    REAL(haw_certificate, cone_max, "N s"),
    REAL(haw_certificate, complementarity_max, "J"),
    REAL(haw_certificate, penetration_max, "m"),
    LONG(haw_certificate, unconverged_steps),
    LONG(haw_certificate, iterations_total),
    LONG(haw_certificate, newton_iterations),
    LONG(haw_certificate, factorizations),
    LONG(haw_certificate, rejected_steps),
    LONG(haw_certificate, held_points),
    REAL(haw_certificate, newton_residual_max, "1"),
    INT(haw_certificate, contacts_max),
    REAL(haw_certificate, penetration_points_max, "m"),
    REAL(haw_certificate, joint_drift_max, "m"),
    INT(haw_certificate, grid_points_max),
    END,
};

/* Components that exist in the plane, of a moment and of a force with a moment [6]. */
static const int planar_moment[1] = {2}, planar_impulse[3] = {0, 1, 5};

/* Fields of a pair, with the components of force, moment and impulse. */
#define PAIR_FIELDS(force_size, ...)                                                               \
    {                                                                                              \
        REAL(haw_pair_frame, normal_sum, "N"), REAL(haw_pair_frame, tangential_sum, "N"),          \
            VECTOR(haw_pair_frame, force, "N", force_size), __VA_ARGS__,                           \
            REAL(haw_pair_frame, wrap_angle, "rad"), REAL(haw_pair_frame, gap_min, "m"),           \
            INT(haw_pair_frame, closed), INT(haw_pair_frame, sticking), END,                       \
    }

const haw_field *haw_pair_fields_of(int dimension)
{
    static const haw_field plane[] =
        PAIR_FIELDS(2, PICKED(haw_pair_frame, moment, "N m", 1, planar_moment),
                    PICKED(haw_pair_frame, impulse, "N s, N s, N m s", 3, planar_impulse));
    static const haw_field space[] =
        PAIR_FIELDS(3, VECTOR(haw_pair_frame, moment, "N m", 3),
                    VECTOR(haw_pair_frame, impulse, "N s, N s, N s, N m s, N m s, N m s", 6));
    static const haw_field *const fields[] = {[2] = plane, [3] = space};
    return fields[dimension];
}

const haw_field haw_summary_fields[] = {
    LONG(haw_summary, steps),
    REAL(haw_summary, t_end, "s"),
    REAL(haw_summary, step, "s"),
    REAL(haw_summary, wall_seconds, "s"),
    REAL(haw_summary, cpu_seconds, "s"),
    END,
};

double haw_field_value(const haw_field *field, const void *object, int number)
{
    const int i = field->index != NULL ? field->index[number] : number;
    const void *member = (const char *)object + field->offset;
    switch (field->type) {
    case HAW_FIELD_INT:
        return ((const int *)member)[i];
    case HAW_FIELD_LONG:
        return (double)((const long *)member)[i];
    case HAW_FIELD_REAL:
        break;
    }
    return ((const double *)member)[i];
}
