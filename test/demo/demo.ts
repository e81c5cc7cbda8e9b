// `npm run demo`: a daemon of its own, two receivers, real hook runs; shows the result of each, then ends.
import { randomBytes } from 'node:crypto';
import colors from 'picocolors';
import { type DemoHouse, openHouse, version } from './house.ts';
import { type Receiver, slackLike, verifying } from './receivers.ts';
import { SCENES, type Scene } from './scenes.ts';

/** Longest run of the demo, ms. */
const LIMIT = 19_000;
const end = Date.now() + LIMIT;
const wide = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

async function until(look: () => boolean, limit = 6_000): Promise<boolean> {
  for (const last = Math.min(end, Date.now() + limit); !look(); ) {
    if (Date.now() > last) return false;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  return true;
}

/** Plays one scene; the troubles come out. */
async function play(scene: Scene, number: number, house: DemoHouse, receivers: readonly Receiver[]): Promise<string[]> {
  const troubles: string[] = [];
  const expected = SCENES.slice(0, number).filter(({ told }) => told).length;
  console.log(`\n${colors.bold(`${number}. ${scene.say}`)}`);
  const hook = await house.hook(scene.input);
  console.log(
    colors.dim(`   hook     exit ${hook.code}, ${hook.silent ? 'silent' : 'NOT SILENT'}, ${hook.ms.toFixed(0)} ms`),
  );
  if (hook.code !== 0 || !hook.silent) troubles.push('the hook was not silent');
  if (!(await until(() => house.events.length >= number))) return [...troubles, 'no event was decided'];
  const event = house.events[number - 1];
  const last = event?.verdicts.findLast(({ verdict }) => verdict === 'to' || verdict === 'stop');
  const note = wide(`${last?.stage ?? '?'}: ${last?.note ?? '?'}`, 66);
  console.log(`   event    ${colors.cyan(event?.kind ?? '?')}, ${event?.urgency ?? '?'}`);
  console.log(`   verdict  ${last?.verdict === 'to' ? colors.green(note) : colors.yellow(note)}`);
  if (event?.kind !== scene.kind) troubles.push(`is ${event?.kind}, not ${scene.kind}`);
  for (const receiver of scene.told ? receivers : []) {
    const came = await until(() => receiver.arrived.length >= expected);
    const arrived = receiver.arrived[expected - 1];
    const name = (arrived?.receiver ?? 'receiver').padEnd(8);
    if (came && arrived && arrived.trouble === null)
      console.log(`   ${name} ${colors.green('✔')} ${wide(arrived.title, 64)}`);
    else console.log(`   ${name} ${colors.red('✘')} ${arrived?.trouble ?? 'nothing came'}`);
    if (!came || arrived?.trouble !== null) troubles.push('a receiver did not get it');
  }
  if (receivers.some(({ arrived }) => arrived.length > expected)) troubles.push('more was told than should be');
  return troubles;
}

/** What the desktop said, when there is one; it is no fault of belfry when there is none. */
async function desktopLine(house: DemoHouse): Promise<string> {
  if (!house.desktop) return 'no desktop here: no session bus, so no notification was raised';
  const sent = (await house.ask('deliveries', '--channel', 'desk')) as { state: string; last_error: string | null }[];
  const shown = sent.filter(({ state }) => state === 'sent').length;
  const error = sent.find(({ last_error }) => last_error !== null)?.last_error;
  return `desktop: ${shown} of ${sent.length} notifications shown${error ? ` (${error})` : ''}`;
}

async function main(): Promise<number> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const receivers = await Promise.all([slackLike(), verifying(secret)]);
  const [slack, webhook] = receivers;
  console.log(
    `${colors.bold(`belfry ${version()}`)}: a daemon in a temporary home, two local receivers, real hook runs`,
  );
  let house: DemoHouse | null = null;
  const leave = async (): Promise<void> => {
    for (const receiver of receivers) receiver.close();
    await house?.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void leave().then(() => process.exit(130)));
  try {
    house = await openHouse(slack?.url ?? '', webhook?.url ?? '', secret);
    const troubles: string[] = [];
    for (const [i, scene] of SCENES.entries()) {
      for (const trouble of await play(scene, i + 1, house, receivers)) troubles.push(`${scene.say}: ${trouble}`);
      if (Date.now() > end) break;
    }
    const arrived = receivers.reduce((sum, receiver) => sum + receiver.arrived.length, 0);
    const wanted = SCENES.filter(({ told }) => told).length * receivers.length;
    console.log(
      `\n${SCENES.length} hook runs, ${house.events.length} events, ${arrived} of ${wanted} deliveries arrived, each once`,
    );
    console.log(await desktopLine(house));
    for (const trouble of troubles) console.log(colors.red(`✘ ${trouble}`));
    if (troubles.length === 0) console.log(`${colors.green('All told.')} Nothing of this is left on the machine.`);
    return troubles.length === 0 && arrived === wanted ? 0 : 1;
  } finally {
    await leave();
  }
}

process.exitCode = await main();
