// Completion for zsh.
import { type Spot, type Word, optionValues } from './tree.ts';
import type { Values } from './values.ts';

const described = (words: readonly Word[]): string =>
  words.map(({ name, summary }) => `'${name.replaceAll(':', '\\:')}:${summary}'`).join(' ');
const lookUp = (values: Values): string =>
  typeof values === 'string'
    ? `\${(f)"$(belfry complete ${values} 2>/dev/null)"}`
    : values.map((value) => `'${value}'`).join(' ');

/** A script that works sourced and as a file _belfry in fpath. */
export function zsh(spots: readonly Spot[]): string {
  const steps = spots
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `'${path.slice(0, -1).join(' ')}|${path.at(-1)}'`)
    .join(' | \\\n        ');
  const cases = spots.map(({ path, words, options, dynamic }) => {
    const more = dynamic === null ? '' : `; [[ $typed == -* ]] || commands+=(${lookUp(dynamic)})`;
    return `    '${path.join(' ')}') commands=(${described(words)}); options=(${described(options)})${more} ;;`;
  });
  const values = [...optionValues(spots)].map(([where, known]) => `    '${where}') commands=(${lookUp(known)}) ;;`);
  return `#compdef belfry
# zsh completion for belfry; once, into a folder of $fpath:  belfry completion zsh > ~/.zfunc/_belfry
_belfry() {
  local at='' word typed="\${words[CURRENT]}"
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at|$word" in
      ${steps}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values.join('\n')}
    *)
  case "$at" in
${cases.join('\n')}
  esac ;;
  esac
  if [[ $typed == -* ]]; then
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
