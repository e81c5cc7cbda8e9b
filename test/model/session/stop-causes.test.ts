// What stopped a session has one name in texts, whichever text it is; its settings and JSON keep theirs.
import { expect, test } from 'vitest';
import { slackMessage } from '../../../src/channels/shared/slack.ts';
import { failureWords, passingCause, STOP_CAUSES, stopCauseWords } from '../../../src/model/session/stop-causes.ts';
import { applyWording, titleOf } from '../../../src/pipeline/words/titles.ts';
import { madeContent, madeEvent } from '../../support/made.ts';

const failed = (detail: string) => madeEvent({ kind: 'session.failed', detail, reason: null, abnormal: true });

test.each([
  ['server', 'overloaded', 'server error'],
  ['network', 'network', 'network error'],
])('a failure %s, which [resume] and JSON call %s, reads "%s"', (detail, cause, words) => {
  const event = failed(detail);
  expect(passingCause(detail)).toBe(cause);
  expect([failureWords(event), stopCauseWords(cause)]).toEqual([words, words]);
  expect(titleOf(event, 'Claude')).toContain(`Claude stopped: ${words}`);
  const content = madeContent({ event });
  const own = { title: {}, body: { 'session.failed': 'why: {reason} ({detail})' } };
  expect(applyWording(content, 'Claude', [own]).body).toBe(`why: ${words} (${detail})`);
  // Where a message has nothing else, Slack shows the cause below its title.
  const bare = madeContent({ event: { ...event, presetText: { title: 'x', body: '' } }, body: '', abnormal: true });
  expect(JSON.stringify(slackMessage(bare).attachments)).toContain(`"${words}"`);
});

test('what is no failure, and a cause of another version, have no other name', () => {
  expect(failureWords({ kind: 'agent.waiting', detail: 'server' })).toBeNull();
  expect(failureWords(failed('vanished'))).toBeNull();
  expect(stopCauseWords('weather')).toBe('weather');
  expect(STOP_CAUSES).toEqual(['limit', 'overloaded', 'network']);
});
