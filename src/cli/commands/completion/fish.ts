// Completion for fish.
import type { OptionWord, Spot } from './tree.ts';
import type { Values } from './values.ts';

const lookUp = (values: Values): string =>
  typeof values === 'string' ? `(belfry complete ${values} 2>/dev/null)` : values.join(' ');

/** The script to be sourced, or a file belfry.fish in the completions folder. */
export function fish(spots: readonly Spot[]): string {
  const steps = spots
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `'${path.slice(0, -1).join(' ')}|${path.at(-1)}'`)
    .join(' \\\n        ');
  const lines = spots.flatMap(({ path, words, options, dynamic }) => {
    const when = `complete -c belfry -n '__belfry_at "${path.join(' ')}"'`;
    return [
      ...words.map(({ name, summary }) => `${when} -f -a '${name}' -d '${summary}'`),
      ...(dynamic === null ? [] : [`${when} -f -a '${lookUp(dynamic)}'`]),
      ...options.map((option) => `${when} ${flag(option)} -d '${option.summary}'`),
    ];
  });
  return `# fish completion for belfry; once:  belfry completion fish > ~/.config/fish/completions/belfry.fish
function __belfry_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        if contains -- "$at|$word" ${steps}
            set at (string trim "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** With its values, and without files beside them. */
function flag({ name, values }: OptionWord): string {
  const text = name.startsWith('--') ? `-l '${name.slice(2)}'` : `-s '${name.slice(1)}'`;
  return values === null ? text : `${text} -x -a '${lookUp(values)}'`;
}
