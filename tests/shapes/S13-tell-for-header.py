#!/usr/bin/python3
# S13: csv.writer, whose header goes out if tell() is 0.
#: file a.tr managed opens=200 real_opens<=2
#: calls a.tr <= 640
import csv

from show import show_file

for i in range(200):
    with open("a.tr", "a", newline="") as out:
        writer = csv.writer(out)
        if out.tell() == 0:
            writer.writerow(["time", "cell", "at"])
        writer.writerow([i / 7, i, out.tell()])
show_file("a.tr")
