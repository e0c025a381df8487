// Node: appendFileSync per record.
//: file a.tr managed opens=1000 real_opens<=2
//: calls a.tr <= 1020
const fs = require("fs");
for (let i = 0; i < 1000; i++)
    fs.appendFileSync("a.tr", `${i}\t${i / 7}\trecord\n`);
