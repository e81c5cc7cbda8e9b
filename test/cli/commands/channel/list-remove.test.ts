// `belfry channel list`, `test` and `remove`: what there is, whether it works, and out of everything that names it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { belfry, startDaemon } from '../../../support/programs.ts';
import { startReceiver } from '../../../support/receiver.ts';
import { homeWith, webhookTo } from '../../../support/thread.ts';
import { until } from '../../../support/wait.ts';

const config = (home: string): string => readFileSync(join(home, 'config.toml'), 'utf8');
const json = async (home: string, args: readonly string[]) =>
  JSON.parse((await belfry(home, [...args, '--json'])).stdout);

/** Three channels; `team` is named by everything that can name one. */
const TEXT = `# mine
[quiet]
hours = ["22:00-07:00"]
channels = ["team", "desk"]

# what is on the desk
[channels.desk]
type = "desktop"

# everybody
[channels.team]
type = "slack"
url = "secret:team"

[channels.audit]
type = "webhook"
url = "https://example.com/hook"
secret = "secret:shared"

[[routes]] # urgent
match = { urgency = "urgent" }
to = ["team"]

[[routes]]
to = [
  "desk",
  "team", # them
]
escalate = [{ after = "2m", to = ["team"] }, { after = "9m", to = ["audit", "team"] }]
`;

const WITHOUT = `# mine
[quiet]
hours = ["22:00-07:00"]
channels = ["desk"]

# what is on the desk
[channels.desk]
type = "desktop"

[channels.audit]
type = "webhook"
url = "https://example.com/hook"
secret = "secret:shared"

[[routes]] # urgent
match = { urgency = "urgent" }
to = []

[[routes]]
to = [
  "desk",
]
escalate = [{ after = "9m", to = ["audit"] }]
`;

function homeOfTeam(text = TEXT): string {
  const home = homeWith(text);
  mkdirSync(join(home, 'secrets'), { mode: 0o700 });
  for (const name of ['team', 'shared', 'other'])
    writeFileSync(join(home, 'secrets', name), 'https://hooks.slack.com/services/T0/B0/hush\n', { mode: 0o600 });
  return home;
}

test('list, without a daemon and with nothing sent', async () => {
  const home = homeWith(TEXT.replace('"secret:team"', '"https://hooks.slack.com/services/T0/B0/hush"'));
  const ran = await belfry(home, ['channel', 'list']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toBe(
    'desk\tdesktop\tunused\tnever\t0\t\nteam\tslack\tunused\tnever\t0\t\naudit\twebhook\tunused\tnever\t0\t\n',
  );
  expect(await belfry(homeWith('[channels.a]\ntype = "x"\n'), ['channel', 'list'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('config.toml:2:8: channels.a.type'),
  });
});

test('list says what was sent last, what failed and what waits; test is the one of `belfry test`', async () => {
  const receiver = await startReceiver();
  const home = homeWith(webhookTo(receiver.url));
  await startDaemon(home);
  expect((await belfry(home, ['channel', 'test', 'audit'])).stdout).toMatch(/^audit: delivered in \d+ ms\n$/);
  expect(await belfry(home, ['channel', 'test', 'audti'])).toMatchObject({
    code: 4,
    stderr: 'belfry channel test: there is no channel "audti"; did you mean "audit"?\n',
  });
  await belfry(home, ['send', 'one']);
  await belfry(home, ['flush']);
  expect(await json(home, ['channel', 'list'])).toEqual({
    channels: [
      expect.objectContaining({
        name: 'audit',
        type: 'webhook',
        state: 'ok',
        waiting: 0,
        last_attempt: expect.objectContaining({ ok: true }),
      }),
    ],
  });
  receiver.answer = () => 503;
  await belfry(home, ['send', 'two']);
  await until(async () => (await json(home, ['channel', 'list'])).channels[0].last_attempt.ok === false, 'the failure');
  expect((await belfry(home, ['channel', 'list'])).stdout).toMatch(
    /^audit\twebhook\tfailed\tfailed \S.*\t1\t.*503.*\n$/,
  );
  const removed = await belfry(home, ['channel', 'remove', 'audit', '--force']);
  expect([removed.code, removed.stdout]).toEqual([
    0,
    expect.stringContaining('One delivery that waited for it is given up'),
  ]);
  await until(
    async () => (await belfry(home, ['deliveries', '--failed'])).stdout.includes('there is no channel audit any more'),
    'what was given up',
  );
});

test('remove takes it out of all that names it, with its comment and its own secrets, and nothing else', async () => {
  const home = homeOfTeam();
  const refused = await belfry(home, ['channel', 'remove', 'team']);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'belfry channel remove: team is named by route 1, route 2, the escalation of route 2 and quiet.channels: take it out there first, or add --force (nothing was changed)\n',
  ]);
  expect([config(home), existsSync(join(home, 'secrets', 'team'))]).toEqual([TEXT, true]);
  const ran = await belfry(home, ['channel', 'remove', 'team', '--force']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(config(home)).toBe(WITHOUT);
  expect(ran.stdout).toContain(
    'Route 1 has no channel any more: what it takes is sent to nobody.\nDeleted its secret team.\n',
  );
  expect(readdirSync(join(home, 'secrets')).sort()).toEqual(['other', 'shared']);
  expect(await json(home, ['config', 'check'])).toMatchObject({ ok: true });
});

test('remove needs no --force where nothing names it, and a secret that another one has stays', async () => {
  const home = homeOfTeam(
    '[channels.a]\ntype = "webhook"\nurl = "https://a.example/"\nsecret = "secret:shared"\n[channels.b]\ntype = "webhook"\nurl = "https://b.example/"\nsecret = "secret:shared"\n',
  );
  expect(await json(home, ['channel', 'remove', 'a'])).toEqual({
    removed: 'a',
    file: join(home, 'config.toml'),
    named: [],
    secrets: [],
    waiting: 0,
  });
  const last = await belfry(home, ['channel', 'remove', 'b']);
  expect(last.stdout).toContain(
    'config.toml has neither channels nor routes now: the defaults apply.\nDeleted its secret shared.\n',
  );
  expect(config(home)).toBe('');
});

test('what is not there is exit 4', async () => {
  const home = homeOfTeam();
  expect(await belfry(home, ['channel', 'remove', 'taem', '--force'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      'there is no channel "taem"; did you mean "team"?; `belfry channel list` shows them',
    ),
  });
  expect(await belfry(homeWith(''), ['channel', 'remove', 'desktop'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('desktop is a default channel and not in config.toml'),
  });
  expect(config(home)).toBe(TEXT);
});
