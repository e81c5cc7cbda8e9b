// The stages' verdicts on an event, one line each, for `why` and `explain`.
import { oneLine } from '../../../lib/text/text.ts';
import type { Verdict } from '../../../model/event/verdict.ts';
import type { Tone } from '../../output/table-output.ts';

const BEFORE: Readonly<Record<Verdict['verdict'], string>> = {
  pass: '',
  change: '',
  stop: 'not sent: ',
  route: 'goes to ',
};

/** Stages that changed nothing are left out unless `all`; the first, which says what the event is, always shows. */
export function verdictLines(
  verdicts: readonly Verdict[],
  all: boolean,
  paint: (tone: Tone, text: string) => string,
): string[] {
  return verdicts
    .filter(({ verdict }, i) => all || i === 0 || verdict !== 'pass')
    .map(({ stage, verdict, note }) => {
      const tone = verdict === 'stop' ? 'notice' : verdict === 'route' ? 'good' : 'plain';
      return `  ${stage.padEnd(9)} ${paint(tone, oneLine(`${BEFORE[verdict]}${note}`))}`;
    });
}
