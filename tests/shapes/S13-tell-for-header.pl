#!/usr/bin/perl
# S13: the header goes out if -s or tell says that the file is empty.
#: file a.tr managed opens=200
#: calls a.tr <= 880
use strict;
use warnings;
use Show;

for my $i (0 .. 199) {
    open my $out, '>>', 'a.tr' or die "can't open: $!";
    my ($at, $size) = (tell $out, -s $out);
    print {$out} "header\n" if !$size;
    print {$out} "$at $size ", record($i);
    close $out or die "can't close: $!";
}
show_file('a.tr');
