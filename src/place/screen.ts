// GNU screen: its windows are not selected, and nothing is taken for the window that shows them.
import { definePlace, failed } from './place-kind.ts';

const WHY = 'GNU screen does not say which terminal shows a session';

export const screen = definePlace({
  name: 'screen',
  level: 'multiplexer',
  applies: ({ env }) => Boolean(env['STY']) && !env['TMUX'],
  focus: async () => ({ steps: [failed('pane', WHY)], next: null }),
  ability: async () => ({ what: 'pane', able: false, text: 'GNU screen', fix: 'run agents in tmux' }),
});
