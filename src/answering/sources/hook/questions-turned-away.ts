// What a hook asked that was not to wait, or had left: kept as a question that is over, so that the messages of it and the commands say why.
import type { Background } from '../../../lib/async/background.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Config } from '../../../model/settings/config.ts';
import { sessionKeyText } from '../../../model/ids.ts';
import { NO_NONCE } from '../../../model/question/terminal-only.ts';
import type { Store } from '../../../store/contract.ts';
import { newQuestionId } from '../../questions/open-question.ts';
import type { Reports } from '../../questions/hook-reports.ts';
import { subjectOf } from '../../questions/subject-of.ts';
import { type AskedByHook, matchOf } from './may-wait.ts';

/** The notifying hook of the same moment is waited for this long, ms: a daemon that stalled reads it much later. */
const PATIENCE = 30_000;

/** What it needs. */
export interface TurnedAwayDeps {
  readonly store: Pick<Store, 'putQuestion'>;
  readonly clock: Clock;
  readonly config: () => Config;
  readonly redact: (text: string) => string;
  readonly reports: Reports;
  readonly background: Background;
}

/** Keeps them. */
export interface TurnedAway {
  /** Nothing is kept where no channel carries buttons: nobody misses any there. `why`: for people. */
  readonly keep: (asked: AskedByHook, why: string) => void;
  /** Those whose notification is still to come are dropped. */
  readonly stop: () => void;
}

/** None yet. */
export function createTurnedAway(deps: TurnedAwayDeps): TurnedAway {
  const { store, clock, config, redact, reports, background } = deps;
  const waiting = new Set<() => void>();
  const put = (asked: AskedByHook, notificationId: string, why: string): Promise<unknown> => {
    const { question, session, digest } = asked;
    const row = {
      id: newQuestionId(),
      nonce: NO_NONCE,
      deadline: clock.now(),
      kind: question.kind,
      inputHash: digest,
      notificationId,
      sessionKey: sessionKeyText(session),
      subject: subjectOf(asked, redact),
    };
    return store.putQuestion(row, why);
  };
  return {
    keep: (asked, why) => {
      if (asked.question.kind === 'text' || config().answer.channels.length === 0) return;
      let drop = (): void => undefined;
      const end = (): void => {
        waiting.delete(end);
        drop();
      };
      const cancel = clock.setTimer(PATIENCE, end);
      waiting.add(end);
      const forget = reports.whenFound(asked, matchOf(asked), (notificationId) => {
        waiting.delete(end);
        cancel();
        background.run(put(asked, notificationId, why));
      });
      drop = () => {
        cancel();
        forget();
      };
    },
    stop: () => {
      for (const end of [...waiting]) end();
    },
  };
}
