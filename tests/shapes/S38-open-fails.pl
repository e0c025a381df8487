#!/usr/bin/perl
# S38: $! of opens that fail.
#: file a.tr managed
#: calls a.tr <= 28, not fewer
use strict;
use warnings;
use Show;

open my $out, '>', 'a.tr' or die "can't open: $!";
print {$out} "there\n";
close $out;
mkdir 'dir.tr';
for my $path ('no/such/a.tr', 'a.tr/b.tr', 'dir.tr', '/proc/self/none.tr', ('n' x 300) . '.tr') {
    for my $mode ('>>', '>', '+<', '<') {
        show(substr($path, 0, 20) . " $mode", open my $file, $mode, $path);
    }
}
show_file('a.tr');
