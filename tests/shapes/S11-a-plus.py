#!/usr/bin/python3
# S11: Python's "a+" for every record, with reads between the writes.
#: file a.tr managed opens>=200
#: calls a.tr <= 1170
from show import record, say, show, show_file

for i in range(200):
    with open("a.tr", "a+") as file:
        if i % 40 == 20:
            show("tell", file.tell)
            file.seek(0)
            show("first", file.readline)
            show("rest", file.read)
        file.write(record(i))
        if i % 40 == 20:
            file.seek(0)
            say(f"{len(file.readlines())} lines")
show_file("a.tr")
