// Rust: OpenOptions::append per record.
//: file a.tr managed opens=1000 real_opens=1
//: calls a.tr <= 20
use std::fs::OpenOptions;
use std::io::Write;

fn main() {
    for i in 0..1000 {
        let mut out = OpenOptions::new().append(true).create(true).open("a.tr").unwrap();
        writeln!(out, "{}\t{}\trecord", i, i as f64 / 7.0).unwrap();
    }
}
