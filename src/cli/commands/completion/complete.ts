// `belfry complete WHAT`: the names that exist on this machine, one a line, for the completion scripts.
import { Argument } from 'commander';
import { channelOf } from '../../../channels/index.ts';
import { readConfig } from '../../../config/load.ts';
import { readPending } from '../../../store/pending.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { DYNAMIC_VALUES, type DynamicValues } from './values.ts';
import type { Define } from '../../command-entry.ts';
import { withStore } from '../../reading/with-store.ts';

/** Most sessions that are offered, the latest first. */
const SESSIONS = 50;

export const define: Define = (command, io) => {
  command.addArgument(new Argument('<WHAT>', 'what to list').choices(DYNAMIC_VALUES)).action(async (what) => {
    const names = await valuesOf(what as DynamicValues).catch(() => []); // a shell that completes shows no errors
    for (const name of names) if (/^[\w@.:-]+$/.test(name)) io.line(name);
  });
};

async function valuesOf(what: DynamicValues): Promise<string[]> {
  if (what === 'channels' || what === 'people-channels') {
    const loaded = await readConfig(resolveOwnPaths());
    const channels = loaded.ok ? loaded.config.channels : [];
    const isWanted = ({ type }: { readonly type: string }) =>
      what === 'channels' || channelOf(type)?.audience === 'people';
    return channels.filter(isWanted).map(({ name }) => name);
  }
  if (what === 'sessions') {
    const sessions = await withStore((store) => store.sessions({}));
    return [...sessions]
      .sort((a, b) => b.lastEvent - a.lastEvent)
      .slice(0, SESSIONS)
      .map(({ sessionId }) => sessionId);
  }
  if (what === 'pending') {
    const { notifications, questions } = await withStore(readPending);
    return [...notifications.map(({ notification }) => notification.id), ...questions.map(({ id }) => id)];
  }
  const events = await withStore((store) => store.events({ limit: SESSIONS }));
  return events.map(({ event }) => event.id);
}
