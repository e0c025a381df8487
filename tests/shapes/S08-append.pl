#!/usr/bin/perl
# S08: Perl's open '>>', print, close for every record. It asks fstat and seeks to the end: one call each at most, and the
# second only when a millisecond lies between them, which strace can make of it.
#: file a.tr managed opens=1000 real_opens<=2
#: calls a.tr <= 2040
use strict;
use warnings;
use Show;

for my $i (0 .. 999) {
    open my $out, '>>', 'a.tr' or die "can't open: $!";
    print {$out} record($i) or die "can't print: $!";
    say_line("tell $i " . tell $out) if $i % 250 == 0;
    close $out or die "can't close: $!";
}
show_file('a.tr');
show_stat('a.tr', 'a.tr');
