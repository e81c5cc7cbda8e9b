// The channels that some route names, in whichever step.
import type { Config } from '../../model/settings/config.ts';

/** Any other gets nothing but tests and news of failing channels. */
export const routedChannels = ({ routes }: Pick<Config, 'routes'>): ReadonlySet<string> =>
  new Set(routes.flatMap(({ to, escalate = [] }) => [...to, ...escalate.flatMap((step) => step.to)]));
