// launchd: an agent of the user's that runs from login on and is started again when it fails.
import { posix } from 'node:path';
import { UNIT_MARK, type ServiceMechanism, type ServiceSpec } from './mechanism.ts';
import { escapeXml } from '../../src/lib/text/text.ts';

const LABEL = 'belfry.daemon';
const file = (spec: ServiceSpec): string => posix.join(spec.home, 'Library', 'LaunchAgents', `${LABEL}.plist`);

export const launchd: ServiceMechanism = {
  title: 'launchd agent',
  file,
  text: plist,
  present: ['launchctl', 'managername'],
  enable: (spec) => [['launchctl', 'bootstrap', `gui/${spec.uid}`, file(spec)]],
  disable: (spec) => [['launchctl', 'bootout', `gui/${spec.uid}/${LABEL}`]],
  forget: () => [],
  running: (spec) => ['launchctl', 'print', `gui/${spec.uid}/${LABEL}`],
  folders: () => [],
};

function plist(spec: ServiceSpec): string {
  const strings = (words: readonly string[]): string =>
    words.map((word) => `    <string>${escapeXml(word)}</string>`).join('\n');
  const variables = Object.entries(spec.env)
    .map(([name, value]) => `    <key>${escapeXml(name)}</key>\n    <string>${escapeXml(value)}</string>`)
    .join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${UNIT_MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${strings([spec.node, spec.program, 'daemon'])}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`;
}
