// Which proxy a request goes through: that of the settings, or of HTTPS_PROXY and HTTP_PROXY; NO_PROXY and loopback go without.

import { isLoopback } from './listen-address.ts';
import { isExempt } from './no-proxy.ts';
import { bareHost, isLoopbackName } from './outbound-url.ts';

/** One that is to be used. Its sign-in is in no text that is shown. */
export interface HttpProxy {
  /** Host and port, for messages. */
  readonly name: string;
  /** Where the address is from: the name of the variable or setting. */
  readonly from: string;
  /** To connect to; without user name and password. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The proxy is at fault, or its address: one line that names it. */
export class ProxyError extends Error {
  readonly kind: 'network' | 'timeout';
  readonly code = 'EPROXY';

  constructor(message: string, kind: 'network' | 'timeout' = 'network') {
    super(message);
    this.kind = kind;
  }
}

/** `[network] proxy`: "env", "none" or an address, its secret resolved; or why that could not be. */
export type ProxySetting = string | { readonly fault: string };
type Variables = Readonly<Record<string, string | undefined>>;

/** Name of the setting, as messages have it. */
export const PROXY_SETTING = '[network] proxy';

let setting: ProxySetting = 'env';
let variables: Variables = process.env;
/** The same one for the same address, by address and origin: kept connections belong to it. */
const known = new Map<string, HttpProxy | string>();

/** From now on requests of this process follow this setting; before, they follow the environment. */
export function useProxy(given: ProxySetting, env: Variables): void {
  setting = given;
  variables = env;
  known.clear();
}

/** The proxy for a request to this URL (http, https, ws, wss); null: none. Throws ProxyError when its address is unusable: nothing goes past it. */
export function proxyFor(url: URL): HttpProxy | null {
  const secure = /^(?:https|wss):$/.test(url.protocol);
  if (typeof setting === 'string' && chosenFor(secure) === null) return null;
  const host = bareHost(url);
  if (isLoopbackName(host) || isLoopback({ host, port: 0 })) return null;
  const chosen = chosenFor(secure);
  if (chosen === null || isExempt(variable('NO_PROXY')?.text ?? '', host, portOf(url))) return null;
  const key = `${chosen.from} ${chosen.text}`;
  const proxy = known.get(key) ?? parseProxy(chosen.text, chosen.from);
  known.set(key, proxy);
  if (typeof proxy === 'string') throw new ProxyError(proxy);
  return proxy;
}

/** The port that a URL names or means. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : Number(port);
}

function chosenFor(secure: boolean): { readonly text: string; readonly from: string } | null {
  if (typeof setting !== 'string') throw new ProxyError(`${PROXY_SETTING} cannot be used: ${setting.fault}`);
  if (setting === 'none') return null;
  return setting === 'env' ? variable(secure ? 'HTTPS_PROXY' : 'HTTP_PROXY') : { text: setting, from: PROXY_SETTING };
}

/** As curl has it: the lower case name goes first, and an empty value is none. */
function variable(name: string): { readonly text: string; readonly from: string } | null {
  const from = variables[name.toLowerCase()] ? name.toLowerCase() : name;
  const text = variables[from]?.trim();
  return text ? { text, from } : null;
}

/** A proxy's address read, or what is wrong with it; without the address, which may hold a password. */
export function parseProxy(text: string, from: string): HttpProxy | string {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) || from === PROXY_SETTING ? text : `http://${text}`;
  const fault = proxyFault(whole);
  if (fault !== null) return `${from} ${fault}`;
  const given = new URL(whole);
  const { username, password } = given;
  const url = new URL(`${given.protocol}//${given.host}`);
  const signIn = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const headers = username || password ? { 'proxy-authorization': `Basic ${signIn}` } : {};
  return { name: `${url.hostname}:${portOf(url)}`, from, url, headers };
}

/** Why a text is not a proxy's address; null when it is one. */
export function proxyFault(text: string): string | null {
  const fits = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname === '/';
  return fits
    ? null
    : 'must be an address such as "http://proxy.example.com:3128"; only http:// and https:// are known';
}

/** The address without what signs in. */
export function maskProxy(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//(hidden)@');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that encodes nothing
  }
}
