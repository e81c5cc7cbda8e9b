// config.toml: every error with line and column, and what to write instead.
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { registries } from '../../src/config/registries.ts';
import { shownConfig } from '../../src/config/show.ts';
import { formatDiagnostic } from '../../src/config/diagnostic.ts';

const HOOK = '[channels.a]\ntype = "webhook"\nurl = "https://example.com/x"\n';

const HOOKED = (line: string): string => `[channels.a]\ntype = "webhook"\n${line}\n`;

/** Name, text, and what is said of it: `LINE:COLUMN: KEY: MESSAGE`. */
const ERRORS: readonly (readonly [string, string, readonly string[]])[] = [
  ['a broken line', '[daemon]\nautostart = yes\n', ['2:13: invalid value; write true or false']],
  ['a table without an end', '[api]\nbase_url = "https://a"\n[x\n', ['3:3: closing ] missing']],
  ['a key twice', '[api]\nkey = "env:A"\nkey = "env:B"\n', ['3:1: already defined on line 2']],
  ['a table twice', '[api]\n[daemon]\n[api]\n', ['3:2: already defined on line 1']],
  ['a list of tables after a table', '[routes]\nto = []\n[[routes]]\nto = []\n', ['3:3: already defined on line 1']],
  [
    'the same key in two routes',
    '[[routes]]\nto = []\n[[routes]]\nto = []\nto = []\n',
    ['5:1: already defined on line 4'],
  ],
  ['a quote without an end', '[api]\nkey = "env:A\nfoo = 1\n', ['2:13: closing quote missing']],
  ['a quote without an end on the last line', '[api]\nkey = "env:A', ['2:7: closing quote missing']],
  ['no equals sign', '[api]\nkey "env:A"\n', ['2:5: = missing']],
  ['a colon', 'url: "x"\n', ['1:4: = missing']],
  ['a key alone', '[api]\nkey\n', ['2:4: = missing']],
  ['a name with a space', '[channels.my team]\n', ['1:14: put a name that is not only letters']],
  ['a key with a space', 'my team = 1\n', ['1:4: put a name that is not only letters']],
  ['no value', 'a = \n', ['1:5: value missing']],
  ['no value but a comment', 'a = # x\n', ['1:5: value missing']],
  ['a text without quotes', '[api]\nkey = env:A\n', ['2:7: invalid value; put text in quotes']],
  ['a duration without quotes', '[context]\ntimeout = 5m\n', ['2:12: not a number; put text such as a duration']],
  ['a list without an end', 'a = [1, 2\nb = 3\n', ['2:1: comma or closing bracket missing']],
  ['two values', 'a = 1 2\n', ['1:7: unexpected text after the value']],
  ['a backslash', 'a = "C:\\q"\n', ['1:9: unknown escape; write']],
  ['__proto__ as a key', '[context]\n__proto__ = 1\n', ['2:1: this name is reserved; choose another']],
  ['an unknown section', '[contxt]\nmessages = 1\n', ['1:2: contxt: no such setting; did you mean "context"?']],
  [
    'an unknown key',
    '[context]\nmesages = 3\n',
    ['2:1: context.mesages: no such setting; did you mean "context.messages"?'],
  ],
  [
    'a key of a channel',
    `${HOOK}alow_private = true\n`,
    ['4:1: channels.a.alow_private: no such setting; did you mean "channels.a.allow_private"?'],
  ],
  ['a channel without a type', '[channels.a]\nurl = "x"\n', ['1:', 'channels.a.type: is missing']],
  [
    'an unknown type',
    '[channels.a]\ntype = "slak"\n',
    ['2:8: channels.a.type: no channel of type "slak"; did you mean "slack"?'],
  ],
  ['a number in quotes', '[retention]\ndays = "30"\n', ['2:8: retention.days: must be a number']],
  ['a text without quotes around a list', '[[routes]]\nto = "a"\n', ['2:6: routes[0].to: must be a list in [ ]']],
  ['a duration', '[context]\ntimeout = "3 parsecs"\n', ['2:11: context.timeout: must be a duration such as "3s"']],
  [
    'a kind in a list',
    `${HOOK}[[routes]]\nto = ["a"]\nmatch = { kind = ["test", "agent.finish"] }\n`,
    ['6:27: routes[0].match.kind[1]: invalid value "agent.finish"; did you mean "agent.finished"?'],
  ],
  [
    'a kind alone',
    `${HOOK}[[routes]]\nto = ["a"]\nmatch = { kind = "agent.finish" }\n`,
    ['6:18: routes[0].match.kind: invalid value "agent.finish"'],
  ],
  [
    'an urgency',
    `${HOOK}[[routes]]\nto = ["a"]\nmatch = { urgency = "high" }\n`,
    ['6:21: routes[0].match.urgency: invalid value "high"; expected low, normal, urgent'],
  ],
  [
    'a channel that is not there',
    `${HOOK}[[routes]]\nto = ["a", "b"]\n`,
    ['5:12: routes[0].to[1]: no [channels.b] in this file'],
  ],
  [
    'the second route',
    `${HOOK}[[routes]]\nto = ["a"]\n[[routes]]\nto = ["a"]\nals = true\n`,
    ['8:1: routes[1].als: no such setting; did you mean "routes[1].also"?'],
  ],
  [
    'an agent that is not there',
    '[agents.claud]\nabnormal_reasons = ["error"]\n',
    ['1:9: agents.claud: no such agent; did you mean "claude"?'],
  ],
  [
    'a watch that is not there',
    '[watches.control]\nevery = "10m"\n',
    ['1:10: watches.control: no such watch in this version', '"controls"'],
  ],
  ['a pattern', '[redaction]\npatterns = ["ok", "("]\n', ['2:19: redaction.patterns[1]: ']],
  ['an address', '[api]\nbase_url = "ftp://x"\n', ['2:12: api.base_url: must begin with https:// or http://']],
  [
    'an address of another kind',
    HOOKED('url = "ftp://example.com/x"'),
    ['3:7: channels.a.url: the address must begin with https:// or http://'],
  ],
  ['an address that is none', HOOKED('url = "example.com/x"'), ['3:7: channels.a.url: the address is not a valid URL']],
  ['a reference where none is taken', HOOKED('url = "env:HOOK"'), ['3:7: channels.a.url: the address must begin with']],
  [
    'a signing secret that is cut off',
    `${HOOK}secret = "whsec_!!!"\n`,
    ['4:10: channels.a.secret: the secret begins with whsec_ but the rest is not base64'],
  ],
  ['a count below nothing', '[context]\nmessages = -1\n', ['2:12: context.messages: must be 0 or more']],
  ['a count beyond the most', '[context]\nmessages = 21\n', ['2:12: context.messages: must be 20 or less']],
  [
    'metrics for everybody',
    '[daemon]\nmetrics = "0.0.0.0:9464"\n',
    ['2:11: daemon.metrics: must be a loopback address'],
  ],
  [
    'addresses to listen on',
    '[http]\nlisten = ["7717", "example.com:80", "127.0.0.1:70000", "::1:80"]\n',
    ['2:11: http.listen[0]: must be an IP address and port', 'http.listen[1]', 'http.listen[2]', 'http.listen[3]'],
  ],
  [
    'a command that is not in words',
    '[channels.a]\ntype = "command"\nrun = "true"\n[[routes]]\nto = ["a"]\n',
    ['3:7: channels.a.run: must be a list in [ ]'],
  ],
  ['one address without a list', '[http]\nlisten = "127.0.0.1:7717"\n', ['2:10: http.listen: must be a list in [ ]']],
  [
    'names to be addressed by',
    '[http]\nhosts = ["*.example.com", "http://x", ""]\n',
    ['2:10: http.hosts[0]: must be a host name', 'http.hosts[1]', 'http.hosts[2]'],
  ],
  [
    'a group by what events do not have',
    `${HOOK}[[routes]]\nto = ["a"]\ngroup = { by = ["sesion"] }\n`,
    ['6:', 'routes[0].group.by[0]'],
  ],
  [
    'quiet hours that are none',
    '[quiet]\nhours = ["22-7", "25:00-07:00", "sta 00:00-24:00"]\n',
    [
      '2:10: quiet.hours[0]: must be hours such as "22:00-07:00"',
      '2:18: quiet.hours[1]: "25:00" is no time; write 00:00 to 23:59',
      '2:33: quiet.hours[2]: "sta" is no day; did you mean "sat"?',
    ],
  ],
  [
    'quiet hours without length',
    '[quiet]\nhours = ["20:00-20:00"]\n',
    ['2:10: quiet.hours[0]: begins and ends at the same time; for the whole day write 00:00-24:00'],
  ],
  [
    'quiet hours that leave nothing',
    '[quiet]\nhours = ["07:00-19:00", "19:00-07:00"]\n',
    ['2:9: quiet.hours: cover the whole week'],
  ],
  ['a zone', '[quiet]\nzone = "Europe/Berln"\n', ['2:8: quiet.zone: no time zone', 'did you mean "Europe/Berlin"?']],
  ['a city', '[quiet]\nzone = "new york"\n', ['2:8: quiet.zone: no time zone', 'did you mean "America/New_York"?']],
  ['no zone at all', '[quiet]\nzone = "Mars"\n', ['2:8: quiet.zone: no time zone "Mars"; write one such as']],
  [
    'channels to be quiet',
    `${HOOK}[quiet]\nurgent = "keep"\nchannels = ["a", "ab"]\n`,
    ['5:10: quiet.urgent: invalid value "keep"; expected pass, hold', '6:18: quiet.channels[1]: no [channels.ab]'],
  ],
  [
    'a step to a channel that is not there',
    `${HOOK}[[routes]]\nto = ["a"]\nescalate = [{ after = "2m", to = ["a"] }, { after = "5m", to = ["phone"] }]\n`,
    ['6:65: routes[0].escalate[1].to[0]: no [channels.phone] in this file; known: a'],
  ],
  [
    'steps that are incomplete',
    `${HOOK}[[routes]]\nto = ["a"]\nescalate = [{ to = ["a"] }, { after = "2m", to = [] }, { after = "2", to = ["a"] }]\n`,
    [
      '6:13: routes[0].escalate[0].after: is missing',
      '6:50: routes[0].escalate[1].to: must not be empty',
      '6:66: routes[0].escalate[2].after: must be a duration',
    ],
  ],
  [
    'a group of nothing',
    `${HOOK}[[routes]]\nto = ["a"]\ngroup = { wait = "2s", every = "1m" }\n`,
    ['6:1: routes[0].group.by: is missing'],
  ],
  [
    'a group by something else',
    `${HOOK}[[routes]]\nto = ["a"]\ngroup = { by = ["projekt"], wait = "2 s" }\n`,
    ['6:17: routes[0].group.by[0]: invalid value "projekt"; did you mean "project"?', 'routes[0].group.wait: must be'],
  ],
  [
    'durations of a route',
    `${HOOK}[[routes]]\nto = ["a"]\ndelay = "25h"\nrepeat = "10ms"\nwhen = "awy"\nmatch = { longer_than = "long" }\n`,
    [
      '6:9: routes[0].delay: must be at most "24h"',
      '7:10: routes[0].repeat: must be at least "1s"',
      '8:8: routes[0].when: invalid value "awy"; did you mean "away"?',
      '9:25: routes[0].match.longer_than: must be a duration',
    ],
  ],
  [
    'what counts as idle',
    '[presence]\nlooking = "yes"\nidle = "3"\n',
    ['2:11: presence.looking: must be true or false', '3:8: presence.idle: must be a duration'],
  ],
  [
    'a field of a template',
    '[messages]\ntitle = { "agent.finished" = "{projct}: done in {duration}", "agent.waiting" = "{duration}" }\n',
    [
      '2:30: messages.title.agent.finished: agent.finished has no field {projct}; did you mean "project"?',
      '2:80: messages.title.agent.waiting: agent.waiting has no field {duration}',
    ],
  ],
  [
    'a brace alone',
    '[messages]\nbody = { "agent.finished" = "{project", "session.failed" = "{a b}", test = " " }\n',
    [
      '2:29: messages.body.agent.finished: "{" has no counterpart; write {{ for a brace',
      '2:60: messages.body.session.failed: "{a b}" is no field; write {{ and }} for braces',
      '2:76: messages.body.test: must not be empty',
    ],
  ],
  [
    'a kind of a template',
    '[messages.title]\n"agent.finish" = "{project}"\n',
    ['2:1: messages.title.agent.finish: no such setting; did you mean "messages.title.agent.finished"?'],
  ],
  [
    'wording of a channel',
    `${HOOK}messages.title = { "agent.finished" = "{projects}" }\n`,
    ['4:39: channels.a.messages.title.agent.finished: agent.finished has no field {projects}; did you mean "project"?'],
  ],
];

