// Doctor: the service unit, where one is installed: up to date and running.
import { serviceState } from '../../../installers/service/control.ts';
import { mechanismFor } from '../../../installers/service/index.ts';
import { ownServiceSpec } from '../../../installers/service/spec.ts';
import { defineCheck, fail, ok, warn } from './check.ts';

const NONE = ok('not installed, and not needed: a hook starts the daemon');

export const serviceCheck = defineCheck({
  name: 'service',
  inspects: 'the unit, agent or task that starts the daemon when you log in, where installed',
  fixes: [
    ['it has another version, install path or Node', '`belfry service install`'],
    ['it is not running', '`belfry service install`'],
    ['no service manager is running', '`belfry start`, or let a hook start the daemon'],
  ],
  run: async ({ paths, machine }) => {
    const mechanism = mechanismFor(machine.platform);
    if (!mechanism) return [NONE];
    const spec = ownServiceSpec(paths);
    const file = mechanism.file(spec);
    switch (await serviceState(mechanism, spec)) {
      case 'absent':
        return [NONE];
      case 'outdated':
        return [fail(`${file} is outdated (other version, install path or Node)`, 'run `belfry service install`')];
      case 'unmanaged':
        return [
          warn(
            `${file} exists, but no service manager is running for your user`,
            'none needed: a hook starts the daemon',
          ),
        ];
      case 'stopped':
        return [fail(`the ${mechanism.title} is not running`, 'run `belfry service install`')];
      case 'running':
        return [ok(`the ${mechanism.title} is running`)];
    }
  },
});
