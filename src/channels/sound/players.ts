// The programs that play a sound file, by system; the first that works is used.
import type { Way } from '../shared/run-first-program.ts';

/** Windows: the path is a variable, so nothing in it is code. */
const SCRIPT = '(New-Object System.Media.SoundPlayer $env:BELFRY_SOUND).PlaySync()';

/** `volume` from 0 to 1; players without a volume play as loud as the file is. */
export function playersOf(platform: NodeJS.Platform, file: string, volume: number): Way[] {
  if (platform === 'darwin') return [{ program: 'afplay', args: ['-v', String(volume), file] }];
  if (platform === 'win32') {
    const args = ['-NoProfile', '-NonInteractive', '-Command', SCRIPT];
    return [{ program: 'powershell', args, env: { BELFRY_SOUND: file } }];
  }
  return [
    { program: 'pw-play', args: [`--volume=${volume}`, file] },
    { program: 'paplay', args: [`--volume=${Math.round(volume * 65_536)}`, file] },
    { program: 'aplay', args: ['-q', file] },
  ];
}

/** Their names. */
export const playerNames = (platform: NodeJS.Platform): string[] =>
  playersOf(platform, '', 1).map(({ program }) => program);

/** What to do where none is there. */
export const NO_PLAYER = 'no program that plays sounds was found: install pipewire-bin, pulseaudio-utils or alsa-utils';