test.each(ERRORS)('%s', async (_name, text, said) => {
  const loaded = await loadConfig(text);
  expect(loaded.ok).toBe(false);
  const lines = loaded.ok ? [] : loaded.diagnostics.map((error) => formatDiagnostic('', error).slice(1));
  for (const part of said) expect(lines.join('\n')).toContain(part);
  expect(lines[0]?.startsWith(said[0] ?? '')).toBe(true);
});

test('what decides whether, when and how is read with its defaults', async () => {
  const loaded = await loadConfig(`${HOOK}[[routes]]
to = ["a"]
match = { longer_than = "1m", branch = "main", host = ["box", "ci*"], user = "dev" }
delay = "5s"
when = "away"
escalate = [{ after = "2m", to = ["a"] }]
repeat = "30m"
[[routes]]
to = ["a"]
[quiet]
hours = ["22:00-07:00", "sat,sun 00:00-24:00"]
zone = "Europe/Berlin"
channels = ["a"]
[messages]
title = { "agent.finished" = "{project} ({branch}): done in {duration}" }
`);
  expect(loaded.ok && loaded.config).toMatchObject({
    routes: [
      {
        match: { longer_than: 60_000, branch: ['main'], host: ['box', 'ci*'], user: ['dev'] },
        delay: 5_000,
        when: 'away',
        escalate: [{ after: 120_000, to: ['a'] }],
        repeat: 1_800_000,
      },
      { to: ['a'], also: false, when: 'always' },
    ],
    quiet: { hours: ['22:00-07:00', 'sat,sun 00:00-24:00'], zone: 'Europe/Berlin', urgent: 'pass', channels: ['a'] },
    messages: { title: { 'agent.finished': '{project} ({branch}): done in {duration}' }, body: {} },
  });
  expect(loaded.ok && (shownConfig(loaded.config, registries) as { routes: unknown[] }).routes[0]).toMatchObject({
    match: { longer_than: '1m' },
    delay: '5s',
    escalate: [{ after: '2m' }],
    repeat: '30m',
  });
});

