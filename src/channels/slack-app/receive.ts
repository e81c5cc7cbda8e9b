// Hands over what people press: connects by Socket Mode, connects again when Slack or the network ends it, and listens to those who may answer.
import * as z from 'zod';
import { sleep, systemClock } from '../../lib/clock.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import type { ReceiveOptions } from '../../model/channel/channel.ts';
import { type Called, callSlack } from './api.ts';
import { escapeXml } from '../../lib/text/text.ts';
import { ACKNOWLEDGE, ANSWER, GO_ON, WORDS } from './message.ts';
import { openModal, readSubmission, type Submitted } from './modal.ts';
import type { FindPlace, SlackPlace } from './destination.ts';
import type { SlackAppSettings } from './settings.ts';
import { openSocket, type SlackSocket } from './socket.ts';
import type { CallBounds } from '../shared/call-bounds.ts';

/** Ms of one call. */
const CALL = 10_000;
/** Ms before the next try after a fault: doubled each time up to the longest, and shorter or longer by a fifth. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;
/** A connection that lasted so long was a good one, ms. */
const GOOD = 30_000;
/** Presses that are dealt with at once; more are a loop, and are let go. */
const MAX_PRESSES = 20;

/** Ends when the signal fires, and after a refusal that no wait can change. */
export async function receiveAnswers(
  settings: SlackAppSettings,
  findPlace: FindPlace,
  options: ReceiveOptions,
): Promise<void> {
  const { signal, now, log } = options;
  const bounds = { timeout: CALL, signal, now };
  const connect = connector(settings, findPlace, options);
  let faults = 0;
  let before: SlackSocket | null = null;
  while (!signal.aborted) {
    const began = now();
    const opened = await connect();
    if (signal.aborted) break;
    if ('ended' in opened) {
      before?.close(); // only now, so that nothing is missed between the two
      before = opened;
      const why = await opened.ended;
      if (why === 'disabled') {
        log(
          'slack-app: Socket Mode is switched off for this app, so nobody can answer: switch it on at api.slack.com/apps',
        );
        break;
      }
      if (now() - began >= GOOD) faults = 0;
      if (why === 'refresh' && faults === 0) {
        faults++; // a server that asks for it again and again is waited for
        continue;
      }
    } else {
      log('slack-app: cannot receive answers', { error: opened.error });
      if (opened.final) break;
    }
    const table = Math.min(FIRST_WAIT * 2 ** Math.min(faults++, 10), LONGEST_WAIT) * (0.8 + 0.4 * Math.random());
    const pause = 'ended' in opened ? table : Math.max(table, opened.retryAfter ?? 0);
    await sleep(pause, systemClock, bounds.signal);
  }
  before?.close();
}

interface Refused {
  readonly error: string;
  /** No wait changes it. */
  readonly final: boolean;
  readonly retryAfter?: number | undefined;
}

function refusedBy({ outcome }: Extract<Called, { ok: false }>): Refused {
  const { error, reason, retryAfter } = outcome;
  return { error, final: reason === 'auth' || reason === 'invalid-config', retryAfter };
}

/** Asks for an address, each of which serves one connection, and connects to it. */
function connector(settings: SlackAppSettings, findPlace: FindPlace, options: ReceiveOptions) {
  const { signal, now, log } = options;
  const access = { ...settings, token: settings.app_token ?? '' };
  const findTeam = createTeamFinder(settings);
  let underWay = 0;
  return async (): Promise<SlackSocket | Refused> => {
    const bounds = { timeout: CALL, signal, now };
    const place = await findPlace(bounds);
    if ('ok' in place) return refusedBy(place);
    const team = await findTeam(bounds);
    if (typeof team !== 'string') return refusedBy(team);
    const asked = await callSlack(access, 'apps.connections.open', {}, bounds);
    if (!asked.ok) return refusedBy(asked);
    const socket = await openSocket(String(asked.answer['url'] ?? ''), {
      allowPrivate: settings.allow_private,
      signal,
      onInteraction: (payload) => {
        if (underWay >= MAX_PRESSES) return;
        underWay++;
        void handle(settings, { ...place, team }, payload, options)
          .catch((error: unknown) => log('slack-app: an answer could not be taken', { error: String(error) }))
          .finally(() => underWay--);
      },
    });
    return typeof socket === 'string' ? { error: socket, final: false } : socket;
  };
}

