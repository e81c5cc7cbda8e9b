// A notification as a mail: plain text and HTML, in one thread for each session (RFC 5322, section 3.6.4).
import type { SendMailOptions } from 'nodemailer';
import { sha256 } from '../../lib/hash.ts';
import { cutGraphemes, escapeXml, oneLine, plainText } from '../../lib/text/text.ts';
import type { OutgoingMessage } from '../../model/channel/channel.ts';
import { sessionQuotes } from '../shared/readable-body.ts';
import { shownBody } from '../shared/shown-body.ts';

/** Lengths, in characters: what mail programs show, and what anybody reads. */
const SUBJECT = 200;
const BODY = 20_000;
const QUOTE = 2_000;
const MOST_QUOTES = 5;
const LINE = 300;

/** Urgency, as most mail programs show it. */
const PRIORITY = { urgent: 'high', normal: 'normal', low: 'low' } as const;

/** `now`: Unix ms, of this attempt. */
export function mailOf(
  message: OutgoingMessage,
  by: { from: string; to: readonly string[] },
  now: number,
): SendMailOptions {
  const { content, id, threadKey } = message;
  const domain = domainOf(by.from);
  const thread = `<session-${sha256(threadKey, 32)}@${domain}>`;
  const body = cutGraphemes(shownBody(message), BODY);
  const quotes = sessionQuotes(content, MOST_QUOTES).map(({ who, text }) => ({ who, text: cutGraphemes(text, QUOTE) }));
  const footer = footerOf(message);
  return {
    from: by.from,
    to: [...by.to],
    subject: cutGraphemes(oneLine(content.title), SUBJECT) || 'Belfry',
    date: new Date(now),
    // The same on every attempt, so that a mailbox may drop a repeat.
    messageId: `<${sha256(id, 32)}@${domain}>`,
    references: thread,
    inReplyTo: thread,
    priority: PRIORITY[content.abnormal ? 'urgent' : content.urgency],
    // No out-of-office answers: RFC 3834, and what Exchange understands.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text: `${[body, ...quotes.map(({ who, text }) => `${who}: ${text}`)].filter((part) => part !== '').join('\n\n')}\n\n-- \n${footer}\n`,
    html: htmlOf(body, quotes, footer),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Nothing of the text is markup, and there is nothing to load. */
function htmlOf(body: string, quotes: readonly { who: string; text: string }[], footer: string): string {
  const paragraph = (text: string, style: string): string => `<p style="${style}">${escapeXml(text)}</p>`;
  const parts = [
    ...(body === '' ? [] : [paragraph(body, 'white-space:pre-wrap')]),
    ...quotes.map(
      ({ who, text }) => `<p style="white-space:pre-wrap;color:#475467"><b>${who}:</b> ${escapeXml(text)}</p>`,
    ),
    paragraph(footer, 'color:#667085;font-size:smaller'),
  ];
  return `<!doctype html><html><body style="font-family:sans-serif">${parts.join('')}</body></html>`;
}

/** Where it comes from. */
function footerOf({ content: { event } }: OutgoingMessage): string {
  const where = [event.agent, event.host, event.cwd ?? '', event.branch ?? ''].map((part) => oneLine(plainText(part)));
  return cutGraphemes(where.filter((part) => part !== '').join(' · '), LINE);
}

/** Of an address, with or without a name before it. */
function domainOf(address: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(address)?.[1] ?? 'belfry.invalid';
}
