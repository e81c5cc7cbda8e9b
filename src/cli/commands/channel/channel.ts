// `belfry channel`: adds a channel to the settings, from nothing to a test message that arrived; lists, tests and removes them.
import { Argument } from 'commander';
import { channelOf, channels } from '../../../channels/index.ts';
import type { AddFlags } from './add-flags.ts';
import { typeHelp } from './type-help.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';

const collect = (value: string, before: readonly string[] | boolean = []): string[] => [
  ...(Array.isArray(before) ? before : []),
  value,
];

export const define: Define = (command, io) => {
  const adding = command
    .command('add')
    .description('ask for what a channel needs, send a test through it and add it to config.toml')
    .addArgument(new Argument('<TYPE>', 'what to add').choices(channels.map(({ type }) => type)))
    .option('--name <NAME>', 'its name in config.toml; one that exists is changed (default: TYPE)')
    .option(
      '--set <KEY=VALUE>',
      'answer one question; a secret as env:, file: or secret:, or - to read a line of standard input',
      collect,
    )
    .option(
      '--route <NUMBER>',
      'add it to this route, as `belfry routes show` numbers them (default: the last one)',
      collect,
    )
    .option('--no-route', 'add it to no route')
    .option('--no-test', 'send no test message')
    .option('-y, --yes', 'ask nothing: take what --set says, and what is suggested for the rest')
    .action(async (type: string, flags: AddFlags) => (await import('./add.ts')).add(io, type, flags));
  // `add TYPE --help`
  adding.addHelpText('after', () => {
    const channel = channelOf(adding.args[0] ?? '');
    return channel ? typeHelp(channel, io.columns) : '\n`belfry channel add TYPE --help` lists the settings of a type.';
  });
  command
    .command('list')
    .description('the channels: whether each works, what was sent last, what waits')
    .action(async () => (await import('./list.ts')).list(io));
  command
    .command('test')
    .description('send a test through each channel, as `belfry test` does')
    .argument('[CHANNEL...]', 'only these channels')
    .action(async (channels: string[]) => (await import('../notify/test.ts')).sendTests(io, channels));
  command
    .command('remove')
    .description('take a channel and its secrets out of the settings; comments elsewhere stay')
    .argument('<CHANNEL>', 'as `belfry channel list` shows it')
    .option('--force', 'take its name out of the routes and settings that have it, without asking')
    .action(async (name: string, flags: { force?: true }) =>
      (await import('./remove.ts')).remove(io, resolveOwnPaths(), name, flags),
    );
};
