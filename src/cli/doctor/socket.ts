// Doctor: the local socket: there, private, answered.
import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { runningDaemon } from '../../runtime/daemon-file.ts';
import { defineCheck, fail, type CheckResult, ok } from './check.ts';
import { daemonStatus } from './shared/daemon-status.ts';

export const socketCheck = defineCheck({
  name: 'socket',
  inspects: 'the local socket that hooks and commands use: present, private, answered',
  fixes: [
    ['other users can use it', '`chmod` as shown'],
    ['the daemon is running but does not listen', '`belfry restart`'],
    ['the daemon hangs', '`kill -9 PID; belfry start`: accepted events are kept'],
  ],
  run: async ({ paths, machine }) => {
    const open = machine.platform === 'win32' ? [] : exposed(dirname(paths.socket), paths.socket);
    const running = runningDaemon(paths);
    const status = await daemonStatus(paths);
    if (status.state === 'answered') return open.length > 0 ? open : [ok(`the daemon answers at ${paths.socket}`)];
    if (status.state === 'refused')
      return [...open, fail(`the daemon rejects requests: ${status.error}`, 'run `belfry restart`')];
    if (!running && status.state === 'not-running')
      return open.length > 0 ? open : [ok('not in use: no daemon is running')];
    if (running && status.state === 'silent')
      return [
        ...open,
        fail(
          `the daemon (pid ${running.pid}) listens but does not answer`,
          `run \`kill -9 ${running.pid}; belfry start\`: accepted events are kept`,
        ),
      ];
    return [...open, fail(`the daemon does not answer at ${paths.socket}`, 'run `belfry restart`')];
  },
});

function exposed(folder: string, file: string): CheckResult[] {
  const at = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });
  const results: CheckResult[] = [];
  const [outer, inner] = [at(folder), at(file)];
  if (outer && outer.mode & 0o077)
    results.push(fail(`other users can look into ${folder}`, `run \`chmod 700 '${folder}'\``));
  if (inner && inner.mode & 0o077) results.push(fail(`other users can use ${file}`, `run \`chmod 600 '${file}'\``));
  return results;
}
