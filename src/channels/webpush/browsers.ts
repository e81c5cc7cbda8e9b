// What the page does with the browsers that take notifications.
import type { Browsers } from '../../model/channel/browsers.ts';
import { addBrowser, browsersWithKeys, readBrowsers, removeBrowsers } from './browser-file.ts';
import { isPressProof } from './press-proof.ts';
import { press } from './button-presses.ts';

export const browsers: Browsers = {
  publicKey: async (folder) => (await browsersWithKeys(folder)).publicKey,
  count: async (folder) => (await readBrowsers(folder))?.browsers.length ?? 0,
  add: addBrowser,
  remove: async (folder, endpoint) => (await removeBrowsers(folder, [endpoint])) > 0,
  pressed: async (folder, { reference, proof }) => {
    const known = (await readBrowsers(folder))?.browsers ?? [];
    return isPressProof(known, reference, proof) ? press(reference, Date.now()) : null;
  },
};
