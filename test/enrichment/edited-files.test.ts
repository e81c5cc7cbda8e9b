// Which files a turn edited, from transcripts of several clients: calls that failed, other turns and what only looks like a call are none of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEditedFiles } from '../../src/enrichment/edited-files.ts';
import { realFiles } from '../support/files.ts';
import { temporaryFolder } from '../support/home.ts';

const NOON = Date.UTC(2026, 2, 4, 12);
const at = (seconds: number): string => new Date(NOON + seconds * 1_000).toISOString();

const said = (seconds: number, role: string, content: unknown) => ({
  type: role,
  timestamp: at(seconds),
  message: { role, content },
});
const asks = (seconds: number, text: string) => said(seconds, 'user', text);
const uses = (seconds: number, name: string, input: unknown, id = `${name}${seconds}`) =>
  said(seconds, 'assistant', [{ type: 'tool_use', id, name, input }]);
const result = (seconds: number, id: string, failed: boolean) =>
  said(seconds, 'user', [{ type: 'tool_result', tool_use_id: id, is_error: failed, content: 'x' }]);

const PATCH =
  '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-1\n+2\n*** Add File: b.ts\n+*** Delete File: no.ts\n*** Delete File: c.ts\n*** End Patch';

async function read(records: readonly unknown[], from: number | null = 0, to: number | null = 60) {
  const home = temporaryFolder();
  const file = join(home, 'transcript.jsonl');
  writeFileSync(
    file,
    records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join(''),
  );
  const time = (seconds: number | null): number | null => (seconds === null ? null : NOON + seconds * 1_000);
  const { paths, whole } = await readEditedFiles(
    file,
    { files: realFiles(), home },
    { from: time(from), to: time(to) },
  );
  return [...paths, ...(whole ? [] : ['and others'])];
}

test.each<readonly [string, readonly unknown[], readonly string[]]>([
  [
    'by blocks of a message',
    [asks(0, 'go'), uses(1, 'Edit', { file_path: '/p/a.ts' }), uses(2, 'Write', { file_path: '/p/b.ts' })],
    ['/p/a.ts', '/p/b.ts'],
  ],
  [
    'each once, the last edited last',
    [
      asks(0, 'go'),
      uses(1, 'Edit', { file_path: 'a' }),
      uses(2, 'MultiEdit', { file_path: 'b' }),
      uses(3, 'Edit', { file_path: 'a' }),
    ],
    ['b', 'a'],
  ],
  [
    'not what was only read or run',
    [
      asks(0, 'go'),
      uses(1, 'Read', { file_path: 'a' }),
      uses(2, 'Bash', { command: 'rm a' }),
      uses(3, 'NotebookEdit', { notebook_path: 'n.ipynb' }),
    ],
    ['n.ipynb'],
  ],
  [
    'not what failed',
    [
      asks(0, 'go'),
      uses(1, 'Edit', { file_path: 'a' }),
      result(2, 'Edit1', true),
      uses(3, 'Edit', { file_path: 'b' }),
      result(4, 'Edit3', false),
    ],
    ['b'],
  ],
  [
    'what failed at first',
    [asks(0, 'go'), uses(1, 'Edit', { file_path: 'a' }), result(2, 'Edit1', true), uses(3, 'Edit', { file_path: 'a' })],
    ['a'],
  ],
  [
    'of the last request, where nothing has a time',
    [asks(0, 'go'), uses(1, 'Edit', { file_path: 'a' }), asks(2, 'on'), uses(3, 'Edit', { file_path: 'b' })].map(
      ({ timestamp: _, ...record }) => record,
    ),
    ['b'],
  ],
  [
    'by parts of a model',
    [
      asks(0, 'go'),
      {
        timestamp: at(1),
        type: 'assistant',
        message: { role: 'model', parts: [{ functionCall: { name: 'write_file', args: { file_path: 'a' } } }] },
      },
    ],
    ['a'],
  ],
  [
    'by a list of calls',
    [
      asks(0, 'go'),
      {
        timestamp: at(1),
        type: 'gemini',
        content: '',
        toolCalls: [
          { id: '1', name: 'replace', args: { file_path: 'a' }, status: 'success' },
          { id: '2', name: 'replace', args: { file_path: 'b' }, status: 'error' },
        ],
      },
    ],
    ['a'],
  ],
  [
    'by a patch',
    [
      asks(0, 'go'),
      {
        timestamp: at(1),
        type: 'response_item',
        payload: { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: PATCH },
      },
    ],
    ['src/a.ts', 'b.ts', 'c.ts'],
  ],
  [
    'by a patch in JSON',
    [
      asks(0, 'go'),
      {
        timestamp: at(1),
        type: 'response_item',
        payload: {
          type: 'function_call',
          call_id: 'c',
          name: 'apply_patch',
          arguments: JSON.stringify({ input: PATCH }),
        },
      },
    ],
    ['src/a.ts', 'b.ts', 'c.ts'],
  ],
  [
    'not those of a subagent',
    [
      asks(0, 'go'),
      { ...uses(1, 'Edit', { file_path: 'a' }), isSidechain: true },
      { ...uses(2, 'Edit', { file_path: 'b' }), agentId: 'x' },
    ],
    [],
  ],
  [
    'not those of turns before or after',
    [
      asks(-9, 'go'),
      uses(-8, 'Edit', { file_path: 'old' }),
      asks(0, 'go'),
      uses(1, 'Edit', { file_path: 'a' }),
      asks(61, 'go'),
      uses(62, 'Edit', { file_path: 'new' }),
    ],
    ['a'],
  ],
  [
    'with what was said meanwhile',
    [asks(0, 'go'), uses(1, 'Edit', { file_path: 'a' }), asks(2, 'b too'), uses(3, 'Edit', { file_path: 'b' })],
    ['a', 'b'],
  ],
  ['where the turn began before what is read', [uses(1, 'Edit', { file_path: 'a' })], ['a', 'and others']],
  [
    'whatever else stands there',
    [
      '{"cut',
      'null',
      '[]',
      {
        message: {
          content: [null, 7, { name: 'Edit' }, { name: 'Edit', input: 'x' }, { name: 'Edit', input: { file_path: 7 } }],
        },
      },
      asks(0, 'go'),
      uses(1, 'Edit', { file_path: '' }),
    ],
    [],
  ],
])('files are found %s', async (_how, records, expected) => {
  expect(await read(records)).toEqual(expected);
});

test('where nobody knows when the turn began, it began with the last request', async () => {
  const records = [
    asks(-9, 'go'),
    uses(-8, 'Edit', { file_path: 'old' }),
    asks(0, 'go'),
    uses(1, 'Edit', { file_path: 'a' }),
  ];
  expect(await read(records, null)).toEqual(['a']);
  expect(await read(records.slice(1, 2), null)).toEqual(['old', 'and others']);
});

test('a file that is none of the user\u2019s own is not read', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'transcript.jsonl');
  writeFileSync(file, `${JSON.stringify(uses(1, 'Edit', { file_path: 'a' }))}\n`);
  const deps = { files: realFiles(), home: temporaryFolder() };
  expect(await readEditedFiles(file, deps, { from: null, to: null })).toEqual({ paths: [], whole: false });
});
