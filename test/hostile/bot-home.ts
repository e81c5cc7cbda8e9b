// A daemon with a bot that may answer, for hostile cases about what a chat is shown.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnswerWay, ANSWER_WAYS } from '../support/answer-ways.ts';
import { temporaryFolder } from '../support/home.ts';
import { startDaemon } from '../support/programs.ts';
import { until } from '../support/wait.ts';

/** It listens when this resolves; gone after the test. */
export async function botHome(): Promise<{ readonly way: AnswerWay; readonly home: string }> {
  const way = await (ANSWER_WAYS['telegram'] as () => Promise<AnswerWay>)();
  const home = temporaryFolder();
  const config = `[answer]\nchannels = ["phone"]\n[channels.phone]\n${way.lines}\nallow_private = true\n[[routes]]\nto = ["phone"]\n`;
  writeFileSync(join(home, 'config.toml'), config, { mode: 0o600 });
  await startDaemon(home);
  await until(way.isListening, 'the receiver');
  return { way, home };
}
