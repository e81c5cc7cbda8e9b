// Which hooks Codex has the user's consent for: config.toml, `[hooks.state."<file>:<event>:<group>:<index>"] trusted_hash`.
import { parse as parseJson } from 'jsonc-parser';
import type { Trust } from '../../model/agent/agent.ts';
import { asObject } from '../../lib/json/json.ts';
import { parseConfig } from './config.ts';

const TRUST_FIX = 'start `codex` once and choose "Trust all" at "Hooks need review"';

/** Whether every hook of ours in the settings has a hash in the config; the hash itself cannot be checked from outside. */
export function trustedByHash(at: { settingsFile: string; settings: string | null; config: string | null }): Trust {
  const ours = at.settings === null ? [] : ownHooks(at.settingsFile, asObject(parseJson(at.settings)));
  if (ours.length === 0) return { trusted: null };
  const state = hookState(at.config);
  const missing = ours.some((key) => {
    const entry = asObject(Object.hasOwn(state, key) ? state[key] : undefined);
    return typeof entry['trusted_hash'] !== 'string' || entry['enabled'] === false;
  });
  return missing ? { trusted: false, fix: TRUST_FIX } : { trusted: true };
}

function hookState(config: string | null): Readonly<Record<string, unknown>> {
  return asObject(asObject(parseConfig(config)['hooks'])['state']);
}

/** Keys of the entries whose command is Belfry's. */
function ownHooks(file: string, settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(asObject(settings['hooks'])).flatMap(([event, groups]) =>
    list(groups).flatMap((group, g) =>
      list(asObject(group)['hooks']).flatMap((hook, h) => {
        const command = asObject(hook)['command'];
        return typeof command === 'string' && /belfry/i.test(command) ? [`${file}:${snake(event)}:${g}:${h}`] : [];
      }),
    ),
  );
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function snake(event: string): string {
  return event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
