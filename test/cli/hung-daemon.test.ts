// A daemon that hangs: commands that would wait long for their answer notice it soon, and it does nothing of theirs later.
import { expect, onTestFinished, test } from 'vitest';
import { belfry, startDaemon } from '../support/programs.ts';
import { startReceiver } from '../support/receiver.ts';
import { asked, homeWith, webhookTo } from '../support/thread.ts';

test('test, send, replay and ack: exit 7, and nothing was given to it', async () => {
  const audit = await startReceiver();
  const home = homeWith(webhookTo(audit.url));
  const { process: daemon } = await startDaemon(home);
  daemon.kill('SIGSTOP');
  onTestFinished(() => void daemon.kill('SIGCONT'));
  const commands = [['test'], ['send', 'later'], ['replay', '--dead'], ['ack', '--all']];
  const ran = await Promise.all(commands.map((args) => belfry(home, args)));
  expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(
    commands.map(([name]) => [7, `belfry ${name}: the daemon does not respond: try \`belfry restart\`\n`]),
  );
  daemon.kill('SIGCONT');
  expect(await asked(home, ['events'])).toEqual([]);
  expect(audit.requests).toHaveLength(0);
});
