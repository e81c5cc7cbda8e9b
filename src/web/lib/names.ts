// What things are called, the same on every page: clients, sessions and the places they are in.
import { shownText } from './shown-text.ts';

/** By the names that events have: of the registry of clients, put in as the page is built (.ci/build-page.ts). */
declare const AGENT_TITLES: Readonly<Record<string, string>>;

/** A client as messages call it: "Claude". */
export const agentName = (agent: string): string =>
  shownText(
    (Object.hasOwn(AGENT_TITLES, agent) ? AGENT_TITLES[agent] : null) ?? agent.charAt(0).toUpperCase() + agent.slice(1),
  );

/** What is known of where something is. */
interface Placed {
  readonly project: string | null;
  /** The folder, whole. */
  readonly cwd: string | null;
  readonly agent: string | null;
}

/** The last name of a folder; null: it has none. */
export const folderOf = (cwd: string | null): string | null =>
  cwd?.split(/[\\/]/).findLast((part) => part !== '') ?? null;

/** Where it is, as titles begin: the project, else the folder, else the client. */
export const placeOf = ({ project, cwd, agent }: Placed): string => {
  const place = project ?? folderOf(cwd);
  return place === null ? agentName(agent ?? 'belfry') : shownText(place);
};

/** A session: where it is, and what it calls itself. */
export function sessionName(session: Placed & { readonly title: string | null }): string {
  const place = placeOf(session);
  return session.title === null || session.title === place ? place : `${place}: ${shownText(session.title)}`;
}
