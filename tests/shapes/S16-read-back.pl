#!/usr/bin/perl
# S16: reads in the same process while the writer, with autoflush, is open; "+>>".
#: file a.tr managed
#: calls a.tr <= 150
use strict;
use warnings;
use IO::Handle;
use Show;

open my $out, '>', 'a.tr' or die "can't open: $!";
$out->autoflush(1);
open my $kept, '<', 'a.tr' or die "can't open: $!";
for my $i (0 .. 49) {
    print {$out} record($i);
    if ($i % 10 == 5) {
        show_file('a.tr');
        my $line = <$kept>;
        show('kept', $line);
        open my $both, '+>>', 'a.tr' or die "can't open: $!";
        print {$both} "from the second\n";
        seek $both, 0, 0;
        my @lines = <$both>;
        show('lines', scalar @lines);
        show('last', $lines[-1]);
    }
}
show_file('a.tr');
show_stat('a.tr', $out);
