// Completion for PowerShell.
import { type Spot, type Word, optionValues } from './tree.ts';
import type { Values } from './values.ts';

const pairs = (words: readonly Word[]): string =>
  words.map(({ name, summary }) => `,@('${name}','${summary || name}')`).join('');
const lookUp = (values: Values): string =>
  typeof values === 'string'
    ? `{ belfry complete ${values} 2>$null }`
    : `{ ${values.map((one) => `'${one}'`).join(', ')} }`;

/** The script for the profile. */
export function powershell(spots: readonly Spot[]): string {
  const table = spots.map(({ path, words, options, dynamic }) => {
    const more = dynamic === null ? '{}' : lookUp(dynamic);
    return `    '${path.join(' ')}' = @{ Words = @(${pairs(words)}); Options = @(${pairs(options)}); More = ${more} }`;
  });
  const values = [...optionValues(spots)].map(([where, known]) => `    '${where}' = ${lookUp(known)}`);
  return `# PowerShell completion for belfry; put this into $PROFILE:  belfry completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName belfry -ScriptBlock {
  param($current, $line, $cursor)
  $spots = @{
${table.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $at = ''
  $typed = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor })
  foreach ($word in $typed) {
    $next = "$at $word".Trim()
    if ($spots.ContainsKey($next)) { $at = $next }
  }
  $known = $values["$at $($typed | Select-Object -Last 1)"]
  $list = if ($known) { @(& $known | ForEach-Object { ,@($_, $_) }) }
    elseif ($current.StartsWith('-')) { $spots[$at].Options }
    else { @($spots[$at].Words) + @(& $spots[$at].More | ForEach-Object { ,@($_, $_) }) }
  foreach ($entry in $list) {
    if ($entry -and $entry[0] -like "$current*") {
      [System.Management.Automation.CompletionResult]::new($entry[0], $entry[0], 'ParameterValue', $entry[1])
    }
  }
}
`;
}