test('all errors are found in one go, in the order of the file', async () => {
  const loaded = await loadConfig('[retention]\ndays = "x"\n[context]\nmesages = 1\ntimeout = "x"\n[quite]\n');
  expect(loaded.ok ? [] : loaded.diagnostics.map(({ line }) => line)).toEqual([2, 4, 5, 6]);
});

test.each([
  ['of a channel', '[channels.d]\ntype = "desktop"\nsound = "yes"\nlevel = "loud"\n', [3, 4]],
  ['of an address', HOOKED('url = "ftp://10.0.0.1"\nallow_private = "no"\nsecret = "whsec_!"'), [3, 4, 5]],
  ['of one section', '[daemon]\nautostart = "yes"\nmetrics = "0.0.0.0:9464"\n', [2, 3]],
  ['of a list and beside it', '[redaction]\npatterns = ["(a+)+$", "["]\nlevel = "none"\n', [2, 2, 3]],
  ['of addresses and sections', '[api]\nbase_url = "x"\napp_url = "y"\nkye = "z"\n[contxt]\n', [2, 3, 4, 5]],
  [
    'of names',
    '[agents.claud]\n[watches.control]\n[retention]\ndays = 0\n[[routes]]\nto = ["x"]\nals = 1\n',
    [1, 2, 4, 6, 7],
  ],
])('errors %s come at once', async (_name, text, lines) => {
  const loaded = await loadConfig(text);
  expect(loaded.ok ? [] : loaded.diagnostics.map(({ line }) => line)).toEqual(lines);
});

