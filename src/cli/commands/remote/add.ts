// `belfry remote add HOST`: hooks and two scripts there, a section here, and a test that comes through.
import { randomBytes } from 'node:crypto';
import { type Installed, installFor, type NotDone } from '../../../../installers/for-agents.ts';
import { loadConfig } from '../../../config/load.ts';
import { registries } from '../../../config/registries.ts';
import { editSetting } from '../../../config/toml/edit-setting.ts';
import { remoteOwner } from '../../../daemon/remotes/remote-owner.ts';
import { joinAnd } from '../../../lib/text/text.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import type { RemoteStatus } from '../../../model/remote-status.ts';
import { clockTime } from '../../../model/time/clock-time.ts';
import { remoteJson } from '../../../model/row-json.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { Paths } from '../../../runtime/paths.ts';
import type { FarFacts, FarSession } from '../../../../installers/far/far-session.ts';
import { ask } from '../../daemon/rpc.ts';
import { reloadDaemon } from '../../daemon/reload-daemon.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Io } from '../../io.ts';
import { whyAnswersOff } from '../answer/switched-off.ts';
import { readSettings } from '../channel/config-before.ts';
import { withSection } from '../channel/config-text.ts';
import { exchangeSettings } from '../config/settings-file.ts';
import { reportChanges } from '../install/report-changes.ts';
import { agentsNamed, pickAgents } from '../install/select-agents.ts';
import { connected, exitOf } from './connect.ts';
import { agentsThere, installerThere, lookAround, putScripts, recordsOf } from './far-files.ts';
import { remoteStatuses } from './list.ts';
import { assertName, openSession, type Target, targetOf } from './target.ts';

