# points.awk : a record in the words of older revisions: their penetration_max was that at the contact
# points, and they had no joints and no count of the places looked at.
/^ *"(joint_drift_max|grid_points_max)":/ { next }
/^ *"penetration_max":/ { held = $0; next }
/^ *"penetration_points_max":/ { sub(/points_/, ""); held = "" }
held != "" { print held; held = "" }
/\.csv$/ { column = joints = places = 0 }

# The columns of a line but those that are new.
function shorten(field, count,    i, line) {
    line = ""
    for (i = 1; i <= count; i++) {
        if (i != points && i != joints && i != places) line = line (i > 1 ? "," : "") field[i]
    }
    return line
}
/,penetration_points_max\[m\]/ {
    count = split($0, name, ",")
    for (i = 1; i <= count; i++) {
        if (name[i] == "penetration_max[m]") column = i
        if (name[i] == "penetration_points_max[m]") points = i
        if (name[i] ~ /^joint_drift_max/) joints = i
        if (name[i] ~ /^grid_points_max/) places = i
    }
    print shorten(name, count)
    next
}
column {
    split($0, value, ",")
    value[column] = value[points]
    print shorten(value, count)
    next
}
{ print }
