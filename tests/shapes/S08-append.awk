# S08: awk's >> with close() per record, and with fflush() per record.
#: file a.tr managed opens=500 real_opens<=2
#: file b.tr managed opens=1
#: calls a.tr b.tr <= 1100
BEGIN {
    for (i = 0; i < 500; i++) {
        print i "\t" i / 7 "\trecord" >> "a.tr"
        close("a.tr")
        print i "\trecord" >> "b.tr"
        fflush("b.tr")
    }
    while ((getline line < "a.tr") > 0)
        lines++
    print lines
}