export interface AddFlags {
  readonly name?: string;
  readonly agent?: readonly string[];
  /** Undefined: as it is. */
  readonly answer?: boolean;
  readonly connect: string;
  readonly replace?: true;
  readonly takeOver?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** Longest wait for the test, ms. */
const TEST = 10_000;

/** UserError for all expected trouble; it says what was done until then. */
export async function add(io: Io, words: readonly string[], flags: AddFlags): Promise<void> {
  const target = targetOf(words, process.argv.includes('--'));
  const name = flags.name ?? target.name;
  assertName(name);
  const connect = connectOf(flags.connect, target);
  const paths = resolveOwnPaths();
  await assertFree(paths, name, target);
  const { session, facts } = await openSession({ ...target.settings, connect }, name, io.tty);
  try {
    assertUsable(name, facts, flags, remoteOwner(paths.state).id);
    if (!flags.takeOver) await assertOneName(paths, name, facts);
    const { machine, tools } = installerThere(session, facts, recordsOf(paths, name), {
      dryRun: flags.dryRun === true,
      answer: flags.answer === undefined ? 'keep' : flags.answer ? 'add' : 'remove',
    });
    const agents = await chosen(io, session, name, flags, await agentsThere(session, machine));
    await lookAround(session, machine, agents);
    if (!flags.dryRun) await putScripts(session, facts);
    const done = await installFor(agents, { level: 'user' }, false, machine, tools, io.note);
    if (flags.dryRun) return reportChanges(io, done, { dryRun: true, far: true });
    const settings = { ...target.settings, ...(connect === 'always' ? {} : { connect }) };
    const isAnswerable = done.some((one) => 'answerable' in one && one.answerable);
    await writeSection(paths, name, settings, flags.answer === true && !isAnswerable ? undefined : flags.answer);
    const failed = done.filter((one) => 'error' in one);
    if (!io.json) reportChanges(io, done, { dryRun: false, far: true, answersOff: await whyAnswersOff() });
    const { remote, ms } = await connectAndTest(io, paths, name, session, flags.takeOver === true);
    if (io.json) io.data({ name, ...target.settings, agents: done, remote: remoteJson(remote), test_ms: ms });
    else say(io, name, facts, remote, ms);
    if (!io.json && flags.answer === true) await sayAnswers(io, name, done);
    if (failed.length > 0) io.exit = EXIT.refused;
    else if (remote.state !== 'connected') io.exit = exitOf(remote);
    else if (ms === null) io.exit = EXIT.other;
  } finally {
    await session.close();
  }
}

function connectOf(given: string, { settings }: Target): 'always' | 'shared' | 'manual' {
  if (given !== 'always' && given !== 'shared' && given !== 'manual')
    throw new UserError(`--connect takes always, shared or manual, not "${given}"`, EXIT.usage);
  if (given === 'shared' && !('ssh' in settings)) throw new UserError('--connect shared is for ssh only', EXIT.usage);
  return given;
}

/** A name that is in use belongs to the same machine: then what is there is brought up to date. */
async function assertFree(paths: Paths, name: string, { settings }: Target): Promise<void> {
  const { config } = await readSettings(paths);
  const there = Object.hasOwn(config.remotes, name) ? config.remotes[name] : undefined;
  if (there === undefined) return;
  const same =
    'ssh' in settings ? there.ssh === settings.ssh : JSON.stringify(there.run) === JSON.stringify(settings.run);
  if (!same) throw new UserError(`[remotes.${name}] is another machine: choose a name with --name`, EXIT.usage);
}

function assertUsable(
  name: string,
  { missing, hasDaemon, served }: FarFacts,
  { replace, takeOver }: AddFlags,
  own: string,
): void {
  if (missing.length > 0)
    throw new UserError(`${name} lacks ${joinAnd(missing)}: install them there (nothing was changed)`, EXIT.refused);
  if (hasDaemon && !replace)
    throw new UserError(
      `a Belfry of its own runs on ${name} and notifies by its own settings; --replace has its agents looked after from here (nothing was changed)`,
      EXIT.refused,
    );
  if (served !== null && !takeOver && served.id !== own)
    throw new UserError(
      `${name} is looked after from ${served.name} since ${clockTime(served.since)}: --take-over changes that (nothing was changed)`,
      EXIT.refused,
    );
}

/** One account under two names would end one connection by the other, for ever. */
async function assertOneName(paths: Paths, name: string, { served, host }: FarFacts): Promise<void> {
  const { config } = await readSettings(paths);
  if (served?.id !== remoteOwner(paths.state).id || Object.hasOwn(config.remotes, name)) return;
  const other = [...(await remoteStatuses(paths)).values()].find(
    (one) => one.name !== name && one.hello?.host === host,
  );
  if (other !== undefined)
    throw new UserError(
      `it is looked after from here already, as ${other.name}; if that is another account there, add --take-over (nothing was changed)`,
      EXIT.refused,
    );
}

async function chosen(
  io: Io,
  session: FarSession,
  name: string,
  flags: AddFlags,
  found: readonly Agent[],
): Promise<readonly Agent[]> {
  if (flags.agent !== undefined) return agentsNamed(flags.agent);
  if (found.length === 0)
    throw new UserError(`no agent found on ${name}: name one with --agent (nothing was changed)`, EXIT.usage);
  if (flags.yes || flags.dryRun) return found;
  if (io.tty && !io.json && process.stdin.isTTY) return pickAgents(found);
  await session.close();
  const names = found.map((agent) => agent.name).join(', ');
  throw new UserError(`found on ${name}: ${names}; name those you want with --agent, or add --yes`, EXIT.usage);
}

/** `answer`: as somebody said; undefined: as it is. */
async function writeSection(
  paths: Paths,
  name: string,
  settings: Readonly<Record<string, unknown>>,
  answer: boolean | undefined,
): Promise<void> {
  const { text, config, machine } = await readSettings(paths);
  const before = (text ?? '').replace(/^\uFEFF/, '');
  const there = Object.hasOwn(config.remotes, name) ? config.remotes[name] : undefined;
  if (there !== undefined && (answer === undefined || answer === there.answer)) return;
  const after =
    there === undefined
      ? { text: withSection(before, 'remotes', name, { ...settings, ...(answer && { answer }) }) }
      : await editSetting(before, ['remotes', name, 'answer'], String(answer));
  const loaded = 'text' in after ? await loadConfig(after.text, registries, machine) : null;
  const [first] = loaded === null || loaded.ok ? [] : loaded.diagnostics;
  const fault =
    'refused' in after ? `remotes.${name}.answer ${after.refused}` : first && `${first.key}: ${first.message}`;
  if (fault) throw new UserError(`${fault}; the hooks there are installed, config.toml is as it was`);
  if ('text' in after) await exchangeSettings(paths.config, text, after.text);
}

async function connectAndTest(
  io: Io,
  paths: Paths,
  name: string,
  session: FarSession,
  takesOver: boolean,
): Promise<{ readonly remote: RemoteStatus; readonly ms: number | null }> {
  await ensureListening(paths);
  await reloadDaemon(paths);
  if (!io.json) io.note(`connecting to ${name} ...`);
  const remote = await connected(paths, name, takesOver);
  return { remote, ms: remote.state === 'connected' ? await timedTest(paths, session) : null };
}

/** Milliseconds until a hook's input from there is here; null: it does not come. */
export async function timedTest(paths: Paths, session: FarSession): Promise<number | null> {
  const word = randomBytes(12).toString('hex');
  const heard = ask(paths, 'remote-test', { word, wait: TEST }, TEST + 5_000) as Promise<{ ms: number | null }>;
  const from = performance.now();
  await session.test(word);
  const { ms } = await heard;
  return ms === null ? null : Math.round(performance.now() - from);
}

/** What answering from here means. */
async function sayAnswers(io: Io, name: string, done: readonly (Installed | NotDone)[]): Promise<void> {
  const titles = done.flatMap((one) => ('answerable' in one && one.answerable ? [one.title] : []));
  if (titles.length === 0 || (await whyAnswersOff()) !== null) return; // said with the hooks
  io.line(`You can answer ${joinAnd(titles)} on ${name} from here. What runs as that account there can do the same.`);
}

function say(io: Io, name: string, facts: FarFacts, { state, detail }: RemoteStatus, ms: number | null): void {
  if (facts.noise.length > 0) io.line(`its login prints ${facts.noise.length} lines, which do no harm`);
  if (facts.os === 'Darwin') io.line('it runs macOS: that the hooks and the relay work there was not tested');
  if (state !== 'connected')
    io.line(`${name} is not connected: ${detail ?? state}; \`belfry remote check ${name}\` says more`);
  else if (ms === null)
    io.line(`${name} is connected, but a test did not come through: \`belfry remote check ${name}\``);
  else io.line(`${name} is connected; a test came through in ${ms} ms. Restart agents that run there.`);
}
