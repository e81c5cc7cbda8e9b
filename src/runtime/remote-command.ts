// The command that reaches a machine elsewhere and runs a script there, and that of the relay.

/** Below the home folder there: what `belfry remote add` puts there. */
export const FAR_FOLDER = '.local/share/belfry';

/** How it is reached: as in `[remotes.NAME]`. */
export interface Reach {
  readonly ssh?: string | undefined;
  readonly run?: readonly string[] | undefined;
  readonly connect: 'always' | 'shared' | 'manual';
}

/** Each answers something that people have in their ssh_config. */
const OPTIONS = [
  'ConnectTimeout=10',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=2',
  'ClearAllForwardings=yes',
  'PermitLocalCommand=no',
  'RemoteCommand=none',
  'RequestTTY=no',
  'ControlMaster=no',
  'SessionType=default',
  'ForkAfterAuthentication=no',
  'StdinNull=no',
];

/**
 * Program and arguments that run a script there, a line for a POSIX shell without single quotes, with `words` as its arguments:
 * words of letters, digits and ._- only, since a login shell of any kind reads them. `asks`: ssh may ask its person.
 */
export function reachCommand(
  { ssh, run, connect }: Reach,
  script: string,
  words: readonly string[],
  asks = false,
): readonly string[] {
  if (run !== undefined) return [...run, 'sh', '-c', script, 'sh', ...words];
  const options = [
    ...(asks ? [] : ['BatchMode=yes']),
    ...OPTIONS,
    ...(connect === 'shared' ? ['ProxyCommand=false'] : []),
  ].flatMap((option) => ['-o', option]);
  return ['ssh', '-T', '-a', '-x', ...options, '--', ssh ?? '', `exec sh -c '${script}' sh ${words.join(' ')}`];
}

/** Who looks after the account there. */
export interface Owner {
  readonly id: string;
  /** Letters, digits and ._- only. */
  readonly name: string;
  /** In place of another who did until now. */
  readonly takesOver: boolean;
}

/** Starts the relay. */
export function relayCommand(reach: Reach, nonce: string, { id, name, takesOver }: Owner): readonly string[] {
  const words = [nonce, id, name, ...(takesOver ? ['take'] : [])];
  return reachCommand(reach, `cd && exec sh ${FAR_FOLDER}/relay.sh "$@"`, words);
}
