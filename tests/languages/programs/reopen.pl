# Perl: open, print, close per record.
#: file a.tr managed opens=1000 real_opens<=2
#: calls a.tr <= 2020
use strict;
use warnings;

for my $i (0 .. 999) {
    open my $out, '>>', 'a.tr' or die $!;
    print {$out} $i, "\t", $i / 7, "\trecord\n" or die $!;
    close $out or die $!;
}
