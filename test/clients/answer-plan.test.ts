// The real client's plan, allowed from elsewhere: shown from its file, shown again when it has changed, and the one that was shown is what it goes on with.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../support/wait.ts';
import { answerWorld } from './answer-world.ts';

const FIRST = '# The plan\n1. touch first.txt\n';
const EDITED = '# The plan\n1. touch edited.txt\n';

it('a plan is shown, refused when it has changed, and allowed as it was shown', async () => {
  const world = await answerWorld();
  if (world === null) return;
  const { home, model } = world;
  const terminal = await world.open();
  await terminal.press('BTab', (screen) => screen.includes('plan mode on'));
  await world.prompt(terminal, 'write the plan');
  const plans = join(home, '.claude', 'plans');
  const [name = ''] = await until(() => {
    const files = existsSync(plans) ? readdirSync(plans) : [];
    const found = files.filter((file) => file.endsWith('.md') && readFileSync(join(plans, file), 'utf8') === FIRST);
    return found.length > 0 && found;
  }, 'the file of the plan');
  await world.asked('text');
  await world.prompt(terminal, 'show the plan');
  await terminal.shows('Would you like to proceed?');
  const asked = await world.asked('permission');
  expect(asked.subject).toMatchObject({ tool: 'ExitPlanMode', text: FIRST, partial: null });
  writeFileSync(join(plans, name), EDITED);
  const refused = await world.belfry('answer', asked.id, 'allow');
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('has changed since it was shown')]);
  const now = (await world.questions()).find(({ id }) => id === asked.id);
  expect(now).toMatchObject({ state: 'open', subject: { text: EDITED, partial: null } });
  expect(await world.belfry('answer', asked.id, 'allow')).toMatchObject({ code: 0 });
  await until(
    () => model.prompts.some((prompt) => prompt.includes('approved your plan') && prompt.includes('touch edited.txt')),
    'the model to read the plan that was shown',
  );
  expect(readFileSync(join(plans, name), 'utf8')).toBe(EDITED);
});
