// Buttons that answer no question, on each channel that has room for them: what is done about sessions that have stopped comes first.
import { expect, test } from 'vitest';
import { withButtons as onDesktop } from '../../src/channels/desktop/buttons.ts';
import { withButtons as onNtfy } from '../../src/channels/ntfy/buttons.ts';
import { plainButtons } from '../../src/channels/shared/plain-buttons.ts';
import { pushMessage } from '../../src/channels/webpush/message.ts';
import { messageOf } from '../contracts/channel.ts';

const [goesOn, holds, seen] = ['continue:1', 'hold:1', 'ack:1'];
const stopped = messageOf(
  {},
  {
    acknowledgeWith: seen,
    showWith: 'show:1',
    goOn: [
      { label: 'Continue 3', reference: goesOn },
      { label: "Don't continue", reference: holds },
    ],
  },
);

test('a phone has three, a browser two, a desktop four', () => {
  const { actions } = onNtfy(stopped, 'https://ntfy.example/answers');
  expect(actions).toMatchObject([
    { label: 'Continue 3', body: goesOn },
    { label: "Don't continue", body: holds },
    { label: 'Got it', body: seen },
  ]);
  expect(onNtfy(stopped, null).actions).toEqual([]);
  expect(pushMessage(stopped).actions).toEqual([
    { title: 'Continue 3', action: goesOn },
    { title: "Don't continue", action: holds },
  ]);
  expect(onDesktop(stopped, 'Text', false).buttons).toEqual([
    ['show:1', 'Show'],
    [goesOn, 'Continue 3'],
    [holds, "Don't continue"],
    [seen, 'Got it'],
  ]);
});

test('what was acknowledged can still go on, what is over cannot', () => {
  const labels = (state: 'acknowledged' | 'resolved'): readonly string[] =>
    plainButtons({ ...stopped, resolution: { state, at: 1, why: 'it is' } }).map(({ label }) => label);
  expect(labels('acknowledged')).toEqual(['Continue 3', "Don't continue"]);
  expect(labels('resolved')).toEqual([]);
});
