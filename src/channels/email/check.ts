// Checks an email channel without sending: the server's address, and what would be sent unencrypted.
import { checkUrl } from '../../lib/net/check-url.ts';
import type { CheckResult } from '../../model/channel/channel.ts';
import { serverUrl } from './send.ts';
import { type EmailSettings, serverOf } from './settings.ts';

/** What is wrong. */
export async function checkEmail(settings: EmailSettings, signal: AbortSignal): Promise<readonly CheckResult[]> {
  const server = serverOf(settings);
  const findings: CheckResult[] = await checkUrl(
    serverUrl(server),
    server.allow_private,
    signal,
    '`host` in config.toml: the name of a server, without https:// or a port',
  );
  if (settings.tls === 'none')
    findings.push({
      level: settings.password !== undefined && !server.allow_private ? 'fail' : 'warn',
      text: 'mail is handed over unencrypted',
      fix: 'set `tls` to "starttls" or "tls"',
    });
  return findings;
}
