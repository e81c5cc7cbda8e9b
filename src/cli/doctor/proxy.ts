// Doctor: the proxy of outgoing requests: which, where its address is from, and whether it can be reached.
import { proxyFindings } from '../../daemon/service/proxy-findings.ts';
import { defineCheck } from './check.ts';
import { daemonCheck, fromThisShell } from './shared/daemon-check.ts';

export const proxyCheck = defineCheck({
  name: 'proxy',
  inspects:
    'the HTTP proxy of outgoing requests, where the settings or the daemon’s environment name one: the daemon connects to it, and sends nothing',
  fixes: [
    [
      'its address is unusable, or it cannot be reached',
      'correct `[network] proxy`, or HTTPS_PROXY where the daemon starts',
    ],
  ],
  run: async ({ paths }) => {
    const checked = await daemonCheck(paths);
    if (checked) return checked.proxy;
    const found = await proxyFindings();
    return found.some(({ text }) => text !== 'none is used') ? [...found, fromThisShell('checked')] : found;
  },
});
