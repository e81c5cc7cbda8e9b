// `belfry explain`: where a hook's input would be sent, without sending it.
import { homedir } from 'node:os';
import { loadInitial } from '../config/initial-load.ts';
import { oneLine, plainText } from '../lib/text.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import type { Define } from './entry.ts';
import type { Io } from './io.ts';
import type { Explanation } from '../daemon/explain.ts';
import { readHookInput } from './hook-input.ts';
import { withStore } from './with-store.ts';
import { painter } from './table-output.ts';
import { verdictLines } from './verdict-lines.ts';
import { eventJson } from '../model/row-json.ts';

interface Options {
  readonly agent?: string;
  readonly event?: string;
  readonly all?: boolean;
}

export const define: Define = (command, io) => {
  command
    .argument('<FILE>', 'a hook\'s input (JSON); "-" reads standard input')
    .option('--agent <NAME>', "the value of the hook's --agent")
    .option('--event <NAME>', "the value of the hook's --event")
    .option('--all', 'list the stages that changed nothing as well')
    .action(async (file: string, { agent, event, all = false }: Options) => {
      const paths = resolveOwnPaths();
      const { config } = await loadInitial(paths.config, paths.state, false, Date.now());
      const raw = await readHookInput(file);
      const { explain } = await import('../daemon/explain.ts');
      const question = { raw, agent, event, env: {}, home: homedir() };
      const explained = await withStore((store) => explain(question, config, store));
      if (!io.json) return show(io, explained, all);
      const notifications = explained.notifications.map(({ channel, notification: { title, body, urgency } }) => ({
        channel,
        title,
        body,
        urgency,
      }));
      io.data({ ...explained, event: eventJson(explained), notifications });
    });
};

async function show(io: Io, { agent, event, verdicts, notifications }: Explanation, all: boolean): Promise<void> {
  const paint = await painter(io);
  io.line(oneLine([agent, event.kind, event.detail, event.urgency].filter((part) => part !== null).join(' · ')));
  for (const line of verdictLines(verdicts, all, paint)) io.line(line);
  if (notifications.length === 0 && verdicts.every(({ verdict }) => verdict !== 'stop')) io.line('not sent to anyone');
  for (const { channel, notification } of notifications) {
    io.line(`${channel}: ${paint('good', oneLine(notification.title))}`);
    for (const line of plainText(notification.body).split('\n')) if (line !== '') io.line(`  ${line}`);
  }
}
