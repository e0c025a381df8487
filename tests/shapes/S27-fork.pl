#!/usr/bin/perl
# S27: Perl's fork, system and backticks while bytes are pending.
#: file a.tr managed|write-through reason=SHARED|UNSEEN|NONE
#: calls a.tr <= 280, not fewer
use strict;
use warnings;
use POSIX ();
use IO::Handle;
use Show;

open my $out, '>>', 'a.tr' or die "can't open: $!";
$out->autoflush(1);
for my $i (0 .. 14) {
    print {$out} record($i);
    if ($i % 3 == 0) {
        my $child = fork;
        if (!$child) { print {$out} "by the child\n"; POSIX::_exit(4) }
        waitpid $child, 0;
        show('child', $? >> 8);
    } elsif ($i % 3 == 1) {
        system 'wc -c < a.tr; echo by the shell >> a.tr';
        show('system', $?);
    } else {
        show('backticks', scalar `md5sum a.tr`);
    }
    print {$out} "after it\n";
}
close $out;
show_file('a.tr');
