// What every kind of place has to do, whatever it asks: programs that are missing, fail, hang or print anything else never count as having shown
// a session, and a pane or window that is another's by now is left alone.
import { expect, test } from 'vitest';
import type { PlaceKind, PlaceTools } from '../../src/place/place-kind.ts';
import type { Viewer } from '../../src/presence/shared/detector.ts';

const OUTPUTS: readonly string[] = ['', '\n', '{}', '[]', 'null', '0', '-1', 'b false', 'x'.repeat(1_000)];

/** Tools of a machine where every program prints this; null: none can be run. */
export function toolsPrinting(
  output: string | null | ((program: string, args: readonly string[]) => string | null),
  more: Partial<PlaceTools> = {},
): PlaceTools & { readonly ran: readonly string[] } {
  const ran: string[] = [];
  return {
    ran,
    platform: 'linux',
    run: async (program, args) => {
      ran.push([program, ...args].join(' '));
      return typeof output === 'function' ? output(program, args) : output;
    },
    has: () => output !== null,
    above: async (pid) => [{ pid, name: 'agent' }],
    becomes: async (isTrue) => isTrue(),
    canRaise: () => false,
    ...more,
  };
}

/** `viewer`: in such a place. `trusts`: it goes by a program's word alone, since nothing says how it went. */
export function testPlace(kind: PlaceKind, viewer: Viewer, platform: NodeJS.Platform, trusts = false): void {
  const focus = async (tools: PlaceTools) =>
    (await kind.focus({ viewer, cwd: '/home/ada/api' }, { ...tools, platform })).steps;

  test(`${kind.name} applies there, and nowhere else`, () => {
    expect(kind.applies(viewer, platform)).toBe(true);
    expect(kind.name === 'windows' || !kind.applies({ pid: 1, env: {} }, platform)).toBe(true);
  });

  test(`${kind.name} says why nothing was done where no program can be run`, async () => {
    const steps = await focus(toolsPrinting(null));
    expect(steps.length).toBeGreaterThan(0);
    for (const { done, text } of steps) {
      expect(done).toBe(false);
      expect(text).toMatch(/^\S.*[^.\s]$/);
    }
  });

  test.runIf(!trusts).each(OUTPUTS)(`${kind.name} takes no such answer for done: %j`, async (output) => {
    for (const step of await focus(toolsPrinting(output))) expect(step.done).toBe(false);
  });

  test(`${kind.name} says in a few words whether a click will work`, async () => {
    for (const output of [null, '']) {
      const { text, able, fix } = await kind.ability(viewer, { ...toolsPrinting(output), platform });
      expect(text).toMatch(/^\S.{1,60}[^.\s]$/);
      expect(able && fix !== undefined).toBe(false);
    }
  });
}
