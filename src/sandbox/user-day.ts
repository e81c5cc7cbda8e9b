// What one user did on one day, from seed, user and date alone: all analytics are sums of these.
import { MODELS, type Person } from './people.ts';
import { between, type Draw, seeded } from './random.ts';

/** Kinds of clients, as the analytics name them. */
export const CLIENTS = ['terminal-ui', 'web', 'non-interactive-cli'] as const;

/** Tokens of one model; a type, since an interface has no index signature. */
export type ModelTokens = {
  readonly model_id: string;
  readonly model_tier: string;
  readonly billable_tokens: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
};

/** One user's day. */
export interface Workday {
  readonly person: Person;
  readonly clients: readonly string[];
  readonly sessions: number;
  readonly userMessages: number;
  readonly assistantMessages: number;
  readonly tools: Readonly<Record<string, number>>;
  readonly toolCalls: number;
  readonly mcp: Readonly<Record<string, number>>;
  readonly skills: Readonly<Record<string, number>>;
  readonly slash: Readonly<Record<string, number>>;
  readonly hooks: Readonly<Record<string, number>>;
  readonly models: readonly ModelTokens[];
  readonly filesCreated: number;
  readonly filesEdited: number;
  readonly commits: number;
  readonly pulls: number;
}

/** The day of this user; null: not active. */
export function workday(seed: string, person: Person, date: string): Workday | null {
  const draw = seeded(seed, date, person.id);
  const weekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
  if (draw() > (weekend ? 0.6 : 0.8)) return null;
  const much = person.zeal * (0.6 + draw() * 0.8) * (weekend ? 0.4 : 1);
  const some = (most: number): number => Math.round(most * much * (0.5 + draw()));
  const sessions = 1 + some(3);
  const userMessages = sessions * between(draw, 2, 7);
  const tools = {
    Read: some(60),
    Edit: some(40),
    Execute: some(35),
    Grep: some(25),
    Create: some(6),
    ...artifact(draw),
  };
  return {
    person,
    clients: CLIENTS.filter((_, i) => i === 0 || draw() < 0.25),
    sessions,
    userMessages,
    assistantMessages: userMessages * between(draw, 2, 4),
    tools,
    toolCalls: sum(Object.values(tools)),
    mcp: draw() < 0.4 ? { [draw() < 0.7 ? 'github' : 'GitHub']: 1 + some(8), linear: some(4) } : {},
    skills: draw() < 0.3 ? { review: 1 + some(2), 'write-tests': some(2) } : {},
    slash: draw() < 0.5 ? { '/model': 1 + some(1), '/review': some(2) } : {},
    hooks: { Stop: sessions, Notification: some(4) },
    models: tokens(draw, person, much),
    filesCreated: some(6),
    filesEdited: some(22),
    commits: some(5),
    pulls: some(1),
  };
}

/** The total of numbers. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The service warns that a few tool names are parsing errors. */
const artifact = (draw: Draw): Record<string, number> => (draw() < 0.005 ? { 'Read</tool_name>': 1 } : {});

function tokens(draw: Draw, person: Person, much: number): ModelTokens[] {
  return MODELS.filter((model) => model.id === person.model || draw() < 0.3).map((model) => {
    const input = Math.round(90_000 * much * (0.5 + draw()));
    const output = Math.round(input * (0.05 + draw() * 0.1));
    return {
      model_id: model.id,
      model_tier: model.tier,
      billable_tokens: Math.round(input * 0.6) + output,
      input_tokens: input,
      output_tokens: output,
    };
  });
}
