// A stand-in for the server in which Codex keeps its sessions: strict about the greeting and the forms, with a terminal that may answer too.
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { temporaryFolder } from './home.ts';

type Json = Readonly<Record<string, unknown>>;

/** One request to whoever answers first. */
interface Pending {
  readonly id: number;
  readonly method: string;
  readonly params: Json;
}

/** The stand-in. */
export interface StandIn {
  readonly socket: string;
  /** Where it leads. */
  readonly target: string;
  /** Every message of the clients, in order. */
  readonly received: Json[];
  /** Called with each of them as it comes. */
  hears: (message: Json) => void;
  /** What was answered, by whom. */
  readonly answers: { readonly id: number; readonly result: unknown; readonly by: 'client' | 'terminal' }[];
  /** Connections that are greeted and have joined. */
  joined(): number;
  /** Connections that are open. */
  connected(): number;
  /** Threads that run here. */
  readonly loaded: Set<string>;
  /** Asks for a command to be allowed; returns the request's id. */
  ask(thread: string, command: string, more?: Json): number;
  /** Asks questions. */
  question(thread: string, questions: readonly Json[]): number;
  /** The person at the terminal is first, or too late. */
  terminal(id: number, result: unknown): void;
  /** Raw text to every client. */
  say(text: string): void;
  /** Does not listen to answers any more, or does again. */
  deaf: boolean;
  /** Says what becomes of a command that was settled, and writes down what was answered to a question; a long one says nothing for long. */
  tells: boolean;
  /** Takes connections, and answers nothing. */
  silent: boolean;
  /** Who is signed in, as `account/read` says it; null: nobody, its provider wants no account. */
  account: Json | null;
  /** What it answers to `account/rateLimits/read`; null: it fails to learn them. */
  limits: Json | null;
  /** Whether it takes no further instruction. */
  refuses: boolean;
  /** Cuts so many connections in the moment they join. */
  cutsJoining: number;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

const COMMAND = 'item/commandExecution/requestApproval';
const QUESTION = 'item/tool/requestUserInput';
/** As the rollout has what the model reads of an answer. */
const answered = ({ itemId: call_id }: Json, given: unknown): Json => ({
  timestamp: '2026-11-24T19:33:44.946Z',
  type: 'response_item',
  payload: { type: 'function_call_output', call_id, output: JSON.stringify(given) },
});
/** What a short command comes to. */
function outcome({ threadId, turnId, itemId }: Json, given: unknown): Json {
  const { decision } = given as { readonly decision?: unknown };
  if (decision === 'cancel') return { method: 'turn/completed', params: { threadId, turn: { id: turnId } } };
  const item = { type: 'commandExecution', id: itemId, status: decision === 'decline' ? 'declined' : 'completed' };
  return { method: 'item/completed', params: { threadId, turnId, item } };
}

const TURN = '01a1fd2a-bfa6-7f20-8124-2b16e4750543';

/** Listens below this folder of Codex. `mode`: of the socket's folder. */
export async function startAppServer(codexHome: string, mode = 0o700): Promise<StandIn> {
  const folder = join(codexHome, 'app-server-control');
  mkdirSync(folder, { recursive: true, mode });
  const socket = join(folder, 'app-server-control.sock');
  // The socket itself lies elsewhere, in another private folder.
  const target = join(temporaryFolder(), 'socket');
  symlinkSync(target, socket);
  const http = createServer((_request, response) => response.writeHead(404).end());
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  const rollout = join(codexHome, 'rollout.jsonl');
  writeFileSync(rollout, '');
  const subscribers = new Map<WebSocket, Set<string>>();
  const pending = new Map<number, Pending>();
  const received: Json[] = [];
  const answers: StandIn['answers'] = [];
  const loaded = new Set<string>();
  let last = -1;

  const tell = (thread: unknown, message: Json): void => {
    for (const [client, threads] of subscribers) if (threads.has(String(thread))) client.send(JSON.stringify(message));
  };
  /** The first one counts; the others are not even told that they are late. */
  const settle = (id: number, given: unknown, by: 'client' | 'terminal'): void => {
    const request = pending.get(id);
    if (request === undefined) return;
    pending.delete(id);
    answers.push({ id, result: given, by });
    tell(request.params['threadId'], {
      method: 'serverRequest/resolved',
      params: { threadId: request.params['threadId'], requestId: id },
    });
    if (!result.tells) return;
    if (request.method === QUESTION) appendFileSync(rollout, `${JSON.stringify(answered(request.params, given))}\n`);
    else tell(request.params['threadId'], outcome(request.params, given));
  };
  const put = (method: string, params: Json): number => {
    const id = ++last;
    const request = { id, method, params };
    pending.set(id, request);
    tell(params['threadId'], request);
    return id;
  };

  server.on('connection', (client) => {
    let state: 'new' | 'greeting' | 'ready' = 'new';
    const fail = (id: unknown, message: string): void =>
      client.send(JSON.stringify({ id, error: { code: -32600, message } }));
    client.on('error', () => undefined);
    client.on('close', () => subscribers.delete(client));
    client.on('message', (data) => {
      const message = JSON.parse(String(data)) as Json & { readonly params?: Json };
      received.push(message);
      result.hears(message);
      if (result.silent) return;
      const { id, method, params = {} } = message;
      const answer = (result: Json): void => client.send(JSON.stringify({ id, result }));
      if (method === undefined) return result.deaf ? undefined : settle(Number(id), message['result'], 'client');
      if (method === 'initialize') {
        const info = params['clientInfo'] as Json | undefined;
        if (state !== 'new' || typeof info?.['name'] !== 'string' || typeof info['version'] !== 'string')
          return fail(id, 'Invalid request');
        state = 'greeting';
        return answer({ userAgent: 'stand-in', codexHome });
      }
      if (method === 'initialized' && state === 'greeting') {
        state = 'ready';
        return;
      }
      if (state !== 'ready') return fail(id, 'Not initialized');
      if (method === 'account/read')
        return answer({ account: result.account, requiresOpenaiAuth: result.account !== null });
      if (method === 'account/rateLimits/read')
        return result.limits === null ? fail(id, 'failed to fetch codex rate limits') : answer(result.limits);
      const thread = String(params['threadId']);
      if (method === 'thread/loaded/list') return answer({ data: [...loaded], nextCursor: null });
      if (!loaded.has(thread)) return fail(id, `no rollout found for thread id ${thread}`);
      if (method === 'thread/resume' && result.cutsJoining > 0) {
        result.cutsJoining -= 1;
        return client.terminate();
      }
      if (method === 'thread/resume') {
        subscribers.set(client, (subscribers.get(client) ?? new Set()).add(thread));
        answer({ thread: { id: thread, path: rollout } });
        for (const request of pending.values())
          if (request.params['threadId'] === thread) client.send(JSON.stringify(request));
        return;
      }
      if (method === 'turn/steer') {
        if (params['expectedTurnId'] !== TURN) return fail(id, 'no active turn to steer');
        return answer({ turnId: TURN });
      }
      if (method === 'thread/queue/add') {
        if (typeof params['clientUserMessageId'] !== 'string') return fail(id, 'missing field `clientUserMessageId`');
        if (result.deaf) return;
        if (result.refuses) return fail(id, 'the thread is busy');
        return answer({ queuedSubmission: { id: 'queued', ...params, responsesapiClientMetadata: null } });
      }
      if (method === 'turn/start') return answer({ turn: { id: 'next' } });
      fail(id, `unknown variant ${String(method)}`);
    });
  });
  await new Promise<void>((resolve) => http.listen(target, resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const client of server.clients) client.terminate();
      server.close();
      http.close(() => resolve());
    });
  onTestFinished(close);
  const result: StandIn = {
    socket,
    target,
    received,
    answers,
    loaded,
    close,
    hears: () => undefined,
    tells: true,
    deaf: false,
    silent: false,
    refuses: false,
    account: null,
    limits: null,
    cutsJoining: 0,
    joined: () => subscribers.size,
    connected: () => server.clients.size,
    ask: (thread, command, more = {}) =>
      put(COMMAND, {
        threadId: thread,
        turnId: TURN,
        itemId: `call_${last + 1}`,
        startedAtMs: 1,
        reason: 'Create the file?',
        command: `/bin/bash -lc '${command}'`,
        cwd: '/tmp',
        availableDecisions: ['accept', { acceptWithExecpolicyAmendment: {} }, 'cancel'],
        ...more,
      }),
    question: (thread, questions) =>
      put(QUESTION, {
        threadId: thread,
        turnId: TURN,
        itemId: `call_${last + 1}`,
        isBlocking: true,
        questions,
      }),
    terminal: (id, result) => settle(id, result, 'terminal'),
    say: (text) => {
      for (const client of server.clients) client.send(text);
    },
    cut: () => {
      for (const client of server.clients) client.terminate();
    },
  };
  return result;
}
