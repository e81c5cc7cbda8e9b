// Says what `belfry channel add` has written.
import { routesBefore } from '../../../config/machine/merge-config.ts';
import type { Paths } from '../../../runtime/paths.ts';
import { pathFor } from '../../output/path-for.ts';
import type { Io } from '../../io.ts';
import type { ConfigBefore } from './config-before.ts';
import { isRoutingLocked, type RoutePlan, type VerifiedChannel, type WrittenChannel } from './write-channel.ts';

/** Prints it, or one JSON document. */
export function reportChannel(
  io: Io,
  paths: Paths,
  { channel, name, before, flags, interactive, tested }: VerifiedChannel,
  { secrets, plan }: WrittenChannel,
): void {
  const stored = secrets.map(({ file }) => file);
  if (io.json) {
    io.data({
      name,
      type: channel.type,
      file: paths.config,
      routes: plan.routes,
      secrets: stored,
      test: tested === null ? null : { ok: true, ms: tested },
    });
    return;
  }
  if (tested !== null) io.line(`${name}: test message delivered in ${tested} ms`);
  io.line(`${before.channel === null ? 'Added' : 'Changed'} [channels.${name}] in ${pathFor(io, paths.config)}.`);
  if (stored.length > 0)
    io.line(`Secrets are stored in ${stored.map((file) => pathFor(io, file)).join(', ')} (mode 0600).`);
  io.line(routed(plan, name, before));
  if (interactive || flags.test)
    io.line(`\`belfry test ${name}\` sends another test, \`belfry doctor\` checks everything.`);
}

function routed({ routes, fresh }: RoutePlan, name: string, before: ConfigBefore): string {
  if (isRoutingLocked(before))
    return 'Routes are locked for this machine: it gets only what one of the machine names it for, and `belfry test`.';
  const { channel } = before;
  if (fresh !== null) return 'A route sends it what may interrupt you: urgency normal and urgent.';
  if (routes.length > 0) {
    const numbers = routes.map((i) => i + routesBefore(before.machine) + 1).join(', ');
    return `Added to route${routes.length === 1 ? '' : 's'} ${numbers}; \`belfry routes show\` lists them.`;
  }
  return channel === null
    ? `No route names it yet: add "${name}" to the \`to\` of a route in config.toml.`
    : 'Its routes are as they were.';
}
