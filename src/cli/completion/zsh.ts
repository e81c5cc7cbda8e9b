// Completion for zsh.
import type { Spot, Word } from './tree.ts';

const described = (words: readonly Word[]): string =>
  words.map(({ name, summary }) => `'${name.replaceAll(':', '\\:')}:${summary}'`).join(' ');

/** A script that works sourced and as a file _belfry in fpath. */
export function zsh(spots: readonly Spot[]): string {
  const steps = spots
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `'${path.slice(0, -1).join(' ')}|${path.at(-1)}'`)
    .join(' | \\\n        ');
  const cases = spots.map(
    ({ path, words, options }) =>
      `    '${path.join(' ')}') commands=(${described(words)}); options=(${described(options)}) ;;`,
  );
  return `#compdef belfry
# zsh completion for belfry; put this into ~/.zshrc after compinit:  eval "$(belfry completion zsh)"
_belfry() {
  local at='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at|$word" in
      ${steps}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o 'option' options
  elif (( \${#commands} )); then
    _describe 'command' commands
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _belfry ]]; then _belfry "$@"; else compdef _belfry belfry; fi
`;
}
