# Perl: autoflush.
#: file a.tr managed opens=1 writes=1000
#: calls a.tr <= 30
use strict;
use warnings;
use IO::Handle;

open my $out, '>>', 'a.tr' or die $!;
$out->autoflush(1);
print {$out} $_, "\t", $_ / 7, "\trecord\n" or die $! for 0 .. 999;
