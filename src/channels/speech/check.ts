// Checks a speech channel without a word: whether there is a program that speaks.
import type { ChannelTools, CheckResult } from '../../model/channel/channel.ts';
import { firstOnPath } from '../../lib/programs/on-path.ts';
import { NO_SPEAKER, speakersOf } from './voices.ts';

/** What is wrong. */
export function checkSpeech(tools: ChannelTools): CheckResult[] {
  const names = speakersOf(tools.platform, undefined).map(({ program }) => program);
  const speaker = firstOnPath(names, tools);
  const [text = '', fix = ''] = NO_SPEAKER.split(': ');
  return speaker === null ? [{ level: 'fail', text, fix }] : [{ level: 'ok', text: `${speaker} speaks (not tried)` }];
}
