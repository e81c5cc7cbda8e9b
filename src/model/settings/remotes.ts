// `[remotes.NAME]`: a machine elsewhere whose agents are looked after from here.
import * as z from 'zod';

/** A name of a machine elsewhere: what its sessions, routes and notifications call it. */
export const REMOTE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
/** What ssh takes for a host and never for an option: a name of ssh_config, or user@host. */
export const SSH_HOST = /^[A-Za-z0-9_][A-Za-z0-9_.@:%[\]-]{0,253}$/;

const program = z
  .array(z.string().min(1).max(4_096))
  .min(1)
  .max(64)
  .refine(([first = '']) => !first.startsWith('-'), 'must begin with a program');

/** `[remotes.NAME]`. */
export const remoteSchema = z
  .strictObject({
    ssh: z
      .string()
      .regex(SSH_HOST, 'must be a name of your ssh_config, or user@host')
      .optional()
      .describe('Reached with `ssh`: a name of your `ssh_config`, or user@host.'),
    run: program
      .optional()
      .describe(
        'Reached with this program, which runs the words after it there, such as ["docker", "exec", "-i", "web"].',
      ),
    connect: z
      .enum(['always', 'shared', 'manual'])
      .default('always')
      .describe(
        'always: keep the connection. shared: only over a connection of your own that `ssh` shares (ControlMaster), for hosts that ask for a password, a code or a touch. manual: only after `belfry remote connect`.',
      ),
    answer: z
      .boolean()
      .default(false)
      .describe(
        'What agents there ask may be answered from here. Written by `belfry remote add --answer`, which installs what waits there.',
      ),
  })
  .refine(({ ssh, run }) => (ssh === undefined) !== (run === undefined), 'needs either ssh or run')
  .refine(({ ssh, connect }) => connect !== 'shared' || ssh !== undefined, 'connect = "shared" needs ssh');

/** One of them. */
export type RemoteConfig = z.output<typeof remoteSchema>;