test.each([
  ['a private address', HOOKED('url = "http://127.0.0.1/x"'), '127.0.0.1 is a private'],
  ['one in an odd notation', '[channels.a]\ntype = "slack"\nurl = "http://0x7f.1/x"\n', '127.0.0.1 is a private'],
  ['a user name', HOOKED('url = "http://u:p@example.com/x"'), 'the address must not contain a user name'],
])('%s is a warning: it is refused when it is sent to', async (_name, text, said) => {
  const loaded = await loadConfig(`${text}\n[[routes]]\nto = ["a"]\n`);
  const warnings = loaded.ok ? loaded.warnings.map((warning) => formatDiagnostic('', warning)) : [];
  expect(warnings.join('\n')).toContain(`:3:7: channels.a.url: nothing will be sent there: ${said}`);
});

test.each([
  ['server', 'type = "ntfy"\ntopic = "belfry-k3y5n8m2q7r4t6w9"'],
  ['api_url', 'type = "telegram"\ntoken = "env:T"\nchat = 7'],
])('the address in %s as well', async (key, lines) => {
  const text = `[channels.a]\n${lines}\n${key} = "http://127.0.0.1:8080"\n[[routes]]\nto = ["a"]\n`;
  const loaded = await loadConfig(text);
  const warnings = loaded.ok ? loaded.warnings.map((warning) => formatDiagnostic('', warning)) : [];
  expect(warnings.join('\n')).toContain(`channels.a.${key}: nothing will be sent there: 127.0.0.1 is a private`);
});

