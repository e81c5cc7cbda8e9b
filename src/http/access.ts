// Who may use which route: one row a route, which server, OpenAPI document, help and docs are made from. A route without a row does not compile.
import { BASE, type EndpointName, PATHS } from './api/paths.ts';

/** What `belfry token add` gives a token. */
export const TOKEN_SCOPES = ['publish', 'read', 'answer'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** `page`: a browser that `belfry dashboard` let in. */
export type Scope = TokenScope | 'page';

/** What each scope may use beside what is its own. */
const INCLUDED: Readonly<Record<Scope, readonly Scope[]>> = {
  publish: [],
  read: [],
  answer: ['read'],
  page: ['read', 'answer'],
};

/** Routes that are no endpoints of the contract, with their paths. */
const OTHERS = {
  hooks: 'POST /hooks',
  stream: `GET ${BASE}/stream`,
  metrics: 'GET /metrics',
  live: 'GET /health/live',
  ready: 'GET /health/ready',
  document: `GET ${BASE}/openapi.json`,
  files: 'GET /',
} as const;

export type RouteName = EndpointName | keyof typeof OTHERS;

/** A row of the table. */
export interface Access {
  /** The least scope that may use it; `any`: every token. */
  readonly scope: Scope | 'any';
  /** On a loopback address it needs no token. `unmetered`: it costs so little that nobody without a token can keep it from others by asking. */
  readonly open?: 'metered' | 'unmetered';
}

const READ = { scope: 'read' } as const;
const ANSWER = { scope: 'answer' } as const;
const PAGE = { scope: 'page' } as const;

/** The table. */
export const ACCESS: Readonly<Record<RouteName, Access>> = {
  hooks: { scope: 'publish' },
  'sessions.list': READ,
  'sessions.get': READ,
  'sessions.timeline': READ,
  'events.list': READ,
  'events.get': READ,
  'events.why': READ,
  'notifications.list': READ,
  'questions.list': READ,
  'deliveries.list': READ,
  'channels.list': READ,
  'mutes.list': READ,
  'rules.get': READ,
  'rules.explain': READ,
  'status.get': READ,
  'status.ifNow': READ,
  'service.get': READ,
  'service.readiness': READ,
  'service.controls': READ,
  stream: READ,
  metrics: { scope: 'read', open: 'metered' },
  'notifications.ack': ANSWER,
  'notifications.ackAll': ANSWER,
  'questions.answer': ANSWER,
  'sessions.reply': ANSWER,
  'sessions.continue': ANSWER,
  'sessions.focus': PAGE,
  'notifications.postpone': PAGE,
  'deliveries.replay': PAGE,
  'channels.test': PAGE,
  'mutes.add': PAGE,
  'mutes.end': PAGE,
  'mutes.endAll': PAGE,
  'rules.try': PAGE,
  'rules.text': PAGE,
  'rules.preview': PAGE,
  'rules.save': PAGE,
  'service.checkLimits': PAGE,
  'service.setLimits': PAGE,
  'events.files': PAGE,
  'push.get': PAGE,
  'push.subscribe': PAGE,
  'push.unsubscribe': PAGE,
  // What is handed over with these is the proof.
  'push.press': { scope: 'page', open: 'unmetered' },
  'page.token': { scope: 'page', open: 'unmetered' },
  'page.proof': { scope: 'page', open: 'unmetered' },
  'page.code': PAGE,
  'page.key': PAGE,
  'page.leave': PAGE,
  files: { scope: 'read', open: 'unmetered' },
  live: { scope: 'any', open: 'unmetered' },
  ready: { scope: 'any' },
  document: { scope: 'any' },
};

/** Whether a token with these scopes may use the route. */
export function mayUse(scopes: readonly Scope[], route: RouteName): boolean {
  const { scope } = ACCESS[route];
  return scope === 'any' || scopes.some((own) => own === scope || INCLUDED[own].includes(scope));
}

/** What a token with this scope may use, as `POST /api/v1/mutes`, without what each may: that of scopes which it includes is left out. */
export function routesOf(scope: Scope): readonly string[] {
  const names = (Object.keys(ACCESS) as RouteName[]).filter((name) => ACCESS[name].scope === scope && name !== 'files');
  return names.map(pathOf);
}

function pathOf(name: RouteName): string {
  if (name in OTHERS) return OTHERS[name as keyof typeof OTHERS];
  const [method, path] = PATHS[name as EndpointName].split(' ');
  return `${method} ${BASE}${path?.replace(/:(\w+)/g, '{$1}')}`;
}

/** What each scope is for, for people; what it may use is {@link routesOf}. */
export const PURPOSES: Readonly<Record<TokenScope, string>> = {
  publish: 'posts hook inputs of other hosts, and cannot speak for this one',
  read: 'reads, and follows what changes',
  answer: 'answers, replies and acknowledges, and reads too',
};
