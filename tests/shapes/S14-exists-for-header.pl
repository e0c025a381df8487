#!/usr/bin/perl
# S14: -e, -s and -z before each open.
#: file a.tr managed opens>=100
#: calls a.tr <= 640
use strict;
use warnings;
use Show;

for my $i (0 .. 99) {
    my ($there, $size, $empty) = (-e 'a.tr' ? 1 : 0, -s 'a.tr' || 0, -z 'a.tr' ? 1 : 0);
    open my $out, '>>', 'a.tr' or die "can't open: $!";
    print {$out} "header\n" if !$there;
    print {$out} "$there $size $empty ", record($i);
    close $out;
}
show_file('a.tr');
