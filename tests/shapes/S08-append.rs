// S08: Rust's OpenOptions::append and write! (one write for each fragment) per record.
//: file a.tr managed opens=500 real_opens<=2 writes>=1500
//: calls a.tr <= 20
use std::fs::{metadata, OpenOptions};
use std::io::Write;

fn main() {
    for i in 0..500 {
        let mut out = OpenOptions::new().append(true).create(true).open("a.tr").unwrap();
        write!(out, "{}\t{}\trecord\n", i, i as f64 / 7.0).unwrap();
    }
    println!("{}", metadata("a.tr").unwrap().len());
}
