// A secret in a hook's input, through the built hook and daemon: no channel, list or log ever holds it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/home.ts';
import { belfry, hook, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { sample } from '../support/samples.ts';
import { exampleOf, seeded } from './examples.ts';

test('nothing that leaves the machine or is logged holds it', async () => {
  const home = temporaryFolder();
  const receiver = await startReceiver();
  writeFileSync(
    join(home, 'config.toml'),
    `[channels.team]
type = "slack"
url = "${receiver.url}/services/T/B/x"
allow_private = true
[channels.audit]
type = "webhook"
url = "${receiver.url}/audit"
allow_private = true
[[routes]]
to = ["team", "audit"]
[redaction]
patterns = ["ACME-[0-9]{8}"]
`,
  );
  await startDaemon(home);
  const token = exampleOf('ghp_[A-Za-z0-9]{36}', seeded(7));
  const secrets = [token, 'ACME-12345678', 'hunter2hunter2'];
  const text = `used ${token}, ACME-12345678 and PASSWORD=hunter2hunter2`;
  const inputs = [
    { ...sample('claude', 'Notification', 'tui-permission-deny').input, message: text, notification_type: 'other' },
    { ...sample('claude', 'Stop', 'tui-question').input, last_assistant_message: text, surprise: { deep: [text] } },
    { ...sample('claude', 'PermissionRequest', 'tui-permission-deny').input, tool_input: { command: `echo ${text}` } },
  ];
  for (const [index, input] of inputs.entries())
    await hook(home, JSON.stringify({ ...input, session_id: `s${index}` }));
  const requests = await receiver.waitFor(6);
  const said = requests.map(({ body }) => body).join('\n');
  expect(said).toContain('[redacted: github-pat]');

  const lists = await Promise.all(
    [['events'], ['deliveries'], ['sessions']].map((args) => belfry(home, [...args, '--json'])),
  );
  const logs = readdirSync(join(home, 'state'))
    .filter((file) => file.endsWith('.log'))
    .map((file) => readFileSync(join(home, 'state', file), 'utf8'));
  for (const secret of secrets)
    for (const place of [said, ...lists.map(({ stdout, stderr }) => stdout + stderr), ...logs])
      expect(place).not.toContain(secret);
});
