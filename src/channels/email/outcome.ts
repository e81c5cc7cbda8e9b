// What a mail server's refusal means: by its code and by the command it refused (RFC 5321, section 4.2; RFC 4954, section 6).
import type { NodemailerError } from 'nodemailer';
import { connectionFault } from '../../lib/net/connection-fault.ts';
import type { Outcome, Reason } from '../../model/delivery/delivery.ts';

type Failure = Extract<Outcome, { ok: false }>;

/** How far a mail had come. `written`: all of it, so that the server may have accepted it. */
export interface SmtpProgress {
  readonly host: string;
  readonly written: boolean;
}

/** Codes that concern who we are, after whichever command. */
const SIGN_IN = new Set([530, 534, 535, 538]);
/** The mail is too large, or not wanted. */
const TOO_LARGE = 552;
/** The messages of a day are used up: the enhanced code (RFC 3463) that Gmail gives for it; when it renews is not said. */
const QUOTA = ['quota', 'the account has sent as many mails as it may'] as const;
const isQuota = (code: number, response: string): boolean => code >= 500 && /^\d{3}[ -]5\.4\.5\b/.test(response);
/** The session was in another state than the command needs: a new one may do. */
const OUT_OF_TURN = 503;

/** A refusal, or a connection that ended. */
export function smtpFailure(error: NodemailerError, { host, written }: SmtpProgress): Failure {
  const { responseCode: code, response } = error;
  if (code === undefined || response === undefined) return connectionFailure(error, { host, written });
  const [reason, what] = isQuota(code, response) ? QUOTA : meaningOf(code, error);
  return { ok: false, reason, error: `${host} answered ${code}: ${what}`, answer: response, status: code };
}

function meaningOf(code: number, { command = '', rejectedErrors = [] }: NodemailerError): readonly [Reason, string] {
  if (command === 'RCPT TO') {
    // The error itself has the last recipient's code only.
    const isFinal = rejectedErrors.every(({ responseCode = 0 }) => responseCode >= 500);
    if (isFinal && code >= 500) return ['invalid-config', 'it knows none of the recipients; check `to`'];
    return ['server', 'it does not accept mail for the recipients just now'];
  }
  if (code < 500 || code === OUT_OF_TURN) return ['server', 'not just now'];
  if (SIGN_IN.has(code) || command.startsWith('AUTH'))
    return ['auth', 'it refused the sign-in; check `user` and `password`'];
  if (command === 'STARTTLS') return ['invalid-config', 'it does not offer STARTTLS; set `tls` to what it offers'];
  if (command === 'DATA') return ['client', code === TOO_LARGE ? 'the mail is too large' : 'it refused this mail'];
  if (command === 'MAIL FROM')
    return code === TOO_LARGE
      ? ['client', 'the mail is too large']
      : ['invalid-config', 'it refused the sender; check `from`'];
  return ['invalid-config', 'it does not talk to this machine; check `host` and `port`'];
}

/** Certificates: nodemailer keeps OpenSSL's sentence, not its code. */
const CERTIFICATES: readonly (readonly [RegExp, string])[] = [
  [/self.signed certificate in/i, 'SELF_SIGNED_CERT_IN_CHAIN'],
  [/self.signed/i, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  [/expired/i, 'CERT_HAS_EXPIRED'],
  [/altnames|does not match/i, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [/unable to (?:verify|get)/i, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
];

function connectionFailure(error: NodemailerError, { host, written }: SmtpProgress): Failure {
  const failed = (reason: Reason, text: string): Failure => ({
    ok: false,
    reason,
    error: written ? `${text}; it may have arrived all the same` : text,
    ...(written ? { unknown: true as const } : {}),
  });
  const { code, message, originalCode } = error as NodemailerError & { readonly originalCode?: string };
  if (code === 'EAUTH')
    return failed('invalid-config', `${host} offers no sign-in that \`user\` and \`password\` can use`);
  if (code === 'EENVELOPE') return failed('invalid-config', 'an address in `from` or `to` is not valid');
  if (code === 'EMESSAGE') return failed('client', `the mail is larger than ${host} accepts`);
  if (code === 'EPROTOCOL') return failed('server', `${host} sent an answer that is not SMTP`);
  if (code === 'ETIMEDOUT') return failed('timeout', `${host} did not answer in time`);
  const [, certificate] = CERTIFICATES.find(([pattern]) => code === 'ETLS' && pattern.test(message)) ?? [];
  const known = certificate ?? originalCode ?? (code === 'ECONNECTION' ? 'ECONNRESET' : undefined);
  const fault = connectionFault(Object.assign(new Error(), { code: known ?? code }), host);
  return failed(fault.kind === 'refused' ? 'invalid-config' : fault.kind, fault.error);
}
