// Moves the secrets among a new channel's answers into the secret store, and back out when the rest fails.
import {
  readSecret,
  removeSecret,
  storedSecrets,
  type StoredSecret,
  storeSecret,
} from '../../../config/secrets/secret-store.ts';
import type { ChannelType } from '../../../model/channel/channel.ts';
import type { SetupAnswers } from '../../../model/channel/setup.ts';
import { isLiteralSecret } from './parse-answers.ts';

/** The answers with references in place of secrets. */
export interface WithReferences {
  readonly settings: SetupAnswers;
  readonly stored: readonly StoredSecret[];
  /** Puts the store back as it was. */
  readonly undo: () => Promise<void>;
}

/** `before`: the settings that the channel had, whose secrets are replaced under their own names. UserError when one cannot be stored; then nothing is. */
export async function storeChannelSecrets(
  folder: string,
  channel: ChannelType,
  name: string,
  answers: SetupAnswers,
  before: SetupAnswers,
): Promise<WithReferences> {
  const taken = new Set((await storedSecrets(folder)).map((secret) => secret.name));
  const steps: (() => Promise<unknown>)[] = [];
  const undo = async (): Promise<void> => {
    for (const step of steps.reverse()) await step();
  };
  const stored: StoredSecret[] = [];
  let settings = answers;
  try {
    for (const [key, value] of Object.entries(answers)) {
      if (!isLiteralSecret(channel, key, value)) continue;
      const own = /^secret:(.+)$/.exec(String(before[key] ?? ''))?.[1];
      const as = own ?? freeName(`${name}${key === 'url' ? '' : `_${key}`}`, taken);
      const old = taken.has(as) ? await readSecret(folder, as) : null;
      const kept = (await storedSecrets(folder)).find((secret) => secret.name === as);
      stored.push(await storeSecret(folder, as, value, kept?.store ?? 'file'));
      taken.add(as);
      steps.push(async () =>
        old !== null && 'value' in old && kept
          ? storeSecret(folder, as, old.value, kept.store)
          : removeSecret(folder, as),
      );
      settings = { ...settings, [key]: `secret:${as}` };
    }
  } catch (error) {
    await undo();
    throw error;
  }
  return { settings, stored, undo };
}

/** A name that no stored secret has: another channel may use that. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const base =
    wanted
      .replace(/[^\w.-]/g, '_')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 56) || 'channel';
  for (let i = 1; ; i++) {
    const name = i === 1 ? base : `${base}_${i}`;
    if (!taken.has(name)) return name;
  }
}
