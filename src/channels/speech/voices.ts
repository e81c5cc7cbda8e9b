// The programs that speak what is on their standard input, by system; the first that works is used.
import type { Way } from '../shared/run-first-program.ts';

/** Windows: the voice is a variable, so nothing in it is code. */
const SCRIPT =
  'Add-Type -AssemblyName System.Speech; $s = New-Object System.Speech.Synthesis.SpeechSynthesizer; ' +
  'if ($env:BELFRY_VOICE) { $s.SelectVoice($env:BELFRY_VOICE) }; ' +
  '[Console]::InputEncoding = [Text.Encoding]::UTF8; $s.Speak([Console]::In.ReadToEnd())';

export function speakersOf(platform: NodeJS.Platform, voice: string | undefined): Way[] {
  const chosen = voice === undefined ? [] : ['-v', voice];
  if (platform === 'darwin') return [{ program: 'say', args: [...chosen, '-f', '-'] }];
  if (platform === 'win32') {
    const args = ['-NoProfile', '-NonInteractive', '-Command', SCRIPT];
    return [{ program: 'powershell', args, env: { BELFRY_VOICE: voice ?? '' } }];
  }
  return ['espeak-ng', 'espeak'].map((program) => ({ program, args: [...chosen, '--stdin'] }));
}

/** What to do where none is there. */
export const NO_SPEAKER = 'no program that speaks was found: install espeak-ng';
