// `belfry explain`: where a hook's input would be sent, without sending it.
import { homedir } from 'node:os';
import { loadInitial } from '../../../config/live/initial-load.ts';
import { oneLine, plainText } from '../../../lib/text/text.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Define } from '../../command-entry.ts';
import type { Io } from '../../io.ts';
import type { Explanation } from '../../../daemon/processing/explain.ts';
import { agentOf } from '../../options/agent.ts';
import { readHookInput } from '../../options/hook-input.ts';
import { withFiles } from '../../reading/with-files.ts';
import { withStore } from '../../reading/with-store.ts';
import { painter } from '../../output/table-output.ts';
import { verdictLines } from '../history/verdict-lines.ts';
import { eventJson, iso } from '../../../model/row-json.ts';
import { plannedJson, plannedWords } from '../../../model/delivery/plan-words.ts';
import { parseAt } from '../../options/times.ts';

interface Options {
  readonly agent?: string;
  readonly event?: string;
  readonly all?: boolean;
  readonly at?: string;
}

export const define: Define = (command, io) => {
  command
    .argument('<FILE>', 'a hook\'s input (JSON); "-" reads standard input')
    .option('--agent <NAME>', "the value of the hook's --agent")
    .option('--event <NAME>', "the value of the hook's --event")
    .option('--at <TIME>', 'as if it came then: 23:30, "sat 03:00" or 2026-03-01T23:30')
    .option('--all', 'list the stages that changed nothing as well')
    .action(async (file: string, { agent: named, event, all = false, at: time }: Options) => {
      const agent = agentOf(named);
      const paths = resolveOwnPaths();
      const at = parseAt(time, Date.now());
      const { config } = await loadInitial(paths, false, Date.now());
      const raw = await readHookInput(file);
      const { explain } = await import('../../../daemon/processing/explain.ts');
      const question = { raw, agent, event, env: {}, home: homedir(), at };
      const explained = await withFiles((files) =>
        withStore((store) => explain({ ...question, files }, config, store)),
      );
      if (!io.json) return show(io, explained, all, at);
      const notifications = explained.notifications.map(({ channel, notification: { title, body, urgency } }) => ({
        channel,
        title,
        body,
        urgency,
      }));
      const plan = explained.plan.map((planned) => plannedJson(planned, at));
      io.data({ ...explained, at: iso(at), event: eventJson(explained), plan, notifications });
    });
};

async function show(
  io: Io,
  { agent, event, verdicts, notifications, plan }: Explanation,
  all: boolean,
  at: number,
): Promise<void> {
  const paint = await painter(io);
  io.line(oneLine([agent, event.kind, event.detail, event.urgency].filter((part) => part !== null).join(' · ')));
  for (const line of verdictLines(verdicts, all, paint)) io.line(line);
  if (notifications.length === 0 && verdicts.every(({ verdict }) => verdict !== 'stop')) io.line('not sent to anyone');
  for (const [i, { channel, notification }] of notifications.entries()) {
    const planned = plan[i];
    io.line(`${channel}: ${paint('good', oneLine(notification.title))}`);
    if (planned === undefined) continue;
    io.line(`  ${paint('dim', plannedWords(planned, at))}`);
    if (planned.step > 0) continue; // it says the same
    for (const line of plainText(notification.body).split('\n')) if (line !== '') io.line(`  ${line}`);
  }
}
