// Which files of an agent's settings are meant: the user's, a project's, or the one that was named.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ProgramResult } from '../src/lib/programs/run-program.ts';
import type { Agent, AgentSettings } from '../src/model/agent/agent.ts';
import { EXIT, UserError } from '../src/model/errors.ts';
import { localFacts, type MachineFacts } from './files/access.ts';

/** Whose settings: the user's, those of the project that holds `folder`, or one file. */
export type Scope =
  | { readonly level: 'user' }
  | { readonly level: 'project'; readonly folder: string }
  | { readonly level: 'file'; readonly path: string };

/** What the layout of settings depends on. */
export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** What is where; by default on this machine. */
  readonly facts?: MachineFacts;
  /** Runs a program of a client; by default on this machine. */
  readonly run?: (
    program: string,
    args: readonly string[],
    limit: number,
  ) => Promise<Pick<ProgramResult, 'stdout' | 'timedOut'>>;
}

/** A settings file and where in it the events are. */
export interface SettingsPlace {
  readonly path: string;
  readonly at: readonly string[];
  /** Code of its own instead of settings: all of it is ours, or nothing. */
  readonly isModule?: true;
}

/** `override` switches the same events of `main` off; absent when the client has no such file or it does not exist. */
export interface SettingsPlaces {
  readonly main: SettingsPlace;
  readonly override: SettingsPlace | null;
  /** A file of its own by which it is answered from elsewhere, in the user's settings only. */
  readonly extension?: SettingsPlace;
}

/** An agent with settings; `generic` has none. */
export function settingsOf(agent: Agent): AgentSettings {
  if (agent.settings) return agent.settings;
  throw new UserError(`${agent.name} has no settings to install into: pipe its input into \`belfry-hook\``, EXIT.usage);
}

/** The files of an agent at a scope. */
export function placesOf(agent: Agent, scope: Scope, machine: Machine): SettingsPlaces {
  const settings = settingsOf(agent);
  const { override } = settings;
  const { facts = localFacts } = machine;
  const inside = agent.answering?.inside?.file;
  if (scope.level === 'file') {
    if (inside && basename(scope.path) === basename(inside.user(machine)))
      return { main: { path: scope.path, at: [], isModule: true }, override: null };
    const named = override?.user(machine);
    const isOverride = named !== undefined && basename(scope.path) === basename(named);
    return {
      main: { path: scope.path, at: isOverride && override ? override.hooksPath : settings.hooksPath },
      override: null,
    };
  }
  const locate = (user: AgentSettings['user'], project: string | null): string | null => {
    if (scope.level === 'user') return user(machine);
    return project === null ? null : join(projectRoot(scope.folder), project);
  };
  const main = locate(settings.user, settings.project);
  if (main === null) throw new UserError(`${agent.title} has no project settings: leave out --project`, EXIT.usage);
  const extension = scope.level === 'user' ? inside : undefined;
  const second = override ? locate(override.user, override.project) : null;
  return {
    main: { path: main, at: settings.hooksPath },
    override: override && second !== null && facts.exists(second) ? { path: second, at: override.hooksPath } : null,
    ...(extension && { extension: { path: extension.user(machine), at: [], isModule: true } }),
  };
}

/** The nearest folder upwards with a repository, else the folder itself. */
function projectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}
