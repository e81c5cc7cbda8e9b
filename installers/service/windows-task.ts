// Windows: a scheduled task that starts the daemon at log-on, without a window.
import { win32 } from 'node:path';
import { UNIT_MARK, type ServiceMechanism, type ServiceSpec } from './mechanism.ts';
import { escapeXml } from '../../src/lib/text/text.ts';

const NAME = 'Belfry';
const file = (spec: ServiceSpec): string => win32.join(spec.configHome, 'belfry', 'task.xml');

export const windowsTask: ServiceMechanism = {
  title: 'scheduled task',
  file,
  // schtasks reads UTF-16 only.
  text: (spec) => Buffer.from(`\uFEFF${task(spec).replaceAll('\n', '\r\n')}`, 'utf16le'),
  present: ['schtasks', '/Query', '/FO', 'LIST', '/TN', '\\'],
  enable: (spec) => [
    ['schtasks', '/Create', '/TN', NAME, '/XML', file(spec), '/F'],
    ['schtasks', '/Run', '/TN', NAME],
  ],
  disable: () => [
    ['schtasks', '/End', '/TN', NAME],
    ['schtasks', '/Delete', '/TN', NAME, '/F'],
  ],
  forget: () => [],
  running: () => ['schtasks', '/Query', '/TN', NAME],
  folders: () => [],
};

function task(spec: ServiceSpec): string {
  const words = ['--headless', quote(spec.node), quote(spec.program), 'daemon'];
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${UNIT_MARK}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>
      <Enabled>true</Enabled>
    </LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>5</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>conhost.exe</Command>
      <Arguments>${escapeXml(words.join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** As the C runtime reads arguments: backslashes before a quote doubled. A path has no quote in it. */
function quote(path: string): string {
  return `"${path.replace(/\\+$/, (end) => end + end)}"`;
}
