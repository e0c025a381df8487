// S08: Node's appendFileSync and openSync per record; a write stream kept open.
//: file a.tr managed opens>=500 real_opens<=2
//: file b.tr managed
//: calls a.tr b.tr <= 540
const fs = require("fs");
for (let i = 0; i < 500; i++)
    fs.appendFileSync("a.tr", `${i}\t${i / 7}\trecord\n`);
console.log(fs.statSync("a.tr").size, fs.readFileSync("a.tr", "utf8").length);
for (let i = 0; i < 500; i++) {
    const out = fs.openSync("b.tr", "a");
    fs.writeSync(out, `${i}\trecord\n`);
    fs.closeSync(out);
}
const stream = fs.createWriteStream("c.tr", { flags: "a" });
for (let i = 0; i < 200; i++)
    stream.write(`${i}\trecord\n`);
stream.end(() => console.log(fs.statSync("c.tr").size, fs.readFileSync("b.tr").length));
