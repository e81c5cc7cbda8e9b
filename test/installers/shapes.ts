// Settings files of every shape, as a table: the bytes before, and what is special about each.

const FOREIGN = '{"type":"command","command":"notify-send done"}';
const OURS = '{"type":"command","command":"old belfry-hook --agent x","timeout":3}';

/** One settings file. */
export interface Shape {
  readonly name: string;
  /** Null: no file. */
  readonly before: string | Buffer | null;
  /** Texts that have to stand in the file afterwards. */
  readonly keeps?: readonly string[];
  /** The installation is refused with this, and nothing changes. */
  readonly refused?: RegExp;
}

const big = (): string => {
  const rows = Array.from(
    { length: 5_000 },
    (_, i) => `    "project-${i}": { "lastUsed": ${i}, "note": "${'much was said '.repeat(70)}" }`,
  );
  return `{\n  "projects": {\n${rows.join(',\n')}\n  }\n}\n`;
};

export const SHAPES: readonly Shape[] = [
  { name: 'missing', before: null },
  { name: 'empty', before: '' },
  { name: 'blank', before: ' \n\n' },
  { name: 'only a byte order mark', before: '\uFEFF' },
  { name: 'empty object', before: '{}' },
  { name: 'empty object, line feed', before: '{}\n' },
  { name: 'empty object on two lines', before: '{\n}\n' },
  { name: 'one setting', before: '{\n  "model": "opus"\n}\n', keeps: ['"model": "opus"'] },
  { name: 'no line feed at the end', before: '{\n  "model": "opus"\n}' },
  {
    name: 'minified',
    before: '{"model":"opus","env":{"A":"1"}}',
    keeps: ['{"model":"opus","env":{"A":"1"},"hooks":{'],
  },
  { name: 'one line with spaces', before: '{ "model": "opus", "env": {} }\n' },
  {
    name: 'four spaces',
    before: '{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}\n',
    keeps: ['\n    "hooks": {\n        "'],
  },
  {
    name: 'tabs',
    before: '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
    keeps: ['\n\t"hooks": {\n\t\t"'],
  },
  { name: 'CRLF', before: '{\r\n  "model": "opus"\r\n}\r\n', keeps: ['"model": "opus",\r\n  "hooks": {\r\n'] },
  { name: 'CRLF and tabs', before: '{\r\n\t"model": "opus"\r\n}\r\n', keeps: ['\r\n\t"hooks": {\r\n\t\t"'] },
  { name: 'byte order mark', before: '\uFEFF{\n  "model": "opus"\n}\n', keeps: ['\uFEFF{'] },
  { name: 'byte order mark and CRLF', before: '\uFEFF{\r\n  "model": "opus"\r\n}\r\n' },
  {
    name: 'line comment at the end of a line',
    before: '{\n  "model": "opus" // the big one\n}\n',
    keeps: ['"model": "opus", // the big one\n'],
  },
  {
    name: 'line comment above',
    before: '{\n  // the big one\n  "model": "opus"\n}\n',
    keeps: ['{\n  // the big one\n  "model"'],
  },
  { name: 'comment last', before: '{\n  "model": "opus"\n  // nothing more\n}\n', keeps: ['// nothing more\n}'] },
  {
    name: 'block comments everywhere',
    before: '/* a */{/* b */"model"/* c */:/* d */"opus"/* e */}/* f */\n',
    keeps: ['/* a */{/* b */"model"/* c */:/* d */"opus"', '/* f */'],
  },
  { name: 'only a comment in it', before: '{\n  // nothing yet\n}\n', keeps: ['// nothing yet'] },
  { name: 'comment behind the opening brace', before: '{ // mine\n}\n', keeps: ['{ // mine\n'] },
  { name: 'comment before the object', before: '// settings\n{\n  "model": "opus"\n}\n', keeps: ['// settings\n{'] },
  { name: 'trailing comma', before: '{\n  "model": "opus",\n}\n' },
  { name: 'trailing comma with comment', before: '{\n  "model": "opus", // big\n}\n', keeps: ['"opus", // big\n'] },
  { name: 'empty hooks', before: '{\n  "hooks": {}\n}\n' },
  { name: 'empty hooks, then more', before: '{\n  "hooks": {},\n  "model": "opus"\n}\n', keeps: ['"model": "opus"'] },
  { name: 'empty list of an event', before: '{\n  "hooks": {\n    "Stop": []\n  }\n}\n' },
  { name: 'foreign hook of the same event', before: `{"hooks":{"Stop":[{"hooks":[${FOREIGN}]}]}}`, keeps: [FOREIGN] },
  {
    name: 'foreign hooks of other events',
    before: `{\n  "hooks": {\n    "PreToolUse": [{ "matcher": "Bash", "hooks": [${FOREIGN}] }]\n  }\n}\n`,
    keeps: ['{ "matcher": "Bash", "hooks": ['],
  },
  {
    name: 'foreign hooks before and after ours',
    before: `{"hooks":{"Stop":[{"hooks":[${FOREIGN}]},{"hooks":[${OURS}]},{"hooks":[${FOREIGN}]}]}}`,
    keeps: [FOREIGN],
  },
  {
    name: 'foreign hook in one group with ours',
    before: `{"hooks":{"Stop":[{"matcher":"","hooks":[${FOREIGN},${OURS},${FOREIGN}]}]}}`,
    keeps: ['"matcher":""'],
  },
  { name: 'an older entry of ours', before: `{\n  "hooks": {\n    "Stop": [{ "hooks": [${OURS}] }]\n  }\n}\n` },
  {
    name: 'an older entry of ours without a timeout',
    before: '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"old belfry-hook"}]}]}}',
  },
  {
    name: 'ours twice in one event',
    before: `{"hooks":{"Stop":[{"hooks":[${OURS}]},{"hooks":[${OURS},${FOREIGN}]}]}}`,
    keeps: [FOREIGN],
  },
  {
    name: 'ours in an event no longer wanted',
    before: `{"hooks":{"PreCompact":[{"hooks":[${OURS}]}],"PostToolUse":[{"hooks":[${FOREIGN}]}]}}`,
    keeps: [FOREIGN],
  },
  {
    name: 'the same event twice',
    before: `{\n  "hooks": {\n    "Stop": [{"hooks":[${OURS}]}],\n    "Stop": [{"hooks":[${FOREIGN}]}]\n  }\n}\n`,
    keeps: [FOREIGN],
  },
  {
    name: 'hooks twice',
    before: `{"hooks":{"Stop":[{"hooks":[${OURS}]}]},"model":"opus","hooks":{"Stop":[{"hooks":[${FOREIGN}]}]}}`,
    keeps: [FOREIGN],
  },
  {
    name: 'odd groups of somebody',
    before: `{"hooks":{"Stop":[null,7,{"matcher":"x"},{"hooks":"no list"},{"hooks":[null,"x"]}]}}`,
    keeps: ['[null,7,{"matcher":"x"},{"hooks":"no list"},{"hooks":[null,"x"]}'],
  },
  {
    name: 'text beyond ASCII',
    before: '{\n  "name": "Zoë – 日本 👩‍🚀 \\u00e9"\n}\n',
    keeps: ['Zoë – 日本 👩‍🚀 \\u00e9'],
  },
  {
    name: 'numbers that JSON.parse would change',
    before: '{\n  "big": 12345678901234567890,\n  "exact": 1.0\n}\n',
    keeps: ['12345678901234567890', '1.0'],
  },
  { name: 'odd layout', before: '{"a":1,\n\n\n      "b"  :  [ 1,2,\n3 ]   }   \n\n', keeps: ['"b"  :  [ 1,2,\n3 ]'] },
  { name: 'comma first', before: '{ "a": 1\n, "b": 2\n}\n', keeps: ['{ "a": 1\n, "b": 2'] },
  {
    name: 'keys named like prototypes',
    before: '{"__proto__":{"x":1},"constructor":2}',
    keeps: ['"__proto__":{"x":1}'],
  },
  { name: '5 MB', before: big() },
  { name: 'broken: cut short', before: '{\n  "model": "opus",\n  "hooks": {\n', refused: /line 4, column 1/ },
  { name: 'broken: a comma missing', before: '{\n  "a": 1\n  "b": 2\n}\n', refused: /line 3, column 3/ },
  { name: 'broken: single quotes', before: "{\n  'a': 1\n}\n", refused: /line 2, column 3/ },
  { name: 'broken: two documents', before: '{}\n{}\n', refused: /line 2, column 1/ },
  { name: 'broken: a merge conflict', before: '{\n<<<<<<< ours\n  "a": 1\n}\n', refused: /line 2, column 1/ },
  { name: 'a list', before: '[1]\n', refused: /does not hold a JSON object/ },
  { name: 'hooks is a list', before: '{\n  "hooks": []\n}\n', refused: /line 2, column 12.*"hooks" is not an object/ },
  {
    name: 'an event is an object',
    before: '{"hooks":{"Stop":{}}}',
    refused: /line 1, column 18.*"Stop" is not a list/,
  },
  { name: 'UTF-16', before: Buffer.from('\uFEFF{}', 'utf16le'), refused: /not UTF-8/ },
  {
    name: 'nested 100,000 deep',
    before: `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    refused: /nested too deeply/,
  },
];
