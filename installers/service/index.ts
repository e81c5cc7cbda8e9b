// Which service manager a platform has.
import { launchd } from './launchd.ts';
import type { ServiceMechanism } from './mechanism.ts';
import { systemd } from './systemd.ts';
import { windowsTask } from './windows-task.ts';

const MECHANISMS: Partial<Record<NodeJS.Platform, ServiceMechanism>> = {
  linux: systemd,
  darwin: launchd,
  win32: windowsTask,
};

/** Null where there is none we know. */
export function mechanismFor(platform: NodeJS.Platform): ServiceMechanism | null {
  return MECHANISMS[platform] ?? null;
}
