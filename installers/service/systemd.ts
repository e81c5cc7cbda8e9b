// systemd: a user unit that counts as started once the daemon answers.
import { posix } from 'node:path';
import { UNIT_MARK, type ServiceMechanism, type ServiceSpec } from './mechanism.ts';

const UNIT = 'belfry.service';
const folder = (spec: ServiceSpec): string => posix.join(spec.configHome, 'systemd', 'user');
const systemctl = (...args: string[]): string[] => ['systemctl', '--user', ...args];

export const systemd: ServiceMechanism = {
  title: 'systemd user service',
  file: (spec) => posix.join(folder(spec), UNIT),
  text: unit,
  present: systemctl('show-environment'),
  enable: () => [systemctl('daemon-reload'), systemctl('enable', UNIT), systemctl('restart', UNIT)],
  disable: () => [systemctl('disable', '--now', UNIT)],
  forget: () => [systemctl('daemon-reload')],
  running: () => systemctl('is-active', '--quiet', UNIT),
  folders: (spec) => [posix.join(folder(spec), 'default.target.wants')],
};

function unit(spec: ServiceSpec): string {
  // systemd refuses some characters in the name of the executable itself, but not in arguments.
  const program = `/usr/bin/env ${quote(spec.node)} ${quote(spec.program)}`;
  const variables = Object.entries(spec.env).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`);
  return `[Unit]
Description=${UNIT_MARK}
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart=${program} daemon
# Ready means: the daemon listens. systemd waits for this before the service counts as started.
ExecStartPost=${program} service ready
Restart=on-failure
RestartSec=2
# A mistake in the settings does not go away by trying again.
RestartPreventExitStatus=2
TimeoutStopSec=20
UMask=0077
EnvironmentFile=-${spec.envFile.replaceAll('%', '%%')}
${variables.map((line) => `${line}\n`).join('')}
[Install]
WantedBy=default.target
`;
}

/** systemd.service(5), "Quoting": a quoted word with backslash, quote, percent and dollar escaped. */
function quote(word: string): string {
  const plain = word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$');
  return `"${plain}"`;
}
