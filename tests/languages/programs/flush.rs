// Rust: a BufWriter flushed per record.
//: file a.tr managed opens=1 writes=1000
//: calls a.tr <= 20
use std::fs::File;
use std::io::{BufWriter, Write};

fn main() {
    let mut out = BufWriter::new(File::create("a.tr").unwrap());
    for i in 0..1000 {
        writeln!(out, "{}\t{}\trecord", i, i as f64 / 7.0).unwrap();
        out.flush().unwrap();
    }
}
