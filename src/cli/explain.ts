// `belfry explain`: the routes a hook input would take, with nothing sent.
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { loadInitial } from '../config/initial-load.ts';
import { oneLine, plainText } from '../lib/text.ts';
import { EXIT, UserError } from '../model/errors.ts';
import { INPUT_LIMIT } from '../ipc/envelope.ts';
import { resolveOwnPaths } from '../runtime/environment.ts';
import type { Define } from './entry.ts';
import type { Io } from './io.ts';
import type { Explanation } from '../daemon/explain.ts';
import { withStore } from './with-store.ts';
import { painter } from './table-output.ts';
import { eventJson } from './json-output.ts';

export const define: Define = (command, io) => {
  command
    .argument('<FILE>', 'a hook input; "-" reads standard input')
    .option('--agent <NAME>', 'as the hook was given it')
    .option('--event <NAME>', 'as the hook was given it')
    .action(async (file: string, { agent, event }: { agent?: string; event?: string }) => {
      const paths = resolveOwnPaths();
      const { config } = await loadInitial(paths.config, paths.state, false, Date.now());
      const raw = file === '-' ? await standardInput() : await fileBytes(file);
      const { explain } = await import('../daemon/explain.ts');
      const question = { raw, agent, event, env: {}, home: homedir() };
      const explained = await withStore((store) => explain(question, config, store));
      if (!io.json) return show(io, explained);
      const notifications = explained.notifications.map(({ channel, notification: { title, body, urgency } }) => ({
        channel,
        title,
        body,
        urgency,
      }));
      io.data({ ...explained, event: eventJson(explained), notifications });
    });
};

async function show(io: Io, { agent, event, verdicts, notifications }: Explanation): Promise<void> {
  const paint = await painter(io);
  io.line(oneLine([agent, event.kind, event.detail, event.urgency].filter((part) => part !== null).join(' · ')));
  for (const { stage, verdict, note } of verdicts)
    io.line(
      `  ${stage.padEnd(9)} ${paint(verdict === 'stop' ? 'notice' : 'plain', verdict.padEnd(6))} ${oneLine(note)}`,
    );
  if (notifications.length === 0) io.line('told to nobody');
  for (const { channel, notification } of notifications) {
    io.line(`${channel}: ${paint('good', oneLine(notification.title))}`);
    for (const line of plainText(notification.body).split('\n')) if (line !== '') io.line(`  ${line}`);
  }
}

async function fileBytes(path: string): Promise<Buffer> {
  try {
    if ((await stat(path)).size > INPUT_LIMIT)
      throw new UserError(`${path} is larger than a hook input may be (16 MiB)`, EXIT.usage);
    return await readFile(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, EXIT.usage);
  }
}

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer); // no encoding is set
    size += (chunk as Buffer).length;
    if (size > INPUT_LIMIT)
      throw new UserError('standard input is larger than a hook input may be (16 MiB)', EXIT.usage);
  }
  return Buffer.concat(chunks);
}
