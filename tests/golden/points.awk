# points.awk : a record in the words of revisions whose penetration_max was that at the contact points.
/^ *"penetration_max":/ { held = $0; next }
/^ *"penetration_points_max":/ { sub(/points_/, ""); held = "" }
held != "" { print held; held = "" }
/\.csv$/ { column = 0 }
/,penetration_points_max\[m\]/ {
    count = split($0, name, ",")
    for (i = 1; i <= count; i++) {
        if (name[i] == "penetration_max[m]") column = i
        if (name[i] == "penetration_points_max[m]") points = i
    }
    $0 = ""
    for (i = 1; i <= count; i++) if (i != points) $0 = $0 (i > 1 ? "," : "") name[i]
    print
    next
}
column {
    split($0, value, ",")
    value[column] = value[points]
    line = value[1]
    for (i = 2; i <= count; i++) if (i != points) line = line "," value[i]
    print line
    next
}
{ print }
