// `npm run demo`: a daemon of its own, two receivers, real hook runs; shows what happened to each, then exits.
import { randomBytes } from 'node:crypto';
import colors from 'picocolors';
import { type DemoHouse, openHouse, version } from './demo-home.ts';
import { type Receiver, slackLike, verifying } from './receivers.ts';
import { SCENES, type Scene } from './scenes.ts';

/** The demo exits before this, whatever happens, ms. */
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

/** Plays one scene and returns what went wrong. */
async function play(scene: Scene, number: number, house: DemoHouse, receivers: readonly Receiver[]): Promise<string[]> {
  const troubles: string[] = [];
  const expected = SCENES.slice(0, number).filter(({ sent }) => sent).length;
  console.log(`\n${colors.bold(`${number}. ${scene.say}`)}`);
  const hook = await house.hook(scene.input);
  console.log(
    colors.dim(`   hook     exit ${hook.code}, ${hook.silent ? 'silent' : 'NOT SILENT'}, ${hook.ms.toFixed(0)} ms`),
  );
  if (hook.code !== 0 || !hook.silent) troubles.push('the hook was not silent');
  if (!(await until(() => house.events.length >= number))) return [...troubles, 'the daemon recorded no event'];
  const event = house.events[number - 1];
  const last = event?.verdicts.findLast(({ verdict }) => verdict === 'route' || verdict === 'stop');
  const note = wide(`${last?.stage ?? '?'}: ${last?.note ?? '?'}`, 66);
  console.log(`   event    ${colors.cyan(event?.kind ?? '?')}, ${event?.urgency ?? '?'}`);
  console.log(`   verdict  ${last?.verdict === 'route' ? colors.green(note) : colors.yellow(note)}`);
  if (event?.kind !== scene.kind) troubles.push(`expected ${scene.kind}, got ${event?.kind}`);
  for (const receiver of scene.sent ? receivers : []) {
    const came = await until(() => receiver.arrived.length >= expected);
    const arrived = receiver.arrived[expected - 1];
    const name = (arrived?.receiver ?? 'receiver').padEnd(8);
    if (came && arrived && arrived.trouble === null)
      console.log(`   ${name} ${colors.green('✔')} ${wide(arrived.title, 64)}`);
    else console.log(`   ${name} ${colors.red('✘')} ${arrived?.trouble ?? 'nothing arrived'}`);
    if (!came || arrived?.trouble !== null) troubles.push('a receiver did not get the notification');
  }
  if (receivers.some(({ arrived }) => arrived.length > expected))
    troubles.push('a receiver got more notifications than expected');
  return troubles;
}

/** How many notifications the desktop showed; having none is no failure. */
async function desktopLine(house: DemoHouse): Promise<string> {
  if (!house.desktop) return 'desktop: skipped, since this machine has no session bus';
  const sent = (await house.ask('deliveries', '--channel', 'desk')) as { state: string; last_error: string | null }[];
  const shown = sent.filter(({ state }) => state === 'sent').length;
  const error = sent.find(({ last_error }) => last_error !== null)?.last_error;
  return `desktop: ${shown} of ${sent.length} notifications shown${error ? ` (${error})` : ''}`;
}

async function main(): Promise<number> {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const receivers = await Promise.all([slackLike(), verifying(secret)]);
  const [slack, webhook] = receivers;
  console.log(`${colors.bold(`belfry ${version()}`)}: a daemon in a temporary home, two local receivers, real hooks`);
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
    const wanted = SCENES.filter(({ sent }) => sent).length * receivers.length;
    console.log(
      `\n${SCENES.length} hook runs, ${house.events.length} events, ${arrived} of ${wanted} deliveries arrived, none twice`,
    );
    console.log(await desktopLine(house));
    for (const trouble of troubles) console.log(colors.red(`✘ ${trouble}`));
    if (troubles.length === 0)
      console.log(`${colors.green('Everything arrived.')} The demo has left nothing on your machine.`);
    return troubles.length === 0 && arrived === wanted ? 0 : 1;
  } finally {
    await leave();
  }
}

process.exitCode = await main();
