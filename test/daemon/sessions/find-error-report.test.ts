// The report that Gemini 0.61.0 leaves of a failed request: found for the session that it is of, and for no other.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentByName } from '../../../src/agents/index.ts';
import { findErrorReport } from '../../../src/daemon/sessions/find-error-report.ts';
import type { ErrorReports } from '../../../src/model/agent/agent.ts';
import { realFiles } from '../../support/files.ts';
import { temporaryFolder } from '../../support/home.ts';

const OWN = '/home/dev/.gemini/tmp/payments';
const TRANSCRIPT = `${OWN}/chats/session-2026-11-22T14-23-a5b8bf1e.jsonl`;
const FROM = Date.parse('2026-11-22T14:23:31.000Z');
const TO = Date.parse('2026-11-22T14:23:32.000Z');
const REFUSED = '{"error":{"code":401,"message":"API key not valid. Please pass a valid API key."}}';
const FAILED = {
  outcome: 'failed',
  cause: 'auth',
  message: 'API key not valid. Please pass a valid API key.',
  turn: nameAt('31-741'),
};

function nameAt(moment: string): string {
  return `gemini-client-error-Turn.run-sendMessageStream-2026-11-22T14-23-${moment}Z.json`;
}

const report = (folder: string, message = REFUSED, stack = `ApiError: ${message}\n    at Turn.run`): string => {
  const text = `<session_context>\nThis is the Gemini CLI.\nThe project's temporary directory is: ${folder}\n- **Workspace Directories:**\n  - /home/dev/payments\n</session_context>`;
  const context = [text, 'Run the tests'].map((part) => ({ role: 'user', parts: [{ text: part }] }));
  return JSON.stringify({ error: { message, stack }, context }, null, 2);
};

function geminiReports(): ErrorReports {
  const reports = agentByName('gemini')?.transcript?.reports;
  if (reports === undefined) throw new Error('it leaves reports');
  return reports;
}

const CASES: readonly [name: string, make: (folder: string) => void, expected: object | null][] = [
  ['of this turn', (folder) => writeFileSync(join(folder, nameAt('31-741')), report(OWN)), FAILED],
  [
    'in one line',
    (folder) => writeFileSync(join(folder, nameAt('31-741')), JSON.stringify(JSON.parse(report(OWN)))),
    FAILED,
  ],
  [
    'the latest of several',
    (folder) => {
      writeFileSync(join(folder, nameAt('31-100')), report(OWN, 'fetch failed'));
      writeFileSync(join(folder, nameAt('31-741')), report(OWN));
      writeFileSync(join(folder, nameAt('31-900')), report('/home/dev/.gemini/tmp/other'));
    },
    FAILED,
  ],
  ['of a turn before', (folder) => writeFileSync(join(folder, nameAt('30-999')), report(OWN)), null],
  ['of a later time', (folder) => writeFileSync(join(folder, nameAt('32-001')), report(OWN)), null],
  ['of another project', (folder) => writeFileSync(join(folder, nameAt('31-741')), report(`${OWN}2`)), null],
  [
    'of another request of the client',
    (folder) => writeFileSync(join(folder, 'gemini-client-error-startChat-2026-11-22T14-23-31-741Z.json'), report(OWN)),
    null,
  ],
  [
    'a link',
    (folder) => {
      writeFileSync(join(folder, 'elsewhere'), report(OWN));
      symlinkSync(join(folder, 'elsewhere'), join(folder, nameAt('31-741')));
    },
    null,
  ],
  ['a folder of that name', (folder) => mkdirSync(join(folder, nameAt('31-741'))), null],
  ['no report', (folder) => writeFileSync(join(folder, nameAt('31-741')), 'not JSON "error"'), null],
  ['cut off', (folder) => writeFileSync(join(folder, nameAt('31-741')), report(OWN).slice(0, 60)), null],
  [
    'whose session stands too far behind',
    (folder) => writeFileSync(join(folder, nameAt('31-741')), report(OWN, REFUSED, 'x'.repeat(100_000))),
    null,
  ],
  ['nothing', () => undefined, null],
];

test.each(CASES)('%s', async (_name, make, expected) => {
  const folder = temporaryFolder();
  make(folder);
  const wanted = { reports: geminiReports(), transcript: TRANSCRIPT, from: FROM, to: TO };
  expect(await findErrorReport(folder, realFiles(), wanted)).toEqual(expected);
});

test('no folder', async () => {
  const wanted = { reports: geminiReports(), transcript: TRANSCRIPT, from: FROM, to: TO };
  expect(await findErrorReport(join(temporaryFolder(), 'gone'), realFiles(), wanted)).toBe(null);
});

test.each([
  ['a path with quotes and backslashes', '/home/"dev"/a\\new/tmp/x'],
  ['of another writing system', '/home/δοκιμή/.gemini/tmp/x'],
])('%s', (_name, folder) => {
  expect(geminiReports().read(report(folder), `${folder}/chats/session-1.jsonl`)).toMatchObject({ cause: 'auth' });
});
