// Connections of outgoing requests, kept for the next one. Node's HTTP and TLS are loaded by the first request: 4 MB that a daemon without needs not.
import type { Agent, request } from 'node:http';

/** Ms a connection waits for the next request: shorter than any receiver does, so none is written to that the other side has closed. */
const KEPT = 1_000;

const agents = new Map<string, Agent>();

const isTls = ({ protocol }: URL): boolean => protocol === 'https:';
const modulesOf = (url: URL) => process.getBuiltinModule(isTls(url) ? 'node:https' : 'node:http');

/** What makes a request to such a URL. */
export function requesterOf(url: URL): typeof request {
  return modulesOf(url).request;
}

/** A connection is checked when it is made, by one rule: it serves targets under the same rule only. */
export function agentFor(url: URL, allowPrivate: boolean): Agent {
  const key = `${isTls(url)} ${allowPrivate}`;
  const known = agents.get(key);
  if (known) return known;
  const made = new (modulesOf(url).Agent)({ keepAlive: true, timeout: KEPT, maxFreeSockets: 4 });
  agents.set(key, made);
  return made;
}
