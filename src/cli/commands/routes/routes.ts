// `belfry routes`: the routes as a tree, and what each of them makes of a hook input or a stored event.
import type { Define } from '../../command-entry.ts';

export const define: Define = (command, io) => {
  command
    .command('show')
    .description('show the routes in their order: what each matches, where it sends, and where the search ends')
    .action(async () => (await import('./show.ts')).show(io));
  command
    .command('test')
    .description('show which routes a hook input or an event would take, and why not the others; sends nothing')
    .argument(
      '<FILE|ID>',
      'a hook\'s input (JSON), "-" for standard input, a number of `belfry pending`, or the id of an event',
    )
    .option('--agent <NAME>', "the value of the hook's --agent")
    .option('--event <NAME>', "the value of the hook's --event")
    .option('--at <TIME>', 'as if it came then: 23:30, "sat 03:00" or 2026-03-01T23:30')
    .action(async (what: string, options: { readonly agent?: string; readonly event?: string; readonly at?: string }) =>
      (await import('./test.ts')).test(io, what, options),
    );
};
