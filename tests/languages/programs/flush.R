# R: flush per record.
#: file a.tr managed opens=1 writes>=1000
#: calls a.tr <= 20
out <- file("a.tr", "a")
for (i in 0:999) {
    cat(i, i / 7, "record\n", file = out, sep = "\t")
    flush(out)
}
close(out)
