# Tcl: open, puts, close per record.
#: file a.tr managed opens=1000 real_opens<=2
#: calls a.tr <= 1020
for {set i 0} {$i < 1000} {incr i} {
    set out [open a.tr a]
    puts $out "$i\t[expr {$i / 7.0}]\trecord"
    close $out
}
