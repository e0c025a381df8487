#!/usr/bin/perl
# S36: POSIX::_exit in a child, exec over the interpreter.
#: file a.tr managed
#: calls a.tr <= 90
use strict;
use warnings;
use POSIX ();
use Show;

for my $i (0 .. 2) {
    my $child = fork;
    if (!$child) {
        open my $out, '>>', 'a.tr' or die "can't open: $!";
        syswrite $out, record($_) for 0 .. 19;
        print {$out} "never flushed\n";
        POSIX::_exit($i);
    }
    waitpid $child, 0;
    show('child', ($? >> 8) . ' ended');
    show_file('a.tr');
}
open my $out, '>>', 'a.tr' or die "can't open: $!";
syswrite $out, "before exec\n";
exec 'md5sum', 'a.tr';
