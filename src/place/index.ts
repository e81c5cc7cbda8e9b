// The registry of kinds of places, one line each: of each level the first that applies, of the windows the first that works.
import { appleTerminalApp, iterm } from './apple-terminals.ts';
import { gnome } from './gnome.ts';
import { hyprland } from './hyprland.ts';
import { kde } from './kde.ts';
import { kitty } from './kitty.ts';
import { macosApplication } from './macos.ts';
import type { PlaceKind } from './place-kind.ts';
import { screen } from './screen.ts';
import { sway } from './sway.ts';
import { tmux } from './tmux.ts';
import { vscodeTerminal, vscodeWindow } from './vscode.ts';
import { wezterm } from './wezterm.ts';
import { windowsDesktop, windowsTerminal } from './windows.ts';
import { x11 } from './x11.ts';
import { zellij } from './zellij.ts';

export { createFocus, type Focus, type FocusRequest } from './focus.ts';
export type { Ability, Step } from './place-kind.ts';

/** All of them. */
export const PLACES: readonly PlaceKind[] = [
  tmux,
  zellij,
  screen,
  kitty,
  wezterm,
  iterm,
  appleTerminalApp,
  windowsTerminal,
  vscodeTerminal,
  sway,
  hyprland,
  kde,
  gnome,
  x11,
  vscodeWindow,
  macosApplication,
  windowsDesktop,
];
