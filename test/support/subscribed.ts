// A browser that is sent to, as the page leaves it: its subscription, and the page that owns it.
import { mkdir } from 'node:fs/promises';
import { addBrowser } from '../../src/channels/webpush/browser-file.ts';
import { tokenFileIn, updateTokenFile } from '../../src/http/token-file.ts';
import type { Browser } from '../../src/model/channel/browsers.ts';

const OWNER = 'b'.repeat(64);

/** `state`: the daemon's folder. False: there are as many as there may be. */
export async function subscribeIn(state: string, browser: Browser): Promise<boolean> {
  await mkdir(state, { recursive: true, mode: 0o700 });
  const page = { name: 'page-00000001', hash: OWNER, created_at: new Date().toISOString(), used_at: 0, owns: true };
  await updateTokenFile(tokenFileIn(state), (content) => ({
    ...content,
    pages: [...content.pages.filter(({ hash }) => hash !== OWNER), page],
  }));
  return addBrowser(state, browser, OWNER);
}
