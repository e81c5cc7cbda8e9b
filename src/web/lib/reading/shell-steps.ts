// A shell command in its steps, as a shell would run them. Nothing is left out: the steps and what joins them are the command, letter by letter.

export interface ShellStep {
  readonly text: string;
  /** What follows it, with the blanks after that: `&& `, ` | `, a line feed; empty: it is the last. */
  readonly joiner: string;
}

/** Longest operators first. */
const OPERATORS = ['&&', '||', ';;', '|&', ';', '|', '&', '\n'] as const;

/** One step where the command is not understood, as with a quote that has no end. */
export function shellSteps(command: string): readonly ShellStep[] {
  const scanner = new Scanner(command);
  const steps: ShellStep[] = [];
  let from = 0;
  while (scanner.at < command.length) {
    const operator = scanner.operator();
    if (operator === null) {
      if (!scanner.advance()) return [{ text: command, joiner: '' }];
      continue;
    }
    const text = command.slice(from, scanner.at);
    const start = scanner.at;
    scanner.skip(operator);
    const joiner = command.slice(start, scanner.at);
    from = scanner.at;
    const last = steps.at(-1);
    // An empty line, or what follows a line feed at once, is no step of its own.
    if (text.trim() === '' && last !== undefined)
      steps[steps.length - 1] = { ...last, joiner: last.joiner + text + joiner };
    else steps.push({ text, joiner });
  }
  if (!scanner.isBalanced) return [{ text: command, joiner: '' }];
  if (from < command.length) steps.push({ text: command.slice(from), joiner: '' });
  return steps.length === 0 ? [{ text: command, joiner: '' }] : steps;
}

class Scanner {
  readonly #text: string;
  /** What is open, innermost last: `"`, `(`, `{` or a backtick. */
  readonly #open: string[] = [];
  /** Ends of here-documents that begin at the next line feed. */
  #documents: { readonly end: string; readonly tabs: boolean }[] = [];
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isBalanced(): boolean {
    return this.#open.length === 0;
  }

  /** The operator here that ends a step; null: none does. */
  operator(): string | null {
    if (this.#open.length > 0) return null;
    const found = OPERATORS.find((one) => this.#text.startsWith(one, this.at));
    if (found === undefined) return null;
    const before = this.#text[this.at - 1] ?? '';
    const after = this.#text[this.at + found.length] ?? '';
    const isRedirection =
      found.startsWith('&') && (before === '>' || before === '<' || (found === '&' && after === '>'));
    return isRedirection || (found === '|' && before === '>') ? null : found;
  }

  /** Goes past an operator and the blanks after it. */
  skip(operator: string): void {
    this.at += operator.length;
    if (operator === '\n') this.#documents = [];
    while (/[ \t\n]/.test(this.#text[this.at] ?? '')) this.at += 1;
  }

  /** Goes past one thing: a letter, a quoted text, a comment, the documents that begin here. False: it has no end. */
  advance(): boolean {
    const { at } = this;
    const text = this.#text;
    const here = text[at] ?? '';
    const inner = this.#open.at(-1);
    if (here === '\\') {
      this.at += 2;
      return true;
    }
    if (inner !== '"') {
      if (here === "'") return this.#to("'", text[at - 1] === '$');
      if (here === '#' && /^$|[\s;&|(]/.test(text[at - 1] ?? '')) return this.#comment();
      if (text.startsWith('<<', at) && !text.startsWith('<<<', at) && inner === undefined) return this.#document();
    }
    if (text.startsWith('<<<', at)) {
      this.at += 3;
      return true;
    }
    this.#nest(here, inner);
    this.at += 1;
    return true;
  }

  #nest(here: string, inner: string | undefined): void {
    const before = this.#text[this.at - 1] ?? '';
    if (here === '"' || here === '`') {
      if (inner === here) this.#open.pop();
      else this.#open.push(here);
    } else if (here === '(' && (inner !== '"' || before === '$')) this.#open.push('(');
    else if (here === ')' && inner === '(') this.#open.pop();
    else if (here === '{' && before === '$') this.#open.push('{');
    else if (here === '}' && inner === '{') this.#open.pop();
  }

  #to(end: string, hasEscapes: boolean): boolean {
    for (let i = this.at + 1; i < this.#text.length; i++) {
      if (hasEscapes && this.#text[i] === '\\') i += 1;
      else if (this.#text[i] === end) {
        this.at = i + 1;
        return true;
      }
    }
    return false;
  }

  #comment(): boolean {
    const end = this.#text.indexOf('\n', this.at);
    this.at = end < 0 ? this.#text.length : end;
    return true;
  }

  /** A here-document: its lines belong to the step, up to the line that ends it. */
  #document(): boolean {
    const found = /^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([^\s;&|<>()'"]+))/.exec(this.#text.slice(this.at));
    const end = found?.[2] ?? found?.[3] ?? found?.[4];
    if (found === null || end === undefined) {
      this.at += 2;
      return true;
    }
    this.at += found[0].length;
    this.#documents.push({ end, tabs: found[1] === '-' });
    // Whatever is left of the line goes before the document; what joins there would be in the middle of a step.
    const feed = this.#text.indexOf('\n', this.at);
    if (feed < 0) return false;
    let line = feed + 1;
    for (const { end: last, tabs } of this.#documents) {
      for (;;) {
        if (line > this.#text.length) return false;
        const next = this.#text.indexOf('\n', line);
        const stop = next < 0 ? this.#text.length : next;
        const words = this.#text.slice(line, stop);
        line = stop + 1;
        if ((tabs ? words.replace(/^\t+/, '') : words) === last) break;
        if (next < 0) return false;
      }
    }
    this.#documents = [];
    this.at = Math.min(line - 1, this.#text.length);
    return true;
  }
}
