// Which changes of enterprise settings loosen a limit: those are urgent.
import { type SettingsChange, isPlainList, type Json } from './settings-difference.ts';

/** Last part of the path of a switch, and the value that limits. */
const LIMITING_SWITCHES: Readonly<Record<string, boolean>> = {
  enableAgentShield: true,
  restrictMemberVisibility: true,
  restrictedAccess: true,
  'sandbox.enabled': true,
  'mcpPolicy.enabled': true,
  allowCustomModels: false,
  allowAllServiceModels: false,
  allowAllUnixSockets: false,
  allowLocalBinding: false,
};

/** Lists that forbid (losing an entry loosens) and lists that allow (gaining one, or losing all, loosens). */
const FORBIDDING = /(denylist|deny(write|read)|blocked\w{0,60})$/i;
const ALLOWING = /(allowlist|allowed\w{0,60}|allow(write|read|unixsockets))$/i;

const AUTONOMY = /autonomy(level|mode)$/i;
/** From least to most; the service's complete set of values is not shown, so an unknown one counts as neither. */
const LADDER = [
  'off',
  'manual',
  'spec',
  'low',
  'auto-low',
  'normal',
  'medium',
  'auto-medium',
  'high',
  'auto-high',
  'full',
];

/** Whether this change allows agents more than before. */
export function loosens(change: SettingsChange): boolean {
  const { path, before, after } = change;
  const name = path.split('.').at(-1) ?? '';
  for (const [key, limiting] of Object.entries(LIMITING_SWITCHES)) {
    if ((path === key || path.endsWith(`.${key}`)) && before === limiting && after !== limiting) return true;
    if ((path === key || path.endsWith(`.${key}`)) && before === undefined && after === !limiting) return true;
  }
  if (/strictKnownMarketplaces/.test(path)) return before !== undefined && after === undefined;
  if (AUTONOMY.test(name)) return rank(after) > rank(before) && rank(before) >= 0;
  if (FORBIDDING.test(name)) return entries(before).some((entry) => !entries(after).includes(entry));
  if (ALLOWING.test(name)) {
    const was = entries(before);
    const is = entries(after);
    return was.length > 0 ? is.length === 0 || is.some((entry) => !was.includes(entry)) : false;
  }
  return /^(httpProxyPort|socksProxyPort)$/.test(name) ? before !== undefined && after === undefined : false;
}

function entries(value: Json | undefined): readonly unknown[] {
  return isPlainList(value) ? value : [];
}

function rank(value: Json | undefined): number {
  return typeof value === 'string' ? LADDER.indexOf(value.replaceAll('_', '-')) : -1;
}
