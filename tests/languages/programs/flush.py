# Python: print(flush=True) per record.
#: file a.tr managed opens=1 writes=1000
#: calls a.tr <= 30
with open("a.tr", "a") as out:
    for i in range(1000):
        print(i, i / 7, "record", sep="\t", file=out, flush=True)
