// Node: writeSync per record.
//: file a.tr managed opens=1 writes=1000
//: calls a.tr <= 20
const fs = require("fs");
const out = fs.openSync("a.tr", "a");
for (let i = 0; i < 1000; i++)
    fs.writeSync(out, `${i}\t${i / 7}\trecord\n`);
