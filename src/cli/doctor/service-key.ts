// Doctor: the organization's service: its address and the key, asked with the smallest request.
import { fault, serviceFindings } from '../../daemon/service/service-findings.ts';
import { UserError } from '../../model/errors.ts';
import { connectClient } from '../api/connect.ts';
import { defineCheck, fail, ok } from './check.ts';
import { daemonCheck, fromThisShell } from './shared/daemon-check.ts';

export const serviceKeyCheck = defineCheck({
  name: 'service key',
  inspects: "the organization's service, where one is configured: the daemon makes one small request",
  fixes: [
    ['no key, or one that is not accepted (401)', 'set another key in `[api]` or BELFRY_API_KEY'],
    ['a key without permission (403)', 'ask an administrator for it, or use another key'],
    ['the service cannot be reached', 'correct `base_url` in `[api]`, or check the network'],
  ],
  run: async ({ paths, config, io }) => {
    const checked = await daemonCheck(paths);
    if (checked) return checked.service;
    const base = io.env['BELFRY_API_BASE_URL'] || config?.api.base_url;
    const key = io.env['BELFRY_API_KEY'] || config?.api.key;
    if (!base && !key) return [ok('no service configured')];
    if (!base) return [fail('there is a key for the service but no address', 'set `base_url` in [api]')];
    try {
      const client = await connectClient(io, { timeout: '5s' });
      return [...(await serviceFindings(client)), fromThisShell('asked')];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return [fault(error), fromThisShell('asked')];
    }
  },
});
