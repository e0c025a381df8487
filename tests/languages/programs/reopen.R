# R: cat(append = TRUE) per record. It asks stat by name and fstat twice.
#: file a.tr managed opens=1000 real_opens<=2
#: calls a.tr <= 3080
for (i in 0:999)
    cat(i, i / 7, "record\n", file = "a.tr", sep = "\t", append = TRUE)
