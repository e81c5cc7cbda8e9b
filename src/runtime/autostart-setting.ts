// Whether the settings forbid a hook to start the daemon. The hook has no parser: this reads just enough TOML to know which key a `false` belongs to.
import { readPlainFile } from './plain-file.ts';

/** Bytes of the settings that are read, as in src/config/load.ts. */
const LIMIT = 1024 * 1024;

/** A comment, a text in any of the four kinds of quotes (one that is not closed ends with its line or the file), a sign, or a word. */
const TOKEN =
  /#[^\n]*|"""(?:\\[\s\S]|[^\\])*?(?:"{3,5}|$)|'{3}[\s\S]*?(?:'{3,5}|$)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|[\n=,{}[\]]|[^\s"'#=,{}[\]]+/g;

/** Reads the settings file `config`; one that is missing or cannot be read forbids nothing. */
export function autostartForbidden(config: string): boolean {
  try {
    const text = readPlainFile(config, LIMIT);
    return says(text, true);
  } catch {
    return false;
  }
}

/** `nested`: values may go over lines. A bracket left open must hide nothing: then each line is read on its own. */
function says(text: string, nested: boolean): boolean {
  /** What keys begin with: in the section, then in each table and array that is open. */
  let open = [''];
  let key = '';
  let value = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '\n') {
      if (nested && open.length > 1) continue;
      open.length = 1;
      key = '';
      value = false;
    } else if (token === '=') value = true;
    else if (token === '[' && value) open.push('[');
    else if (token === '{') {
      open.push(open.length > 1 ? '?' : `${open[0]}${key}.`);
      key = '';
      value = false;
    } else if (token === ']' && !value) {
      if (key) open = [`${key}.`];
      key = '';
    } else if (token === ']' || token === '}') {
      if (open.length > 1) open.pop();
      value = true;
    } else if (token === ',') {
      if (open.at(-1) !== '[') {
        key = '';
        value = false;
      }
    } else if (value) {
      if (token === 'false' && open.at(-1) + key === 'daemon.autostart') return true;
    } else if (token[0] !== '#' && token !== '[') key += bare(token);
  }
  return nested && open.length > 1 && says(text, false);
}

/** A part of a key without its quotes; one that needs them is none of ours. */
function bare(token: string): string {
  return /^(["'])([\w-]+)\1$/.exec(token)?.[2] ?? (/["']/.test(token) ? '?' : token);
}
