// Doctor: the service unit, where one is installed: up to date and running.
import { existsSync, readFileSync } from 'node:fs';
import { managerRuns, serviceRuns } from '../../../installers/service/control.ts';
import { mechanismFor } from '../../../installers/service/index.ts';
import { ownServiceSpec } from '../../../installers/service/spec.ts';
import { defineCheck, fail, ok, warn } from './check.ts';

export const serviceCheck = defineCheck({
  name: 'service',
  inspects: 'the unit, agent or task that runs the daemon from log-in on, where it is installed',
  fixes: [
    ['it names another place or Node', '`belfry service install`'],
    ['it does not run', '`belfry service install`'],
    ['no manager runs it', '`belfry start`, or let a hook start the daemon'],
  ],
  run: async ({ paths, machine }) => {
    const mechanism = mechanismFor(machine.platform);
    const spec = ownServiceSpec(paths);
    const file = mechanism?.file(spec);
    if (!mechanism || file === undefined || !existsSync(file))
      return [ok('no service is installed, and none is needed: a hook starts the daemon')];
    if (!readFileSync(file).equals(Buffer.from(mechanism.text(spec))))
      return [fail(`${file} is of another version, place or Node`, 'run `belfry service install`')];
    if (!(await managerRuns(mechanism)))
      return [
        warn(
          `${file} is there, but no service manager runs for this user`,
          'nothing, if a hook is to start the daemon; else log in so that one runs',
        ),
      ];
    if (!(await serviceRuns(mechanism, spec)))
      return [fail(`the ${mechanism.title} does not run`, 'run `belfry service install`')];
    return [ok(`the ${mechanism.title} runs`)];
  },
});