test.each([
  ['references', HOOKED('url = "https://example.com"\nsecret = "env:X"')],
  ['an address that is a reference', '[channels.a]\ntype = "slack"\nurl = "file:~/address"\n'],
  ['what is allowed', HOOKED('url = "http://127.0.0.1/x"\nallow_private = true')],
])('%s: judged when resolved, so they are valid', async (_name, text) => {
  expect(await loadConfig(`${text}\n[[routes]]\nto = ["a"]\n`)).toMatchObject({ ok: true, warnings: [] });
});

test('a key alone is a secret too', async () => {
  const loaded = await loadConfig('[api]\nkey = "plain"\n');
  expect(loaded.ok && loaded.warnings.map(({ line, key }) => [line, key])).toEqual([[2, 'api.key']]);
});

test.each([
  ['no file', null],
  ['an empty file', ''],
  ['a file with neither channels nor routes', '[daemon]\nautostart = false\n'],
  ['a byte order mark and CRLF', '\uFEFF[daemon]\r\nautostart = false\r\n'],
])('%s gives the default routes: to what works without settings, nothing of urgency low', async (_name, text) => {
  const loaded = await loadConfig(text);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { channels, routes } = loaded.config;
  expect(channels.length).toBeGreaterThan(0);
  expect(routes.every(({ to }) => to.length === channels.length)).toBe(true);
  expect(routes.flatMap(({ match }) => match?.kind ?? [])).toEqual(
    expect.arrayContaining(['agent.waiting', 'agent.finished', 'session.ended', 'session.failed']),
  );
  expect(routes.find(({ match }) => match?.kind?.includes('session.ended'))?.match).toMatchObject({
    abnormal: true,
    urgency: ['normal', 'urgent'],
  });
});

test('warnings: a secret in the file, a channel without a route, no route at all', async () => {
  const written = await loadConfig(`[api]\nkey = "abc"\n${HOOK}secret = "whsec_eA=="\n`);
  const said = written.ok ? written.warnings.map((warning) => formatDiagnostic('', warning)) : [];
  expect(said.join('\n')).toMatch(/api\.key: is a secret in plain text/);
  expect(said.join('\n')).toMatch(/channels\.a\.secret: is a secret in plain text/);
  expect(said.join('\n')).toMatch(/channels\.a: no route names it, so/);
  expect(said.join('\n')).toMatch(/there are no \[\[routes\]\], so nothing will be sent/);
  const referred = await loadConfig(`${HOOK}secret = "env:X"\n[[routes]]\nto = ["a"]\n`);
  expect(referred.ok && referred.warnings).toEqual([]);
});

const ROUTED = (routes: string): string => `${HOOK}${routes}`;

