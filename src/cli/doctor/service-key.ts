// Doctor: the organization's service: its address and the key, asked with the smallest request.
import { ApiError } from '../../api/errors.ts';
import { UserError } from '../../model/errors.ts';
import { connectClient } from '../api/connect.ts';
import { defineCheck, fail, ok } from './check.ts';

export const serviceKey = defineCheck({
  name: 'service key',
  looks: "the organization's service, asked with the smallest request, where one is configured",
  mends: [
    ['no key, or one that is not accepted (401)', 'give another key in `[api]` or BELFRY_API_KEY'],
    ['a key that may not ask this (403)', 'ask an administrator for the right, or take another key'],
    ['the service cannot be reached', 'mend `[api] base_url` or the network'],
  ],
  run: async ({ config, io }) => {
    const base = io.env['BELFRY_API_BASE_URL'] || config?.api.base_url;
    const key = io.env['BELFRY_API_KEY'] || config?.api.key;
    if (!base && !key) return [ok('no service is configured, so nothing is asked of it')];
    if (!base) return [fail('there is a key for the service, but no address', 'set `base_url` in [api]')];
    try {
      const client = await connectClient(io, { timeout: '5s' });
      await client.computers.list();
      return [ok('the service accepts the key')];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const kind = error instanceof ApiError ? error.kind : 'other';
      if (kind === 'forbidden')
        return [
          fail(
            `the key may not ask this of the service (403): ${error.message}`,
            'ask an administrator for the right, or take another key',
          ),
        ];
      if (kind === 'unauthenticated')
        return [
          fail(
            `the service does not accept the key (401): ${error.message}`,
            'give another key in [api] or BELFRY_API_KEY',
          ),
        ];
      return [fail(`the service cannot be asked: ${error.message}`, 'mend `base_url` in [api], or the network')];
    }
  },
});
