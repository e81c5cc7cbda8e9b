// Completion for bash 3.2 and later.
import { type Spot, type Word, optionValues } from './tree.ts';
import type { Values } from './values.ts';

const names = (words: readonly Word[]): string => words.map(({ name }) => name).join(' ');
const lookUp = (values: Values): string =>
  typeof values === 'string' ? `$(belfry complete ${values} 2>/dev/null)` : values.join(' ');

/** The script to be sourced. */
export function bash(spots: readonly Spot[]): string {
  const steps = spots
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `'${path.slice(0, -1).join(' ')}|${path.at(-1)}'`)
    .join(' | \\\n        ');
  const cases = spots.map(({ path, words, options, dynamic }) => {
    const known = dynamic === null ? `'${names(words)}'` : `"${names(words)} ${lookUp(dynamic)}"`;
    return `    '${path.join(' ')}') options='${names(options)}'; [[ $current == -* ]] || words=${known} ;;`;
  });
  const values = [...optionValues(spots)].map(([where, known]) => `    '${where}') words="${lookUp(known)}" ;;`);
  return `# bash completion for belfry; once:  belfry completion bash > ~/.local/share/bash-completion/completions/belfry
_belfry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at='' words='' options='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at|$word" in
      ${steps}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
    *)
  case "$at" in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then words=$options; fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _belfry belfry
`;
}