test.each([
  ['urgent ones only', '[[routes]]\nmatch = { urgency = "urgent" }\nto = ["a"]\n', 'agent.waiting and agent.finished,'],
  [
    'one kind',
    '[[routes]]\nmatch = { kind = "agent.finished" }\nto = ["a"]\n',
    'agent.waiting, session.ended and session.failed,',
  ],
  [
    'low ones only',
    '[[routes]]\nmatch = { urgency = "low" }\nto = ["a"]\n',
    'agent.waiting, agent.finished, session.ended and session.failed,',
  ],
  [
    'ends that are not abnormal',
    '[[routes]]\nmatch = { abnormal = false }\nto = ["a"]\n',
    'session.ended and session.failed,',
  ],
])('%s: a warning names the kinds that no route takes', async (_name, routes, kinds) => {
  const loaded = await loadConfig(ROUTED(routes));
  const warnings = loaded.ok ? loaded.warnings.map((warning) => formatDiagnostic('', warning)) : [];
  expect(warnings).toEqual([expect.stringContaining(`:4:3: routes: no route takes ${kinds} so nobody is notified`)]);
});

test.each([
  ['a route for the rest', '[[routes]]\nmatch = { urgency = "urgent" }\nto = ["a"]\n[[routes]]\nto = ["a"]\n'],
  ['the rest to nobody, on purpose', '[[routes]]\nmatch = { urgency = "urgent" }\nto = ["a"]\n[[routes]]\nto = []\n'],
  ['a folder', '[[routes]]\nmatch = { cwd = "~/src/**" }\nto = ["a"]\n'],
])('%s: no warning', async (_name, routes) => {
  expect(await loadConfig(ROUTED(routes))).toMatchObject({ ok: true, warnings: [] });
});
test.each([
  ['the older form', '[daemon]\nmetrics = "127.0.0.1:9464"\n', [[2, 'write [http] listen = ["127.0.0.1:9464"]']]],
  [
    'an address that others reach',
    '[http]\nlisten = ["127.0.0.1:1", "[::1]:1", "localhost:1", "0.0.0.0:1"]\n',
    [[2, 'every request there needs a token']],
  ],
  ['loopback', '[http]\nlisten = ["127.0.0.1:7717"]\nhosts = ["host.docker.internal", "pager.example:8443"]\n', []],
] as const)('warnings about where it listens: %s', async (_name, text, expected) => {
  const loaded = await loadConfig(text);
  const found = loaded.ok ? loaded.warnings : [];
  expect(found.map(({ line }) => line)).toEqual(expected.map(([line]) => line));
  for (const [i, [, part]] of expected.entries()) expect(found[i]?.message).toContain(part);
});

test.each([
  ['', undefined],
  ['[messages]\non_resolved = "keep"', 'keep'],
  ['[messages]\non_resolved = "hide"', null],
])('what becomes of a resolved message: %j', async (text, expected) => {
  const loaded = await loadConfig(text);
  expect(loaded.ok ? loaded.config.messages.on_resolved : null).toBe(expected);
});

test.each([
  ['webhook', 'url = "https://example.com/a"\nsecret = "env:S"', true],
  ['ntfy', 'topic = "belfry-x"', false],
])('a route that repeats for a channel of the type %s', async (type, settings, warned) => {
  const loaded = await loadConfig(
    `[channels.a]\ntype = "${type}"\n${settings}\n[[routes]]\nto = ["a"]\nrepeat = "10m"\n`,
  );
  const warnings = loaded.ok ? loaded.warnings.map((warning) => formatDiagnostic('', warning)) : ['invalid'];
  expect(warnings.some((text) => text.includes('routes[0].repeat: repeats nothing: a keeps a record'))).toBe(warned);
  expect(loaded.ok).toBe(true);
});

test('quiet hours of a channel that keeps a record are a warning at its name', async () => {
  const record = '[channels.audit]\ntype = "webhook"\nurl = "https://example.com/a"\nsecret = "env:S"\n';
  const phone = '[channels.phone]\ntype = "ntfy"\ntopic = "env:T"\n';
  const loaded = await loadConfig(
    `${record}${phone}[[routes]]\nto = ["audit", "phone"]\n[quiet]\nhours = ["22:00-07:00"]\nchannels = ["phone", "audit"]\n`,
  );
  const warnings = loaded.ok ? loaded.warnings.map((warning) => formatDiagnostic('', warning)) : ['invalid'];
  expect(warnings).toEqual([
    expect.stringContaining('quiet.channels[1]: holds nothing: audit keeps a record, and gets each event at once'),
  ]);
});
