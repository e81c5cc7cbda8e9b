// Mutes, replays and tests through the HTTP interface: the commands of the local socket, under their paths.
import { Refusal } from '../../http/api/refusal.ts';
import type { Handlers } from '../../http/api/routes.ts';
import { iso } from '../../model/row-json.ts';
import { runCommand } from '../commands/index.ts';
import { describeSilence } from '../../model/event/silence-words.ts';
import type { CommandContext } from '../commands/context.ts';

type Named = 'mutes.list' | 'mutes.add' | 'mutes.end' | 'mutes.endAll' | 'deliveries.replay' | 'channels.test';

export function changeHandlers(context: CommandContext): Pick<Handlers, Named> {
  const { store, clock } = context;
  const command = (op: string, args: Readonly<Record<string, unknown>>) => runCommand(op, args, context);
  return {
    'mutes.list': async () => {
      const found = [...(await store.silences(clock.now()))].sort((a, b) => a.createdAt - b.createdAt);
      return {
        mutes: found.map((silence) => {
          const { id, until, session, cwd, channel, all, createdAt, reason = null } = silence;
          const times = { until: iso(until), created_at: new Date(createdAt).toISOString() };
          return { id, session, cwd, channel, all, reason, ...times, text: describeSilence(silence) };
        }),
      };
    },
    'mutes.add': async ({ body: { minutes, ...scope } }) => {
      const added = await command('mute', { ...scope, ms: minutes === null ? null : minutes * 60_000 });
      return added as { id: string; until: string | null; text: string }; // what the command says
    },
    'mutes.end': async ({ params }) => {
      const ended = (await command('unmute', { id: params.id })) as { removed: number };
      if (ended.removed === 0) throw new Refusal(404, 'there is no mute of this id: it may have ended');
      return ended;
    },
    'mutes.endAll': async () => (await command('unmute', {})) as { removed: number },
    'deliveries.replay': async ({ params }) =>
      (await command('replay', { id: params.id })) as { in_progress: unknown; replayed: { channel: string }[] },
    'channels.test': async ({ params }) => {
      const { results } = (await command('test', { channels: [params.name] })) as { results: { channel: string }[] };
      const [result] = results;
      if (result === undefined) throw new Refusal(404, 'there is no such channel');
      return result;
    },
  };
}
