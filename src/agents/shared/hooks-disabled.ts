// Whether a client's settings switch all hooks off.
import { parse } from 'jsonc-parser';
import type { Agent } from '../../model/agent/agent.ts';
import { asObject } from '../../lib/json/json.ts';

/** For clients with a `disableAllHooks` setting. Otherwise such a client asks for no consent to a user's own hooks. */
export const unlessDisabled: NonNullable<Agent['trust']> = ({ settingsFile, read }) => {
  const text = read(settingsFile);
  if (text !== null && asObject(parse(text))['disableAllHooks'] === true)
    return { trusted: false, fix: `remove "disableAllHooks" from ${settingsFile}: it switches every hook off` };
  return { trusted: null };
};
