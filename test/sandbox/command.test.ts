// `belfry sandbox`: options it cannot follow are refused; that it serves is walked in test/api/walk.test.ts.
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../support/home.ts';
import { belfry } from '../support/programs.ts';

describe('belfry sandbox refuses what it cannot do', () => {
  test.each([
    [['--port', 'x'], /--port must be/],
    [['--fail-rate', '2'], /--fail-rate must be a number from 0 to 1/],
    [['--rate-limit', '0'], /--rate-limit must be/],
    [['--latency', 'soon'], /--latency must be a duration/],
  ])('%j', async (args, says) => {
    const ran = await belfry(temporaryFolder(), ['sandbox', ...args]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(says);
  });
  test('a port that is taken', async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const ran = await belfry(temporaryFolder(), ['sandbox', '--port', new URL(sandbox.baseUrl).port]);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(/EADDRINUSE.*another with --port/);
  });
});
