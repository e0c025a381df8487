# What a shape program in Perl prints: each call with its value or errno, each file with what is in it.
package Show;
use strict;
use warnings;
use Errno;
use Digest::MD5 qw(md5_hex);
use Exporter 'import';
our @EXPORT = qw(say_line show show_stat show_file record);

sub say_line { syswrite(STDOUT, "@_\n") }

# Prints the value of a call that succeeds by being true, or the reason.
sub show {
    my ($label, $value) = @_;
    if (!defined $value || $value eq '') { say_line("$label: refused $!") }
    elsif (length $value > 100) { say_line("$label: " . length($value) . ' long, ' . md5_hex($value)) }
    elsif (ref $value || $value =~ /GLOB/) { say_line("$label: done") }
    else { $value =~ s/([^ -~])/sprintf '\\%03o', ord $1/ge; say_line("$label: $value") }
    return;
}

sub show_stat {
    my ($label, $what) = @_;
    my @info = stat $what;
    say_line(@info ? sprintf('%s: size %d mode %o links %d', $label, @info[7, 2, 3]) : "$label: refused $!");
    return;
}

sub show_file {
    my ($path) = @_;
    open my $in, '<', $path or return say_line("$path: refused $!");
    local $/;
    my $text = <$in>;
    close $in;
    show($path, length $text ? $text : '(empty)');
    return;
}

sub record {
    my ($i) = @_;
    return sprintf "%d.%06d\t%d\t%d\t%d\t%d\t0.00%d\t%d\n", $i / 1000, $i, $i % 3 + 1, 1000000 + $i, $i % 7, $i % 29,
        $i * 37 % 1000, $i * 4096;
}
1;
