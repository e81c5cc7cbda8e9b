// Which channels an event goes to: patterns, routes and silences.
import { describe, expect, test } from 'vitest';
import type { Match, Route } from '../../../src/model/settings/config.ts';
import type { Event } from '../../../src/model/event/event.ts';
import type { Silence } from '../../../src/model/event/verdict.ts';
import { matchesFolder, matchesFolderOrBelow, matchesText } from '../../../src/lib/text/glob.ts';
import { channelsOf, ASKS, ENDED, lastVerdict, madeHook, madeOwn, player } from '../../support/decide.ts';
import { NOON } from '../../support/made.ts';

const to = (match: Match | undefined, channels: readonly string[], also = false): Route => ({
  ...(match === undefined ? {} : { match }),
  to: [...channels],
  also,
  when: 'always',
});

function channels(event: Partial<Event>, routes: Route[], silences: readonly Silence[] = []): readonly string[] {
  const { play } = player({ config: { routes }, silences });
  return channelsOf(play(madeOwn(0, { cwd: '/home/dev/src/payments', ...event })));
}

describe('patterns', () => {
  test.each<[pattern: string, text: string, matches: boolean]>([
    ['payments', 'payments', true],
    ['payments', 'payments-2', false],
    ['pay*', 'payments', true],
    ['*', '', true],
    ['a.b', 'axb', false],
    ['p?y', 'pay', true],
    ['***', 'x', true],
    ['*a*a*a*a*a*a*b', 'a'.repeat(40), false],
  ])('text %s, %s: %s', (pattern, text, matches) => {
    expect(matchesText(pattern, text)).toBe(matches);
  });

  test.each<[pattern: string, folder: string, matches: boolean]>([
    ['~/src/**', '/home/dev/src/payments', true],
    ['~/src/**', '/home/dev/src/payments/deep/er', true],
    ['~/src/**', '/home/dev/src', true],
    ['~/src/**', '/home/dev/srcs', false],
    ['~/src/*', '/home/dev/src/payments', true],
    ['~/src/*', '/home/dev/src/payments/deep', false],
    ['~', '/home/dev', true],
    ['/a/**/z', '/a/z', true],
    ['/a/**/z', '/a/b/c/z', true],
    ['**/payments', '/home/dev/src/payments', true],
    ['/tmp/x/', '/tmp/x', true],
    ['/tmp/x', '/tmp/x/', true],
    ['C:\\src\\**', 'C:\\src\\payments', true],
    ['/a+b/(c)', '/a+b/(c)', true],
    ['/', '/', true],
  ])('folder %s, %s: %s', (pattern, folder, matches) => {
    expect(matchesFolder(pattern, folder, '/home/dev')).toBe(matches);
  });

  test('a mute covers the folders below', () => {
    expect(matchesFolderOrBelow('~/src', '/home/dev/src/payments', '/home/dev')).toBe(true);
    expect(matchesFolderOrBelow('~/src', '/home/dev/other', '/home/dev')).toBe(false);
  });
});

