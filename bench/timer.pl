# Times processes from fork to exit in a small process of its own, interleaved.
# Arguments: rounds, milliseconds to wait between runs, then a plan file: one program a line, argv joined by tabs; the first word is
# the file whose content it gets on a pipe, as from an agent's client.
# Prints a line a run: index, tab, milliseconds.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
use POSIX ();

my ($rounds, $pause, $plan) = @ARGV;
$SIG{PIPE} = 'IGNORE';
my %content;
sub content { my ($path) = @_; return $content{$path} //= do { local $/; open(my $f, '<:raw', $path) or die "$path: $!"; <$f> } }
open(my $file, '<', $plan) or die "$plan: $!";
my @programs = map { chomp; [split /\t/, $_, -1] } <$file>;
my @lines;
for (1 .. $rounds) {
    for my $index (0 .. $#programs) {
        my ($input, @argv) = @{ $programs[$index] };
        my $bytes = content($input);
        pipe(my $out, my $in) or die "pipe: $!";
        my $began = clock_gettime(CLOCK_MONOTONIC);
        my $pid = fork() // die "fork: $!";
        if (!$pid) {
            close($in);
            open(STDIN, '<&', $out) or POSIX::_exit(126);
            exec { $argv[0] } @argv or POSIX::_exit(127);
        }
        close($out);
        for (my $done = 0; $done < length $bytes;) { $done += syswrite($in, $bytes, 1 << 20, $done) // last }
        close($in);
        waitpid($pid, 0);
        my $ms = (clock_gettime(CLOCK_MONOTONIC) - $began) * 1000;
        die "program $index ended with $?" if $? == 126 << 8 || $? == 127 << 8;
        push @lines, "$index\t$ms\n";
        select(undef, undef, undef, $pause / 1000) if $pause;
    }
}
print @lines;
