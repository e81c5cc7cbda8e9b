# Times processes from fork to exit in a small process of its own, interleaved.
# Arguments: rounds, then a plan file: one program a line, argv joined by tabs; the first word is the file for stdin.
# Prints a line a run: index, tab, milliseconds.
use strict;
use warnings;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
use POSIX ();

my ($rounds, $plan) = @ARGV;
open(my $file, '<', $plan) or die "$plan: $!";
my @programs = map { chomp; [split /\t/, $_, -1] } <$file>;
my @lines;
for (1 .. $rounds) {
    for my $index (0 .. $#programs) {
        my ($input, @argv) = @{ $programs[$index] };
        my $began = clock_gettime(CLOCK_MONOTONIC);
        my $pid = fork();
        if (!$pid) {
            open(STDIN, '<', $input) or POSIX::_exit(126);
            exec { $argv[0] } @argv or POSIX::_exit(127);
        }
        waitpid($pid, 0);
        my $ms = (clock_gettime(CLOCK_MONOTONIC) - $began) * 1000;
        die "program $index ended with $?" if $? == 126 << 8 || $? == 127 << 8;
        push @lines, "$index\t$ms\n";
    }
}
print @lines;
