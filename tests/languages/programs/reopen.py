# Python: open, write, close per record.
#: file a.tr managed opens=1000 real_opens<=2
#: calls a.tr <= 2020
for i in range(1000):
    with open("a.tr", "a") as out:
        out.write(f"{i}\t{i / 7}\trecord\n")
