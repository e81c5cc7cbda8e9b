// Completion for PowerShell.
import type { Spot, Word } from './tree.ts';

const pairs = (words: readonly Word[]): string =>
  words.map(({ name, summary }) => `,@('${name}','${summary || name}')`).join('');

/** The script for the profile. */
export function powershell(spots: readonly Spot[]): string {
  const table = spots.map(
    ({ path, words, options }) =>
      `    '${path.join(' ')}' = @{ Words = @(${pairs(words)}); Options = @(${pairs(options)}) }`,
  );
  return `# PowerShell completion for belfry; put this into $PROFILE:  belfry completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName belfry -ScriptBlock {
  param($current, $line, $cursor)
  $spots = @{
${table.join('\n')}
  }
  $at = ''
  $typed = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor })
  foreach ($word in $typed) {
    $next = "$at $word".Trim()
    if ($spots.ContainsKey($next)) { $at = $next }
  }
  $list = if ($current.StartsWith('-')) { $spots[$at].Options } else { $spots[$at].Words }
  foreach ($entry in $list) {
    if ($entry[0] -like "$current*") {
      [System.Management.Automation.CompletionResult]::new($entry[0], $entry[0], 'ParameterValue', $entry[1])
    }
  }
}
`;
}
