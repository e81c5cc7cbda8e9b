// Completion for bash 3.2 and later.
import type { Spot, Word } from './tree.ts';

const names = (words: readonly Word[]): string => words.map(({ name }) => name).join(' ');

/** The script to be sourced. */
export function bash(spots: readonly Spot[]): string {
  const steps = spots
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `'${path.slice(0, -1).join(' ')}|${path.at(-1)}'`)
    .join(' | \\\n        ');
  const cases = spots.map(
    ({ path, words, options }) => `    '${path.join(' ')}') words='${names(words)}' options='${names(options)}' ;;`,
  );
  return `# bash completion for belfry; put this into ~/.bashrc:  eval "$(belfry completion bash)"
_belfry() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at='' words='' options='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at|$word" in
      ${steps}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _belfry belfry
`;
}