describe('routes', () => {
  test.each<[name: string, expected: readonly string[], event: Partial<Event>, routes: Route[]]>([
    ['first match wins', ['team'], {}, [to(undefined, ['team']), to(undefined, ['audit'])]],
    ['also goes on', ['team', 'audit'], {}, [to(undefined, ['team'], true), to(undefined, ['audit', 'team'])]],
    ['no match, next', ['audit'], {}, [to({ kind: ['test'] }, ['team']), to(undefined, ['audit'])]],
    ['none takes it', [], {}, [to({ kind: ['test'] }, ['team'])]],
    ['a route to nobody ends it', [], {}, [to({ kind: ['agent.finished'] }, []), to(undefined, ['team'])]],
    ['any of a list', ['team'], {}, [to({ kind: ['test', 'agent.finished'] }, ['team'])]],
    ['every key must hold', [], {}, [to({ kind: ['agent.finished'], agent: ['other'] }, ['team'])]],
    ['urgency', ['team'], { urgency: 'urgent' }, [to({ urgency: ['urgent'] }, ['team'])]],
    ['abnormal false', ['team'], {}, [to({ abnormal: false }, ['team'])]],
    ['cwd', ['team'], {}, [to({ cwd: ['~/src/**'] }, ['team'])]],
    ['cwd not known', [], { cwd: null }, [to({ cwd: ['**'] }, ['team'])]],
    [
      'project, session, reason',
      ['team'],
      { reason: 'other' },
      [to({ project: ['pay*'], session: ['session-*'], reason: ['other'] }, ['team'])],
    ],
    ['branch, host, user', ['team'], {}, [to({ branch: ['ma*'], host: ['box'], user: ['d*'] }, ['team'])]],
    ['another host', [], {}, [to({ host: ['ci'] }, ['team'])]],
    ['a long turn', ['team'], { attributes: { seconds: 60 } }, [to({ longer_than: 60_000 }, ['team'])]],
    ['a short turn', [], { attributes: { seconds: 59 } }, [to({ longer_than: 60_000 }, ['team'])]],
    ['a turn of unknown length counts as long', ['team'], {}, [to({ longer_than: 60_000 }, ['team'])]],
    [
      'longer_than is for finishes only',
      [],
      { kind: 'agent.waiting', attributes: { seconds: 90 } },
      [to({ longer_than: 60_000 }, ['team'])],
    ],
    ['detail not given', [], {}, [to({ detail: ['*'] }, ['team'])]],
    [
      'quiet kinds need naming',
      [],
      { kind: 'subagent.finished' },
      [to(undefined, ['team']), to({ agent: ['*'] }, ['team'])],
    ],
    ['a quiet kind named', ['team'], { kind: 'agent.other' }, [to({ kind: ['agent.other'] }, ['team'])]],
    [
      'what is low of a subagent needs naming',
      [],
      { urgency: 'low', attributes: { parent_session_id: 'p' } },
      [to({ kind: ['agent.finished'] }, ['team'])],
    ],
    [
      'a subagent named by detail',
      ['team'],
      { urgency: 'low', detail: 'background', attributes: { parent_session_id: 'p' } },
      [to({ detail: ['background'] }, ['team'])],
    ],
    [
      'a failing channel is notified by the others',
      ['audit'],
      { kind: 'channel.failing', attributes: { channel: 'team' } },
      [to(undefined, ['team'])],
    ],
    ['own troubles reach somebody', ['team', 'audit'], { kind: 'settings.broken' }, []],
    [
      'a failing journal reaches somebody',
      ['team', 'audit'],
      { kind: 'journal.failing' },
      [to({ kind: ['test'] }, [])],
    ],
    ['own troubles by their route', ['audit'], { kind: 'settings.broken' }, [to(undefined, ['audit'])]],
  ])('%s', (_name, expected, event, routes) => {
    expect(channels(event, routes)).toEqual(expected);
  });

  test('the verdict names the route', () => {
    const { play } = player({
      config: { routes: [to({ kind: ['test'] }, ['audit']), to({ agent: ['generic'] }, ['team'])] },
    });
    expect(play(madeHook(0)).verdicts.find(({ stage }) => stage === 'route')).toEqual({
      stage: 'route',
      verdict: 'route',
      note: 'team: route 2 (agent generic)',
    });
  });
});

describe('silences', () => {
  const mute = (more: Partial<Silence> = {}): Silence => ({
    id: 'm',
    until: NOON + 60_000,
    session: null,
    cwd: null,
    channel: null,
    all: false,
    createdAt: NOON,
    ...more,
  });
  test.each<[name: string, expected: string, silence: Silence, urgent: boolean]>([
    ['everything', 'silence: stop', mute(), false],
    ['until unmuted', 'silence: stop', mute({ until: null }), false],
    ['over', 'silence: pass', mute({ until: NOON - 1 }), false],
    ['urgent passes', 'silence: pass', mute(), true],
    ['urgent with all', 'silence: stop', mute({ all: true }), true],
    ['this session', 'silence: stop', mute({ session: 'session-1' }), false],
    ['another session', 'silence: pass', mute({ session: 'session-2' }), false],
    ['a folder above', 'silence: stop', mute({ cwd: '/home/dev/src' }), false],
    ['another folder', 'silence: pass', mute({ cwd: '/tmp' }), false],
    ['its only channel', 'silence: stop', mute({ channel: 'team' }), false],
    ['another channel', 'silence: pass', mute({ channel: 'audit' }), false],
  ])('%s: %s', (_name, expected, silence, urgent) => {
    const { play } = player({ silences: [silence] });
    const input = urgent ? { ...ENDED, abnormal: true, reason: 'error' } : ASKS;
    expect(lastVerdict(play(madeHook(0, input)))).toBe(expected);
  });
});
