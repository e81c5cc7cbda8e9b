// The event that notifies people that their settings file is invalid.
import type { InvalidConfig, ConfigOrigin } from '../config/initial-load.ts';
import type { Event } from '../model/event/event.ts';
import { internalEvent } from '../model/event/internal-event.ts';
import { sha256 } from '../lib/hash.ts';

/** One event per invalid text: its id is made of the error and when it was first seen. */
export function settingsBroken(invalid: InvalidConfig, origin: ConfigOrigin): Event {
  const kept = origin === 'defaults' ? 'The built-in settings' : 'The last valid settings';
  const digest = sha256(`${invalid.line}${invalid.since}`, 24);
  return internalEvent({
    id: `settings-${digest}`,
    kind: 'settings.broken',
    at: invalid.since,
    abnormal: true,
    presetText: {
      title: 'belfry: config.toml is invalid',
      body: `${invalid.line}\n${kept} are used until you fix it. \`belfry config check\` shows all mistakes.`,
    },
  });
}
