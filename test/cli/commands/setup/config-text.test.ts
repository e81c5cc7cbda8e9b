// The settings file that `setup` writes: what its comments suggest can be set on this machine.
import { expect, test } from 'vitest';
import { configText } from '../../../../src/cli/commands/setup/config-text.ts';

test('a channel whose name is locked for the machine is not suggested', () => {
  const all = configText([]);
  const some = configText([], ['slack', 'ntfy']);
  for (const type of ['slack', 'ntfy']) {
    expect(all).toContain(`# [channels.${type}]`);
    expect(some).not.toContain(`[channels.${type}]`);
  }
  expect(some).toContain('# [channels.telegram]');
});
