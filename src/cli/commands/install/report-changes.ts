// Reports what an installation did to each agent's settings.
import type { Installed, NotDone } from '../../../../installers/for-agents.ts';
import { agentByName } from '../../../agents/index.ts';
import { EXIT } from '../../../model/errors.ts';
import { conditionsOf } from '../answer/when-answerable.ts';
import type { Io } from '../../io.ts';
import { noteFault } from '../../report-error.ts';

const DONE: Readonly<Record<string, string>> = {
  created: 'created',
  changed: 'changed',
  restored: 'restored',
  removed: 'deleted (belfry had created it)',
  unchanged: 'already up to date',
};

/**
 * Prints the results, `far` of a machine elsewhere, and sets the exit code: 0, the only agent's own, or 5 when some failed.
 * `answersOff`: why the settings allow no answers, so that what was installed for them does nothing.
 */
export function reportChanges(
  io: Io,
  results: readonly (Installed | NotDone)[],
  how: { readonly dryRun: boolean; readonly far?: true; readonly answersOff?: string | null },
): void {
  const failed = results.filter((result) => 'error' in result);
  if (io.json) {
    io.data({ dryRun: how.dryRun, agents: results.map(shown) });
    if (how.answersOff && results.some((one) => 'answerable' in one && one.answerable)) io.note(how.answersOff);
  }
  for (const result of results) {
    if ('error' in result) noteFault(io, `${result.title}: ${result.error}`);
    else if (!io.json) describe(io, result, how);
  }
  if (failed.length === 0) return;
  io.exit = failed.length === results.length ? (failed[0]?.exit ?? EXIT.other) : EXIT.refused;
}

function shown(result: Installed | NotDone): unknown {
  if (!('exit' in result)) return result;
  const { exit: _exit, ...rest } = result;
  return rest;
}

function describe(io: Io, result: Installed, { dryRun, far, answersOff }: Parameters<typeof reportChanges>[2]): void {
  for (const change of result.files) {
    if (!dryRun) io.line(`${result.title}: ${change.file} ${DONE[change.action]}`);
    else if (change.diff === '') io.line(`${result.title}: ${change.file} would not change`);
    else io.line(change.diff.trimEnd());
  }
  if (result.files.length === 0) io.line(`${result.title}: no hooks installed`);
  if (result.events.length > 0 && !dryRun) io.line(`  events: ${result.events.join(', ')}`);
  if (result.answerable && !dryRun) io.line(`  ${answersOff ?? `answers: ${answerWords(result.agent, far)}`}`);
  for (const note of result.notes) io.line(`  ${note}`);
}

/** From where it can be answered now, and when. */
function answerWords(name: string, far: true | undefined): string {
  const agent = agentByName(name);
  const when = agent ? conditionsOf(agent, far) : '';
  return `also from elsewhere${when && ` ${when}`}: \`belfry answer\`, the page, and the channels that [answer] names`;
}
