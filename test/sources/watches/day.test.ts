// Each watch through a day on an injected clock: exactly the expected events, none after a restart, none lost over an outage.
import { describe, expect, test } from 'vitest';
import { DAY, drive, HOUR, MINUTE } from './drive.ts';

describe('controls', () => {
  test('each revision is reported once, in order, with its difference; a loosening one is urgent; no secret is shown', async () => {
    const world = await drive({ controls: { every: '10m' } });
    await world.pass(HOUR);
    expect(world.titles()).toEqual([]);
    world.sandbox.changeControls({ sessionRetentionDays: 60 });
    await world.pass(10 * MINUTE);
    expect(world.notified()).toMatchObject([
      {
        kind: 'controls.changed',
        urgency: 'normal',
        presetText: { body: expect.stringContaining('sessionRetentionDays: 30 -> 60') },
      },
    ]);
    await world.restart();
    await world.pass(HOUR);
    expect(world.notified()).toHaveLength(1);

    // Between two polls: three revisions.
    await world.restart(3 * HOUR);
    world.sandbox.changeControls({ commandDenylist: [] });
    world.sandbox.changeControls({ customModels: [{ id: 'm', apiKey: 'sk-very-secret-1' }] });
    world.sandbox.changeControls({ sessionRetentionDays: 61 });
    await world.pass(10 * MINUTE);
    const [, ...caughtUp] = world.notified();
    expect(caughtUp.map((event) => event.urgency)).toEqual(['urgent', 'normal', 'normal']);
    expect(caughtUp[0]?.presetText?.body).toMatch(/Loosened: commandDenylist: removed/);
    expect(caughtUp[1]?.presetText?.body).toMatch(/secret, not shown|a secret \(not shown\)/);
    expect(JSON.stringify(world.notified())).not.toContain('sk-very-secret-1');
  });
});

describe('computers', () => {
  test('a computer that fails is reported once with its step, and its recovery; one that had failed before is not', async () => {
    const world = await drive({ computers: { every: '2m' } });
    await world.pass(HOUR);
    expect(world.titles()).toEqual([]);
    world.sandbox.setFault('build-box', 'relay refused the token');
    await world.pass(10 * MINUTE);
    await world.restart();
    await world.pass(10 * MINUTE);
    expect(world.notified()).toMatchObject([
      {
        kind: 'computer.failed',
        detail: 'failed',
        abnormal: true,
        presetText: { title: 'Computer build-box failed', body: expect.stringContaining('relay refused the token') },
      },
    ]);
    world.sandbox.setFault('build-box', null);
    await world.pass(10 * MINUTE);
    world.sandbox.setFault('build-box', 'again');
    await world.pass(10 * MINUTE);
    expect(world.titles()).toEqual([
      'Computer build-box failed',
      'Computer build-box is active again',
      'Computer build-box failed',
    ]);
  });

  test('a new computer that never comes up is reported', async () => {
    const world = await drive({ computers: {} });
    await world.pass(5 * MINUTE);
    await world.client().computers.create({ name: 'will-fail', remoteUser: 'dev' });
    await world.pass(HOUR);
    expect(world.titles()).toEqual(['Computer will-fail failed']);
  });
});

describe('readiness', () => {
  test('criteria that fell are named with their rationale; those that rose only on request', async () => {
    const world = await drive({ readiness: { every: '1h' } });
    await world.pass(2 * HOUR);
    const { reports } = await world.client().readinessReports.list({ limit: 100 });
    const newest = reports
      .filter((report) => report.repoUrl.endsWith('payments'))
      .sort((a, b) => b.createdAt - a.createdAt)[0];
    const denominator = newest?.report['readme']?.denominator ?? 2;
    world.sandbox.addReport('repo-payments', { readme: { numerator: denominator, denominator, rationale: 'there' } });
    await world.pass(HOUR);
    const before = world.notified().length;
    world.sandbox.addReport('repo-payments', {
      readme: { numerator: 0, denominator, rationale: 'README was removed' },
    });
    await world.pass(HOUR);
    expect(before).toBe(0);
    expect(world.notified()).toMatchObject([
      {
        kind: 'readiness.dropped',
        project: 'payments',
        presetText: {
          title: 'payments: readiness fell in 1 criterion',
          body: expect.stringContaining('README was removed'),
        },
      },
    ]);
    await world.set({ readiness: { every: '1h', improvements: true } });
    world.sandbox.addReport('repo-payments', { readme: { numerator: denominator, denominator, rationale: 'back' } });
    await world.restart(5 * HOUR);
    await world.pass(HOUR);
    expect(world.titles().slice(1)).toEqual(['payments: readiness rose in 1 criterion']);
  });
});

