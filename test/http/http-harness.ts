// A real HTTP server on a free port with two routes that count who got in: one for machines, one as the page would write.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { BODY_LIMITS, type BodyLimits } from '../../src/http/body.ts';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../src/http/listener.ts';
import { jsonReply } from '../../src/http/problem.ts';
import type { HttpRequest, HttpRoute } from '../../src/http/route.ts';
import { createHttpServer, type HttpServer, type HttpServerSettings } from '../../src/http/server.ts';
import type { TokenScope } from '../../src/http/access.ts';
import { ADMISSION_LIMITS, type AdmissionLimits } from '../../src/http/admission.ts';
import { addToken, createTokens } from '../../src/http/tokens.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { temporaryFolder } from '../support/home.ts';

export interface Harness {
  readonly port: number;
  readonly server: HttpServer;
  readonly settings: HttpServerSettings;
  /** Requests that a handler was given. */
  readonly inside: HttpRequest[];
  readonly logged: string[];
  readonly file: string;
  readonly tokens: Readonly<Record<TokenScope, string>>;
}

/** `hold`: what the handler of POST /hooks waits for. */
export async function startHttp(
  options: {
    readonly clock?: Clock;
    readonly hosts?: readonly string[];
    readonly listen?: string;
    readonly bodies?: Partial<BodyLimits>;
    readonly connections?: Partial<ConnectionLimits>;
    readonly mostConnections?: number;
    readonly admission?: Partial<AdmissionLimits>;
    readonly hold?: () => Promise<void>;
  } = {},
): Promise<Harness> {
  const { clock = systemClock, hosts = [], hold = async () => undefined } = options;
  const file = join(temporaryFolder(), 'tokens.json');
  const inside: HttpRequest[] = [];
  const logged: string[] = [];
  const log = (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  const enter = async (request: HttpRequest) => {
    inside.push(request);
    await hold();
    return jsonReply(200, { bytes: request.body.byteLength });
  };
  const routes: readonly HttpRoute[] = [
    { method: 'GET', path: '/metrics', name: 'metrics', handle: enter },
    { method: 'GET', path: '/api/v1/sessions/:id', name: 'sessions.get', handle: enter },
    { method: 'POST', path: '/api/v1/questions/:id/answer', name: 'questions.answer', handle: enter },
    { method: 'POST', path: '/hooks', name: 'hooks', machine: true, bodyLimit: 2_000_000, handle: enter },
    { method: 'GET', path: '/', name: 'files', navigable: true, handle: enter },
    { method: 'GET', path: '/fails', name: 'events.get', handle: () => Promise.reject(new Error('a bug')) },
  ];
  const tokens = {
    publish: await addToken(file, 'publisher', ['publish'], clock.now()),
    read: await addToken(file, 'reader', ['read'], clock.now()),
    answer: await addToken(file, 'answerer', ['answer'], clock.now()),
  };
  let listening: readonly string[] = [];
  const server = createHttpServer({
    clock,
    log,
    tokens: createTokens({ file, now: clock.now, log }),
    listening: (addresses) => {
      listening = addresses;
    },
    bodies: { ...BODY_LIMITS, ...options.bodies },
    connections: { ...CONNECTION_LIMITS, ...options.connections },
    ...(options.mostConnections === undefined ? {} : { mostConnections: options.mostConnections }),
    admission: { ...ADMISSION_LIMITS, ...options.admission },
  });
  onTestFinished(() => server.stop());
  const settings = { listen: [{ host: options.listen ?? '127.0.0.1', port: 0 }], hosts, routes };
  await server.configure(settings);
  return { port: Number(listening[0]?.split(':').at(-1)), server, settings, inside, logged, file, tokens };
}
