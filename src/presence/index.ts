// The registry of detectors, one line each, in the order in which their evidence counts.
import { kde, logind, mutter, screenSaver } from './desktop-services.ts';
import { hyprland, sway } from './compositors.ts';
import type { Detector } from './shared/detector.ts';
import { lockers } from './screen-lockers.ts';
import { macosFront, macosIdle, macosLocked } from './macos.ts';
import { kitty, wezterm } from './terminals.ts';
import { tmux } from './tmux.ts';

import { windowsFront, windowsIdle, windowsLocked } from './windows.ts';
import { x11, x11Idle } from './x11.ts';

export { createDetection, type Detection } from './ask-detectors.ts';
export { lookingThere } from './tmux.ts';
export type { Finding } from './shared/detector.ts';
export { type SeenThrough, sshBehind } from './shared/ssh-client.ts';
export { createDoNotDisturb } from './do-not-disturb.ts';
export { createPromptWindow, type PromptWindow } from './prompt-window.ts';

/** All of them. */
export const DETECTORS: readonly Detector[] = [
  logind,
  lockers,
  screenSaver,
  macosLocked,
  windowsLocked,
  tmux,
  kitty,
  wezterm,
  sway,
  hyprland,
  x11,
  macosFront,
  windowsFront,
  x11Idle,
  mutter,
  kde,
  macosIdle,
  windowsIdle,
];
