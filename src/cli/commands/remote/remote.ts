// `belfry remote`: machines elsewhere whose agents are looked after from here.
import type { Define } from '../../command-entry.ts';
import type { AddFlags } from './add.ts';
import type { RemoveFlags } from './remove.ts';

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

export const define: Define = (command, io) => {
  command
    .command('add')
    .description('install the hooks of the agents there, connect, and let a test come through')
    .argument(
      '<HOST>',
      'a name of your ssh_config, user@host, docker:NAME, docker:label=KEY=VALUE (podman: too) or wsl:DISTRO',
    )
    .argument('[COMMAND...]', 'in place of HOST, after --: a program that runs the words after it there')
    .option('--name <NAME>', 'its name here (default: HOST)')
    .option('--agent <AGENT>', 'only this agent; may be repeated (default: those found there)', collect)
    .option('--answer', 'also install what lets you answer them from here')
    .option('--no-answer', 'remove that again')
    .option('--connect <WHEN>', 'always, shared (over a connection of yours) or manual', 'always')
    .option('--replace', 'although a Belfry of its own runs there')
    .option('--take-over', 'although another machine looks after it')
    .option('--dry-run', 'print what would change there, and change nothing')
    .option('-y, --yes', 'ask nothing')
    .action(async (host: string, words: string[], flags: AddFlags) =>
      (await import('./add.ts')).add(io, [host, ...words], flags),
    );
  command
    .command('list')
    .description('the machines elsewhere: whether each is connected, since when, and why not')
    .action(async () => (await import('./list.ts')).list(io));
  command
    .command('check')
    .description('look at each one: how it is reached, its files and hooks, what waits there')
    .argument('[NAME]', 'only this one')
    .action(async (name: string | undefined) => (await import('./check.ts')).check(io, name));
  command
    .command('connect')
    .description('connect now, whatever has kept it from that')
    .argument('<NAME>', 'as `belfry remote list` shows it')
    .option('--take-over', 'although another machine looks after it')
    .action(async (name: string, flags: { takeOver?: true }) =>
      (await import('./connect.ts')).connect(io, name, flags.takeOver === true),
    );
  command
    .command('disconnect')
    .description('end the connection until `belfry remote connect`, or a start of the daemon')
    .argument('<NAME>', 'as `belfry remote list` shows it')
    .action(async (name: string) => (await import('./connect.ts')).disconnect(io, name));
  command
    .command('remove')
    .description('take over what waits there, then remove the hooks, Belfry’s files and its settings here')
    .argument('<NAME>', 'as `belfry remote list` shows it')
    .option('--here', 'its settings here only: the machine is gone')
    .action(async (name: string, flags: RemoveFlags) => (await import('./remove.ts')).remove(io, name, flags));
};
