#!/usr/bin/perl
# S41: autoflush, and syswrite.
#: file a.tr managed opens=1
#: calls a.tr <= 20
use strict;
use warnings;
use IO::Handle;
use Show;

open my $out, '>>', 'a.tr' or die "can't open: $!";
$out->autoflush(1);
for my $i (0 .. 299) {
    print {$out} 'fragment ', record($i);
    syswrite $out, "by syswrite\n";
}
show('tell', tell $out);
