// The files of a machine, as the installers use them: this one's, or another's that is reached by a command.
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type FileState, readState } from './read.ts';
import { removeFile, removeFolders, replaceFile } from './replace.ts';

/** Reads and writes settings files; each throws as its namesake here does. */
export interface FileAccess {
  readonly read: (path: string) => Promise<FileState>;
  readonly replace: (state: FileState, bytes: Uint8Array, newMode?: number) => Promise<string[]>;
  readonly remove: (state: FileState) => Promise<void>;
  readonly removeFolders: (made: readonly string[]) => Promise<void>;
}

/** Of this machine. */
export const localFiles: FileAccess = { read: readState, replace: replaceFile, remove: removeFile, removeFolders };

/** What is where, asked while settings and programs are looked for. */
export interface MachineFacts {
  readonly exists: (path: string) => boolean;
  readonly isExecutable: (path: string) => boolean;
  /** Names in a folder; none where it cannot be read. */
  readonly list: (folder: string) => readonly string[];
  /** Null: no such file, or it cannot be read. */
  readonly text: (path: string) => string | null;
}

/** Of this machine. */
export const localFacts: MachineFacts = {
  exists: existsSync,
  isExecutable: (path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false; // not there, or not for us
    }
  },
  list: (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return []; // not there
    }
  },
  text: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null; // not there, or not for us
    }
  },
};
