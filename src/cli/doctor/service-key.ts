// Doctor: the organization's service: its address and the key, asked with the smallest request.
import { fault, serviceFindings } from '../../daemon/service-findings.ts';
import { UserError } from '../../model/errors.ts';
import { connectClient } from '../api/connect.ts';
import { defineCheck, fail, ok } from './check.ts';
import { daemonCheck, ownLook } from './daemon-check.ts';

export const serviceKeyCheck = defineCheck({
  name: 'service key',
  inspects: "the organization's service, asked by the daemon with the smallest request, where one is configured",
  fixes: [
    ['no key, or one that is not accepted (401)', 'give another key in `[api]` or BELFRY_API_KEY'],
    ['a key that may not ask this (403)', 'ask an administrator for the right, or take another key'],
    ['the service cannot be reached', 'mend `[api] base_url` or the network'],
  ],
  run: async ({ paths, config, io }) => {
    const checked = await daemonCheck(paths);
    if (checked) return checked.service;
    const base = io.env['BELFRY_API_BASE_URL'] || config?.api.base_url;
    const key = io.env['BELFRY_API_KEY'] || config?.api.key;
    if (!base && !key) return [ok('no service is configured, so nothing is asked of it')];
    if (!base) return [fail('there is a key for the service, but no address', 'set `base_url` in [api]')];
    try {
      const client = await connectClient(io, { timeout: '5s' });
      return [...(await serviceFindings(client)), ownLook('the service was')];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return [fault(error), ownLook('the service was')];
    }
  },
});
