# awk: fflush per record.
#: file a.tr managed opens=1 writes=1000
#: calls a.tr <= 20
BEGIN {
    for (i = 0; i < 1000; i++) {
        print i, i / 7, "record" >> "a.tr"
        fflush("a.tr")
    }
}
