// Why a session cannot be answered from here now, and what helps: in words for whoever tried.
import { isAskInstalled, obstacle } from '../../../../installers/answer-entries.ts';
import { clientVersion } from '../../../../installers/client-version.ts';
import { thisMachine } from '../../../../installers/install-context.ts';
import { agentByName } from '../../../agents/index.ts';
import { readConfig } from '../../../config/load.ts';
import { oneLine } from '../../../lib/text/text.ts';
import type { Agent } from '../../../model/agent/agent.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { type SessionKey, sessionKeyOf, sessionKeyText } from '../../../model/ids.ts';
import { HERE } from '../../../model/session/whereabouts.ts';
import type { RemoteConfig } from '../../../model/settings/remotes.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import type { SessionRecord } from '../../../model/session/session.ts';
import { effectiveState } from '../../../model/session/effective-state.ts';
import { canFocus } from '../../../daemon/sessions/focus.ts';
import { terminalOnly } from '../../../model/question/terminal-only.ts';
import type { Identified, StoreReader } from '../../../store/contract.ts';
import { eventOf, shortId } from '../../reading/with-store.ts';
import { addCommand } from '../remote/target.ts';
import { conditionsOf } from './when-answerable.ts';

/** `of`: what was named; null: nothing has that ID. */
export async function whyNotFromHere(
  store: StoreReader,
  text: string,
  of: Identified | null,
  wanted: 'answer' | 'reply',
): Promise<UserError> {
  const key = of === null ? null : await sessionBehind(store, of);
  if (key === null) return unknown(text, of);
  const record = await store.session(key);
  const why =
    record === null
      ? `the session of ${titleOf(key)} is at its terminal. ${await helpOf(key)}`
      : await reasonOf(store, effectiveState(record, Date.now()), wanted);
  return new UserError(`${why.trimEnd()} (nothing was sent)`, EXIT.usage);
}

function unknown(text: string, of: Identified | null): UserError {
  const what = of === null ? `nothing has the id "${oneLine(text)}"` : `${of.what} ${oneLine(of.id)} asks nothing`;
  return new UserError(`${what}: \`belfry pending\` lists what waits (nothing was sent)`, EXIT.notFound);
}

async function sessionBehind(store: StoreReader, { what, id }: Identified): Promise<SessionKey | null> {
  if (what === 'session') {
    const all = await store.sessions({});
    return all.filter(({ sessionId }) => sessionId === id).sort((a, b) => b.lastEvent - a.lastEvent)[0] ?? null;
  }
  if (what === 'question') {
    const question = await store.question(id);
    return question && sessionKeyOf(question.sessionKey);
  }
  const { event } = await eventOf(store, id);
  return event.sessionId === null ? null : { ...event, sessionId: event.sessionId };
}

const titleOf = ({ agent }: SessionKey): string => agentByName(agent)?.title ?? oneLine(agent);

async function reasonOf(store: StoreReader, session: SessionRecord, wanted: 'answer' | 'reply'): Promise<string> {
  const { state, waitingFor } = session;
  const title = titleOf(session);
  if (state === 'waiting') {
    const what = waitingFor === null ? 'you' : waitingFor === 'question' ? 'your answer' : oneLine(waitingFor);
    return `${title} waits for ${what} at its terminal. ${await atTerminal(store, session)}`;
  }
  if (state === 'working' || state === 'background' || state === 'started')
    return wanted === 'reply' && state !== 'started'
      ? `${title} is at work: it takes its next instruction from elsewhere once it has finished`
      : `${title} asks nothing now: the session ${state === 'started' ? 'has only begun' : 'is at work'}`;
  if (state === 'ended') return `the session of ${title} has ended`;
  const over =
    state === 'failed' ? 'has failed' : state === 'finished' ? 'has finished' : 'has not been heard of lately';
  const takesNothing = wanted === 'reply' ? 'takes no reply from here now' : 'asks nothing now';
  return `${title} ${over} and ${takesNothing}. ${await atTerminal(store, session)}`;
}

/** What can be done, as sentences. */
async function atTerminal(store: StoreReader, session: SessionRecord): Promise<string> {
  const asked = await lastReason(store, session);
  const focus = (await canFocus(session, store, process.env))
    ? `\`belfry focus ${await shortId(store, session.sessionId)}\` takes you to its terminal`
    : '';
  const help = asked ?? (await helpOf(session, session.state === 'waiting'));
  return [help, focus].filter((part) => part !== '').join(' ');
}

/** Why what it still asks cannot be answered from elsewhere, where that was wanted. */
async function lastReason(store: StoreReader, session: SessionRecord): Promise<string | null> {
  if (session.state !== 'waiting') return null;
  const open = await store.notifications({ threadKey: sessionKeyText(session), states: ['open'] });
  const last = (await store.questions({})).findLast(({ notificationId }) =>
    open.some(({ id }) => id === notificationId),
  );
  return last === undefined ? null : terminalOnly(last, Date.now());
}

const ONLY_THERE = 'It can be answered there only.';

/** The same of one on a machine elsewhere. */
function helpThere(name: string, remote: RemoteConfig, agent: Agent, waits: boolean): string {
  if (agent.answering?.inside !== undefined) return waits ? ONLY_THERE : '';
  const when = conditionsOf(agent, true);
  if (remote.answer && when !== '') return `It can be answered from elsewhere only ${when}.`;
  if (remote.answer) return waits ? ONLY_THERE : '';
  const add = `\`${addCommand(name, remote, ['--answer'])}\` lets you answer ${agent.title} there from here after that${when && `, ${when}`}.`;
  return waits ? `It can be answered there only; ${add}` : add;
}

/** `waits`: it asks something; else there is nothing to say of where that is answered. Empty: nothing helps. */
async function helpOf({ host, user, agent: name }: SessionKey, waits = true): Promise<string> {
  const agent = agentByName(name);
  if (agent?.answering === undefined) return waits ? ONLY_THERE : '';
  const loaded = await readConfig(resolveOwnPaths()).catch(() => null); // what is wrong with the settings is said by who uses them
  const remotes = loaded?.ok === true ? loaded.config.remotes : {};
  const remote = Object.hasOwn(remotes, host) ? remotes[host] : undefined;
  if (remote !== undefined) return helpThere(host, remote, agent, waits);
  const isHere = host === HERE.host && user === HERE.user;
  const isInstalled = isHere && (await isAskInstalled(agent, thisMachine()).catch(() => false));
  const when = conditionsOf(agent);
  if (isInstalled && when === '') return waits ? 'This can be answered there only.' : '';
  if (isInstalled) return `It can be answered from elsewhere only ${when}.`;
  // Nothing is promised that would not be installed.
  const why = isHere ? obstacle(agent, await clientVersion(agent, thisMachine())) : null;
  const only = waits ? 'It can be answered there only' : 'It can be answered only at its terminal';
  if (why !== null) return `${only}: ${why.text}; ${why.todo}.`;
  const install = `\`belfry install ${agent.name} --answer\` lets you answer ${agent.title} from elsewhere after that${when && `, ${when}`}.`;
  return waits ? `It can be answered there only; ${install}` : install;
}