const text = z.string().max(2_000);
/** Of an interaction's payload (docs.slack.dev, "block_actions payload"), what is needed. */
const pressed = z.object({
  type: z.literal('block_actions'),
  trigger_id: text.optional(),
  user: z.object({ id: text, name: text.optional(), username: text.optional(), team_id: text.optional() }),
  channel: z.object({ id: text }),
  message: z.object({ ts: text, thread_ts: text.optional() }),
  actions: z.array(z.object({ action_id: text, value: text.optional(), action_ts: text.optional() })).max(25),
});
type Person = Pick<z.output<typeof pressed>, 'user'>;

const isOurs = ({ action_id: id }: { readonly action_id: string }): boolean =>
  id === ACKNOWLEDGE || [ANSWER, GO_ON, WORDS].some((one) => id.startsWith(`${one}_`));

async function handle(
  settings: SlackAppSettings,
  place: Audience,
  payload: JsonObject,
  options: ReceiveOptions,
): Promise<void> {
  const { on, signal, now, log } = options;
  const bounds = { timeout: CALL, signal, now };
  const written = readSubmission(payload);
  if (written !== null) return takeWords(settings, place, written, options);
  const { data } = pressed.safeParse(payload);
  const action = data?.actions.find(isOurs);
  if (!data || action?.value === undefined || data.channel.id !== place.channel) return;
  if (!mayAnswer(settings, place, data)) return; // strangers get no answer at all
  if (action.action_id.startsWith(WORDS)) {
    const fault = await openModal(settings, data.trigger_id ?? '', action.value, bounds);
    if (fault !== null) log('slack-app: a person could not be asked for words', { error: fault });
    return;
  }
  const { user, message } = data;
  const by = nameOf(user);
  const at = Math.round(Number(action.action_ts) * 1_000) || now();
  const line = await on({ reference: action.value, replyTo: null, text: null, by, at });
  const thread = message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts };
  await whisper(settings, { channel: place.channel, user: user.id, text: line.slice(0, 3_000), ...thread }, options);
}

const nameOf = ({ id, name, username }: Person['user']): { readonly id: string; readonly name: string } => ({
  id,
  name: name ?? username ?? id,
});

async function takeWords(
  settings: SlackAppSettings,
  place: Audience,
  written: Submitted,
  options: ReceiveOptions,
): Promise<void> {
  if (!mayAnswer(settings, place, written)) return; // strangers get no answer at all
  const { user, reference, text: words } = written;
  const line = await options.on({ reference, replyTo: null, text: words, by: nameOf(user), at: options.now() });
  await whisper(settings, { channel: place.channel, user: user.id, text: line.slice(0, 3_000) }, options);
}

async function whisper(settings: SlackAppSettings, what: JsonObject, options: ReceiveOptions): Promise<void> {
  const { signal, now, log } = options;
  const text = escapeXml(String(what['text']));
  const whispered = await callSlack(settings, 'chat.postEphemeral', { ...what, text }, { timeout: CALL, signal, now });
  if (!whispered.ok) log('slack-app: a person could not be answered', { error: whispered.outcome.error });
}

/** Where its messages are, and the app's own workspace. */
interface Audience extends SlackPlace {
  readonly team: string;
}

/** Those of the settings; otherwise the person written to, or members of the app's own workspace. */
function mayAnswer({ allow }: SlackAppSettings, place: Audience, { user }: Person): boolean {
  if (allow !== undefined) return allow.includes(user.id);
  if (place.user !== null) return user.id === place.user;
  return user.team_id !== undefined && user.team_id === place.team;
}

/** The id of the app's own workspace, asked of Slack once: in a channel that is shared with others (Slack Connect), a press names the presser's. */
type FindTeam = (bounds: CallBounds) => Promise<string | Extract<Called, { ok: false }>>;

/** Asks nothing yet. */
function createTeamFinder(settings: SlackAppSettings): FindTeam {
  let known: string | null = null;
  return async (bounds) => {
    if (known !== null) return known;
    const called = await callSlack(settings, 'auth.test', {}, bounds);
    if (!called.ok) return called;
    known = String(called.answer['team_id'] ?? '');
    return known;
  };
}
