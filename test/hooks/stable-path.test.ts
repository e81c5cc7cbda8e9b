// Which path to Node and to the package is written down: one that the next version has too.
import { expect, test } from 'vitest';
import { stableNode, stablePath } from '../../src/runtime/stable-path.ts';

/** A file system of these links; every other path leads to itself. */
const linked = (links: Readonly<Record<string, string>>) => ({ real: (path: string) => links[path] ?? path });

const BREW = '/opt/homebrew/Cellar/node/22.1.0/bin/node';
const BREW22 = '/opt/homebrew/Cellar/node@22/22.1.0/bin/node';
const NVM = '/home/u/.nvm/versions/node/v22.1.0';
const FNM = '/home/u/.local/share/fnm';
const MISE = '/home/u/.local/share/mise/installs/node';

test.each<[string, string, string, Readonly<Record<string, string>>]>([
  ['Homebrew', '/opt/homebrew/bin/node', BREW, { '/opt/homebrew/bin/node': BREW }],
  [
    'Homebrew, unlinked',
    '/opt/homebrew/opt/node@22/bin/node',
    BREW22,
    { '/opt/homebrew/bin/node': BREW, '/opt/homebrew/opt/node@22/bin/node': BREW22 },
  ],
  [
    'Homebrew on Linux',
    '/home/linuxbrew/.linuxbrew/bin/node',
    '/home/linuxbrew/.linuxbrew/Cellar/node/22.1.0/bin/node',
    { '/home/linuxbrew/.linuxbrew/bin/node': '/home/linuxbrew/.linuxbrew/Cellar/node/22.1.0/bin/node' },
  ],
  [
    'nvm with its link',
    '/home/u/.nvm/current/bin/node',
    `${NVM}/bin/node`,
    { '/home/u/.nvm/current/bin/node': `${NVM}/bin/node` },
  ],
  [
    'nvm whose link is of another version',
    `${NVM}/bin/node`,
    `${NVM}/bin/node`,
    { '/home/u/.nvm/current/bin/node': '/home/u/.nvm/versions/node/v20.19.0/bin/node' },
  ],
  ['nvm without it', `${NVM}/bin/node`, `${NVM}/bin/node`, {}],
  [
    'fnm',
    `${FNM}/aliases/default/bin/node`,
    `${FNM}/node-versions/v22.1.0/installation/bin/node`,
    { [`${FNM}/aliases/default/bin/node`]: `${FNM}/node-versions/v22.1.0/installation/bin/node` },
  ],
  [
    'mise, by its major version',
    `${MISE}/22/bin/node`,
    `${MISE}/22.1.0/bin/node`,
    { [`${MISE}/22/bin/node`]: `${MISE}/22.1.0/bin/node`, [`${MISE}/latest/bin/node`]: `${MISE}/24.0.0/bin/node` },
  ],
  [
    'asdf, whose shim decides by folder',
    '/home/u/.asdf/installs/nodejs/22.1.0/bin/node',
    '/home/u/.asdf/installs/nodejs/22.1.0/bin/node',
    { '/home/u/.asdf/shims/node': '/home/u/.asdf/shims/node' },
  ],
  [
    'volta, whose shim decides by folder',
    '/home/u/.volta/tools/image/node/22.1.0/bin/node',
    '/home/u/.volta/tools/image/node/22.1.0/bin/node',
    {},
  ],
  [
    'snap',
    '/snap/node/current/bin/node',
    '/snap/node/9142/bin/node',
    { '/snap/node/current/bin/node': '/snap/node/9142/bin/node' },
  ],
  [
    'NixOS',
    '/run/current-system/sw/bin/node',
    '/nix/store/abc-nodejs-22.1.0/bin/node',
    { '/run/current-system/sw/bin/node': '/nix/store/abc-nodejs-22.1.0/bin/node' },
  ],
  ['the system', '/usr/bin/node', '/usr/bin/node', {}],
  [
    'a link on PATH',
    '/usr/local/bin/node',
    '/opt/node-v22.1.0-linux-x64/bin/node',
    { '/usr/local/bin/node': '/opt/node-v22.1.0-linux-x64/bin/node' },
  ],
  [
    "a shell's own link",
    '/opt/node-v22.1.0/bin/node',
    '/opt/node-v22.1.0/bin/node',
    { '/run/user/0/fnm_multishells/1_2/bin/node': '/opt/node-v22.1.0/bin/node' },
  ],
])('Node of %s: %s', (_name, expected, execPath, links) => {
  const env = { PATH: '/run/user/0/fnm_multishells/1_2/bin:relative:/home/u/.asdf/shims:/usr/local/bin:/usr/bin' };
  expect(stableNode(execPath, env, linked(links))).toBe(expected);
});

const PNPM = '/home/u/.local/share/pnpm/global/5';

test.each<[string, string, string]>([
  ['pnpm', `${PNPM}/node_modules/belfry`, `${PNPM}/.pnpm/belfry@0.1.0/node_modules/belfry`],
  ['nvm', '/home/u/.nvm/current/lib/node_modules/belfry', `${NVM}/lib/node_modules/belfry`],
  [
    'Homebrew',
    '/opt/homebrew/opt/belfry/libexec/lib/node_modules/belfry',
    '/opt/homebrew/Cellar/belfry/0.1.0/libexec/lib/node_modules/belfry',
  ],
  ['npm', '/usr/lib/node_modules/belfry', '/usr/lib/node_modules/belfry'],
])('the package of %s: %s', (_name, expected, folder) => {
  expect(stablePath(folder, linked({ [expected]: folder }))).toBe(expected);
});
