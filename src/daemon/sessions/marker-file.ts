// A file that is there or not, and is written only when that changes.
import { rmSync, writeFileSync } from 'node:fs';

export interface MarkerFile {
  /** Never throws: what could not be written is tried again the next time. */
  readonly set: (wanted: boolean) => void;
  /** Somebody else may have changed it. */
  readonly forget: () => void;
}

/** Nothing is known of it yet. */
export function createMarkerFile(
  path: string,
  log: (message: string, fields?: Readonly<Record<string, unknown>>) => void,
): MarkerFile {
  let state: 'unknown' | 'there' | 'gone' = 'unknown';
  return {
    set: (wanted) => {
      const next = wanted ? 'there' : 'gone';
      if (state === next) return;
      try {
        if (wanted) writeFileSync(path, '', { mode: 0o600 });
        else rmSync(path, { force: true });
        state = next;
      } catch (error) {
        state = 'unknown';
        log('the marker of open prompts could not be written', { error: String(error) });
      }
    },
    forget: () => {
      state = 'unknown';
    },
  };
}
