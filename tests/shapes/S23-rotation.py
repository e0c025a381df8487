#!/usr/bin/python3
# S23: logging's RotatingFileHandler and a handler kept open over a rename.
#: file a.tr managed
#: calls a.tr <= 1160
import logging
import logging.handlers
import os

from show import show, show_file

logger = logging.getLogger("trace")
logger.setLevel(logging.INFO)
logger.addHandler(logging.handlers.RotatingFileHandler("a.tr", maxBytes=2000, backupCount=3))
watched = logging.handlers.WatchedFileHandler("watched.tr")
logger.addHandler(watched)
for i in range(300):
    logger.info("record %d of the rotating log", i)
    if i % 100 == 50:
        os.rename("watched.tr", f"watched{i}.tr")
show("names", lambda: sorted(os.listdir(".")))
for name in sorted(os.listdir(".")):
    show_file(name)
