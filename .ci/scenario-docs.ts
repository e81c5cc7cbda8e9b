// docs/contributing/scenarios.md: what arrives with real clients, from test/clients/scenarios, and in recorded scenarios, from test/fixtures/sequences.
import { evidenceTable } from './evidence-docs.ts';
import { table, wrap } from './markdown.ts';
import { agents } from '../src/agents/index.ts';
import { SCENARIO_CLIENTS } from '../test/clients/real/index.ts';
import { LIMITS, SCENARIOS } from '../test/clients/scenarios/expected.ts';
import { recordedSequences, type RecordedSequence } from '../test/support/sequence.ts';

const WORDS: Readonly<Record<string, string>> = {
  'bg-subagent': 'a subagent works on in the background',
  'bg-subagent-slow': 'a subagent works on in the background, slowly',
  'auth-error': 'the service refuses the key',
  'rate-limit': 'the service limits the rate',
  'server-error': 'the service fails',
  'ctrl-c-work': 'you press Ctrl-C in the middle of work',
  interrupt: 'you interrupt, then leave',
  'kill9-idle': 'killed while idle',
  'kill9-work': 'killed in the middle of work',
  'kill9-perm': 'killed while it asks for permission',
  'term-work': 'SIGTERM in the middle of work',
  'pane-work': 'its terminal is closed in the middle of work',
  'perm-deny': 'you deny a permission, then leave',
  'headless-auth': 'one-shot, the service refuses the key',
  'headless-server': 'one-shot, the service fails',
  'headless-ok': 'one-shot, all is well',
  'no-witness-auth': 'one-shot, refused, with no other hook installed',
  compact: 'you compact by hand between two turns',
  question: 'it asks a question',
  'question-refused': 'the model asks a question in a form that the client refuses: nobody is asked',
  plan: 'it asks you to approve a plan',
};

const listed = (expected: RecordedSequence['expected']): string =>
  expected.map(({ what, optional }) => (optional ? `${what} (or not)` : what)).join(', ') || 'nothing';

/** Which evidence besides hooks the recording holds. */
function evidenceOf({ steps, expected }: RecordedSequence): string {
  const grown = steps.find((step) => 'append' in step);
  if (grown !== undefined) return grown.append.startsWith('/home/dev/tmp/') ? 'error report' : 'transcript';
  const told = steps.some(
    (step) => 'input' in step && /end/i.test(String(step.input['hook_event_name'] ?? step.event)),
  );
  return expected.some(({ what }) => what === 'abnormal') && !told ? 'process' : 'hooks';
}

/** One row a client, one column a scenario, and the reasons below. */
function clientTable(): string {
  const scenarios = Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[];
  const reasons: string[] = [];
  const cell = (client: string, scenario: keyof typeof SCENARIOS): string => {
    const limit = LIMITS[client]?.[scenario];
    const arrives = (limit?.arrives ?? SCENARIOS[scenario].wanted).join(', ') || 'nothing';
    if (limit === undefined) return arrives;
    reasons.push(wrap(`${client}, ${SCENARIOS[scenario].words}: ${limit.why}`, `${reasons.length + 1}. `));
    return `${arrives} (${reasons.length})`;
  };
  const rows = SCENARIO_CLIENTS.map(({ name, version }) => [
    `${name} ${version}`,
    ...scenarios.map((scenario) => cell(name, scenario)),
  ]);
  const about =
    'What you are notified of, without low notifications. `npm run test:clients` does each of these with the real client and measures what arrives at a receiver. A number names the reason why it is not what you would want.';
  return [
    '## Client by scenario',
    wrap(about),
    table(['client', ...scenarios.map((scenario) => SCENARIOS[scenario].words)], rows),
    ...(reasons.length === 0 ? [] : [reasons.join('\n')]),
  ].join('\n\n');
}

/** One recorded scenario of one client. */
interface Row {
  readonly client: string;
  readonly happens: string;
  readonly wanted: string;
  /** 'the same', or what arrives instead, and why. */
  readonly got: string;
  readonly evidence: string;
}

const recordedRows = (): readonly Row[] =>
  recordedSequences().map((sequence) => ({
    client: `${sequence.client} ${sequence.version}`,
    happens: WORDS[sequence.scenario] ?? sequence.scenario,
    wanted: listed(sequence.expected),
    got: sequence.limit === undefined ? 'the same' : `${listed(sequence.limit.arrives)}. ${sequence.limit.why}`,
    evidence: evidenceOf(sequence),
  }));

/** One line a client: how many of its rows are as one would want them. */
function summary(rows: readonly Row[]): string {
  const clients = [...new Set(rows.map(({ client }) => client))];
  const counts = clients.map((client) => {
    const own = rows.filter((row) => row.client === client);
    return `${client.split(' ')[0]} ${own.filter(({ got }) => got === 'the same').length} of ${own.length}`;
  });
  return `As you would want them: ${counts.join(', ')}.`;
}

/** One row a recorded scenario. */
function scenarioTable(): string {
  const rows = recordedRows();
  const about =
    'Recorded with real clients, most of them as version 0.1.0 got them wrong, and played by `test/sequences`: what you have to be notified of while you are away, what you get, and what it is concluded from. Low notifications are left out.';
  const cells = rows.map(({ client, happens, wanted, got, evidence }) => [client, happens, wanted, got, evidence]);
  return [
    '## Recorded scenarios',
    wrap(about),
    wrap(summary(rows)),
    table(['client', 'what happens', 'you have to hear of', 'you hear of', 'evidence'], cells),
  ].join('\n\n');
}

/** The whole page. */
export const renderScenarios = (): string =>
  `${['# Evidence and scenarios', 'Made by `npm run docs`.', evidenceTable(agents), clientTable(), scenarioTable()].join('\n\n')}\n`;