describe('usage', () => {
  test('one report a day, also after three days of nobody looking, in order; over the threshold it is urgent', async () => {
    const world = await drive({ usage: { at: '06:00', user_tokens_over: 1 } });
    await world.pass(MINUTE);
    expect(world.titles()).toEqual([]);
    await world.pass(DAY);
    expect(world.notified()).toMatchObject([
      { kind: 'usage.daily', urgency: 'urgent', attributes: { date: '2026-06-10' } },
    ]);
    await world.restart(3 * DAY);
    await world.pass(MINUTE);
    await world.restart();
    await world.pass(MINUTE);
    expect(world.notified().map((event) => event.attributes['date'])).toEqual([
      '2026-06-10',
      '2026-06-11',
      '2026-06-12',
      '2026-06-13',
    ]);
    expect(world.notified().at(-1)?.presetText?.body).toMatch(
      /Tokens [\d,]+ \(.*7 days before\)[\s\S]*Active users[\s\S]*Models: [\s\S]*Users: /,
    );
  });

  test('under the threshold it is normal', async () => {
    const world = await drive({ usage: { user_tokens_over: 1e12, total_tokens_over: 1e12 } });
    await world.pass(2 * DAY);
    expect(world.notified().map((event) => event.urgency)).toEqual(['normal', 'normal']);
  });
});

describe('sessions', () => {
  test('running to idle is reported with the last assistant text, each time once', async () => {
    const world = await drive({ sessions: { every: '30s' } });
    const [computer] = (await world.client().computers.list()).computers;
    const session = await world.client().sessions.create({ computerId: computer?.id ?? '' });
    world.created.push(session.sessionId);
    await world.pass(MINUTE);
    await world.client().sessions.send({ sessionId: session.sessionId, text: 'Please look at the build' });
    await world.pass(5 * MINUTE);
    await world.restart();
    await world.pass(MINUTE);
    const notified = world.notified().filter((event) => event.kind === 'session.idle');
    expect(notified.length).toBeGreaterThanOrEqual(1);
    expect(new Set(notified.map((event) => event.id)).size).toBe(notified.length);
    expect(notified.at(-1)).toMatchObject({ sessionId: session.sessionId, detail: null, urgency: 'normal' });
    expect(notified.at(-1)?.presetText?.body).not.toMatch(/^\d+ messages$/);
    const before = notified.length;
    await world.client().sessions.send({ sessionId: session.sessionId, text: 'And the tests' });
    await world.pass(5 * MINUTE);
    expect(world.notified()).toHaveLength(before + 1);
  });

  test('an unknown session is no fault', async () => {
    const world = await drive({ sessions: { ids: ['not-there'] } });
    await world.pass(10 * MINUTE);
    expect([world.notified(), world.faults]).toEqual([[], []]);
  });
});

describe('faults', () => {
  test('an outage is reported once, backs off, and what happened meanwhile is caught up', async () => {
    const world = await drive({ controls: { every: '10m' } });
    await world.pass(MINUTE);
    world.outage(true);
    await world.pass(12 * HOUR);
    expect(world.titles()).toEqual(['The watch controls is failing']);
    expect(world.faults.length).toBeLessThan(12);
    world.sandbox.changeControls({ sessionRetentionDays: 7 });
    world.outage(false);
    await world.pass(6 * HOUR);
    expect(world.notified().map((event) => event.kind)).toEqual(['watch.failing', 'controls.changed']);
  });

  test('a refused key is reported at once, and once', async () => {
    const world = await drive({ usage: {}, computers: {} });
    await world.pass(MINUTE);
    world.useKey('wrong');
    await world.pass(2 * DAY);
    expect(
      world
        .notified()
        .map((event) => [event.kind, event.detail])
        .sort(),
    ).toEqual([
      ['watch.failing', 'computers'],
      ['watch.failing', 'usage'],
    ]);
    expect(JSON.stringify(world.notified())).not.toContain('wrong');
  });

  test('a watch that is switched off polls no more', async () => {
    const world = await drive({ computers: {} });
    await world.pass(5 * MINUTE);
    await world.set({});
    world.sandbox.setFault('build-box', 'x');
    await world.pass(HOUR);
    expect(world.notified()).toEqual([]);
  });
});
