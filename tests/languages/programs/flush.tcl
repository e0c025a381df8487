# Tcl: flush per record.
#: file a.tr managed opens=1 writes=1000
#: calls a.tr <= 20
set out [open a.tr a]
for {set i 0} {$i < 1000} {incr i} {
    puts $out "$i\t[expr {$i / 7.0}]\trecord"
    flush $out
}
close $out
