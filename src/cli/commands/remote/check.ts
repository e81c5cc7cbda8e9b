// `belfry remote check`: looks at machines elsewhere, and says what is wrong and what to do.
import { findInstalled } from '../../../../installers/find-installed.ts';
import { placesOf } from '../../../../installers/settings-file.ts';
import { joinAnd } from '../../../lib/text/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { RemoteStatus } from '../../../model/remote-status.ts';
import type { RemoteConfig } from '../../../model/settings/remotes.ts';
import { SAME_CLOCK } from '../../../model/far-file.ts';
import { formatDuration } from '../../../model/quantities.ts';
import { clockTime } from '../../../model/time/clock-time.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { isAskCommand } from '../../../runtime/hook-command.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { remoteOwner } from '../../../daemon/remotes/remote-owner.ts';
import type { Io } from '../../io.ts';
import { readSettings } from '../channel/config-before.ts';
import { timedTest } from './add.ts';
import { whyNot } from './connect.ts';
import { agentsThere, installerThere, lookAround, outdatedScripts, recordsOf } from './far-files.ts';
import { remoteStatuses } from './list.ts';
import { addCommand, openSession, remoteNamed } from './target.ts';

interface Finding {
  readonly ok: boolean;
  readonly text: string;
}

const filesWait = (count: number, whose = ''): string =>
  count === 1 ? `1 file${whose} waits there` : `${count} files${whose} wait there`;

const good = (text: string): Finding => ({ ok: true, text });
const bad = (text: string): Finding => ({ ok: false, text });

/** Exit 0: all is well; the trouble's own code where one machine cannot be reached; else 5. */
export async function check(io: Io, only: string | undefined): Promise<void> {
  const paths = resolveOwnPaths();
  if (only !== undefined) await remoteNamed(paths, only);
  const { config } = await readSettings(paths);
  const statuses = await remoteStatuses(paths);
  const all: { readonly name: string; readonly findings: readonly Finding[] }[] = [];
  for (const [name, remote] of Object.entries(config.remotes)) {
    if (only !== undefined && name !== only) continue;
    all.push({ name, findings: await findingsOf(io, paths, name, remote, statuses.get(name) ?? null) });
  }
  if (io.json) io.data({ remotes: all });
  else if (all.length === 0) io.line('no machines elsewhere: `belfry remote add HOST` adds one');
  else
    for (const { name, findings } of all)
      for (const { ok, text } of findings) io.line(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${text}`);
  if (io.exit === EXIT.ok && all.some(({ findings }) => findings.some(({ ok }) => !ok))) io.exit = EXIT.refused;
}

async function findingsOf(
  io: Io,
  paths: Paths,
  name: string,
  remote: RemoteConfig,
  status: RemoteStatus | null,
): Promise<readonly Finding[]> {
  const connection =
    status === null
      ? bad('the daemon does not run: start it with `belfry start`')
      : status.state === 'connected'
        ? good(
            `connected since ${clockTime(status.since)}${status.roundTrip === null ? '' : `, round trip ${status.roundTrip} ms`}`,
          )
        : bad(`not connected since ${clockTime(status.since)}: ${whyNot(status)}`);
  try {
    return [connection, ...(await lookedAt(paths, name, remote, status, io.tty))];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    io.exit = error.exit;
    return [connection, bad(error.message.replace(`${name}: `, ''))];
  }
}

const answers = (titles: string, name: string, remote: RemoteConfig): Finding =>
  remote.answer
    ? good(`${titles}: can be answered from here`)
    : bad(`${titles}: its section lacks answer = true: run \`${addCommand(name, remote, ['--answer'])}\``);

async function lookedAt(
  paths: Paths,
  name: string,
  remote: RemoteConfig,
  status: RemoteStatus | null,
  asks: boolean,
): Promise<readonly Finding[]> {
  const { session, facts } = await openSession(remote, name, asks);
  try {
    const { machine, tools } = installerThere(session, facts, recordsOf(paths, name), { dryRun: true, answer: 'keep' });
    const agents = await agentsThere(session, machine);
    await lookAround(session, machine, agents);
    const hooked: string[] = [];
    const answerable: string[] = [];
    for (const agent of agents) {
      const places = placesOf(agent, { level: 'user' }, machine);
      const found = await findInstalled(agent, places, tools.isOurs, session.files);
      if (found.some(({ counts }) => counts)) hooked.push(agent.title);
      if (found.some(({ counts, command }) => counts && isAskCommand(command))) answerable.push(agent.title);
    }
    const outdated = await outdatedScripts(session, facts);
    const again = `run \`${addCommand(name, remote)}\` again`;
    const { served, missing, noise, waiting, others, ahead, hasDaemon } = facts;
    const isOurs = served === null || served.id === remoteOwner(paths.state).id;
    const ms = status?.state === 'connected' ? await timedTest(paths, session) : undefined;
    return [
      good(`reached; host ${facts.host}, user ${facts.user}, ${facts.os}`),
      ...(noise.length === 0 ? [] : [good(`its login prints lines, which do no harm: ${noise.join(' | ')}`)]),
      ...(missing.length === 0 ? [] : [bad(`it lacks ${joinAnd(missing)}: install them there`)]),
      ...(hasDaemon ? [bad('a Belfry of its own runs there too, and notifies by its own settings')] : []),
      ...(isOurs ? [] : [bad(`served to ${served.name} since ${clockTime(served.since)}`)]),
      outdated.length === 0
        ? good('the scripts of Belfry there are up to date')
        : bad(`${joinAnd(outdated)}: missing or of another version: ${again}`),
      hooked.length > 0 ? good(`hooks of ${joinAnd(hooked)}`) : bad(`hooks are gone: ${again}`),
      ...(answerable.length === 0 ? [] : [answers(joinAnd(answerable), name, remote)]),
      ...(waiting > 0 ? [good(filesWait(waiting))] : []),
      ...others.map((other) =>
        good(
          `${filesWait(other.waiting, ` of ${other.host}`)}: they are of another machine with this home, or of this one before it was built again, and are not fetched`,
        ),
      ),
      ...(Math.abs(ahead) > SAME_CLOCK
        ? [
            bad(
              `its clock is ${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}: what only a transcript says is left out; set it there`,
            ),
          ]
        : []),
      ...(ms === undefined
        ? []
        : [ms === null ? bad('a test did not come through') : good(`a test came through in ${ms} ms`)]),
    ];
  } finally {
    await session.close();
  }
}
