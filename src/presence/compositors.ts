// Wayland compositors that say which window is focused: sway and Hyprland.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, isObject, parseJson } from '../lib/json/json.ts';
import { defineDetector, type Subject, type Viewer } from './shared/detector.ts';
import { isHere, judgeWindows } from './shared/active-window.ts';

type Env = Viewer['env'];

/** Most of a tree that is read. */
const DEEPEST = 64;

/** The process of the focused window in `swaymsg -t get_tree`; null: none is, or it is no such tree. */
export function focusedInTree(text: string): number | null {
  const find = (node: unknown, depth: number): number | null => {
    if (!isObject(node) || depth > DEEPEST) return null;
    if (node['focused'] === true && typeof node['pid'] === 'number') return node['pid'];
    for (const key of ['nodes', 'floating_nodes'] as const) {
      const below = node[key];
      for (const child of Array.isArray(below) ? below : []) {
        const found = find(child, depth + 1);
        if (found !== null) return found;
      }
    }
    return null;
  };
  return find(parseJson(text), 0);
}

/** The process of the window in `hyprctl -j activewindow`. */
export function hyprlandActive(text: string): number | null {
  const pid = asObject(parseJson(text))['pid'];
  return typeof pid === 'number' && pid > 0 ? pid : null;
}

/** A terminal with several windows in one process cannot be distinguished, so that is unknown. */
const judge = ({ viewers }: Subject, active: number | null) =>
  active === null
    ? []
    : [judgeWindows(viewers, (_viewer, terminal) => (terminal === null ? null : terminal.pid === active))];

const envOf = ({ viewers }: Subject, name: string): Env | undefined =>
  viewers.find((viewer) => isHere(viewer) && viewer.env[name])?.env;

/** Its socket, which programs started before it do not know. */
export function swaySocket(env: Env): string | null {
  if (env['SWAYSOCK']) return env['SWAYSOCK'];
  const folder = env['XDG_RUNTIME_DIR'];
  if (!folder) return null;
  try {
    const found = readdirSync(folder).filter((name) => /^sway-ipc\..+\.sock$/.test(name));
    return found.length === 1 && found[0] !== undefined ? join(folder, found[0]) : null;
  } catch {
    return null;
  }
}

export const sway = defineDetector({
  name: 'sway',
  about: ['looking'],
  applies: (subject) => {
    const env = envOf(subject, 'SWAYSOCK') ?? envOf(subject, 'WAYLAND_DISPLAY');
    return env !== undefined && !env['HYPRLAND_INSTANCE_SIGNATURE'] && swaySocket(env) !== null;
  },
  detect: async (subject, run) => {
    const env = envOf(subject, 'SWAYSOCK') ?? envOf(subject, 'WAYLAND_DISPLAY');
    const socket = env === undefined ? null : swaySocket(env);
    const text = socket === null ? null : await run('swaymsg', ['-s', socket, '-r', '-t', 'get_tree'], env);
    return judge(subject, text === null ? null : focusedInTree(text));
  },
});

export const hyprland = defineDetector({
  name: 'hyprland',
  about: ['looking'],
  applies: (subject) => envOf(subject, 'HYPRLAND_INSTANCE_SIGNATURE') !== undefined,
  detect: async (subject, run) => {
    const text = await run('hyprctl', ['-j', 'activewindow'], envOf(subject, 'HYPRLAND_INSTANCE_SIGNATURE'));
    return judge(subject, text === null ? null : hyprlandActive(text));
  },
});
