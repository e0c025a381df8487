# awk: close per record.
#: file a.tr managed opens=1000 real_opens<=2
#: calls a.tr <= 24
BEGIN {
    for (i = 0; i < 1000; i++) {
        print i, i / 7, "record" >> "a.tr"
        close("a.tr")
    }
}
