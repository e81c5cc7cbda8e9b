// `belfry mute`: mutes notifications, for a while or until `belfry unmute`; `--list` shows the mutes.
import { joinAnd, oneLine } from '../../../lib/text/text.ts';
import { EXIT, UserError } from '../../../model/errors.ts';
import { resolveOwnPaths } from '../../../runtime/own-paths.ts';
import { ask } from '../../daemon/rpc.ts';
import { ensureListening } from '../../daemon/start-in-background.ts';
import type { Define } from '../../command-entry.ts';
import { folderOf } from '../../options/folder.ts';
import { isKnownSession, sessionNamed, withStore } from '../../reading/with-store.ts';
import { durationOf } from '../../options/times.ts';
import { answered } from '../channel/ask-settings.ts';
import type { Io } from '../../io.ts';

interface Options {
  readonly session?: string;
  readonly cwd?: string;
  readonly channel?: string;
  readonly all?: boolean;
  readonly reason?: string;
  readonly list?: boolean;
}

/** Longest reason, in UTF-16 units: the daemon takes no longer one. */
const LONGEST_REASON = 200;

export const define: Define = (command, io) => {
  command
    .argument(
      '[DURATION]',
      'such as 30m or 2h, or "forever": until `belfry unmute`. Without it, a mute of one session, folder or channel is forever; a mute of everything asks on a terminal, and lasts 8h in a script',
    )
    .option('--session <ID>', 'only this session: a number of `belfry pending`, or its id; the beginning is enough')
    .option('--cwd <GLOB>', 'only these folders and those below them; . is this one')
    .option('--channel <NAME>', 'only this channel')
    .option('--all', 'urgent events too; without it they still come through')
    .option('--reason <TEXT>', 'shown by --list and `belfry status`')
    .option('--list', 'list the mutes in force')
    .action(async (text: string | undefined, options: Options) => {
      if (options.list) {
        if (text !== undefined || Object.keys(options).length > 1)
          throw new UserError('--list takes no other arguments', EXIT.usage);
        const { listMutes } = await import('./mute-list.ts');
        return listMutes(io);
      }
      const { channel = null, all = false } = options;
      const reason = options.reason === undefined ? null : reasonOf(options.reason);
      const isScoped = [options.session, options.cwd, options.channel].some((scope) => scope !== undefined);
      const duration = text ?? (isScoped ? FOREVER : await askMuteDuration(io));
      const ms = duration === FOREVER ? null : durationOf(duration);
      const cwd = options.cwd === undefined ? null : folderOf(options.cwd);
      const paths = resolveOwnPaths();
      await ensureListening(paths);
      const begun = options.session;
      const session = begun === undefined ? null : await withStore((store) => sessionNamed(store, begun));
      const known = session === null || (await withStore((store) => isKnownSession(store, session)));
      const muted = (await ask(paths, 'mute', { ms, session, cwd, channel, all, reason }, 10_000)) as {
        text: string;
        before?: string | null;
        longer?: readonly string[];
        records?: readonly string[];
      };
      if (!known)
        io.note(
          `warning: no session "${session}" has been seen yet; \`belfry sessions\` lists them. The mute applies if one appears.`,
        );
      if (io.json) io.data(muted);
      else {
        const before = muted.before ? `; before, it was muted ${muted.before}` : '';
        io.line(`muted: ${muted.text}${ms === null ? '; `belfry unmute` ends it' : ''}${before}`);
      }
      const { longer = [], records = [] } = muted; // of a daemon of an earlier version
      for (const text of longer) io.note(`still muted after that: ${text}`);
      if (records.length > 0)
        io.note(
          `${joinAnd(records)} ${records.length === 1 ? 'keeps a record and gets' : 'keep records and get'} every event all the same`,
        );
    });
};

function reasonOf(text: string): string {
  const reason = oneLine(text);
  if (reason === '') throw new UserError('--reason is empty', EXIT.usage);
  if (reason.length > LONGEST_REASON)
    throw new UserError(`--reason is too long: at most ${LONGEST_REASON} characters`, EXIT.usage);
  return reason;
}

const CHOICES = ['30m', '1h', '4h', '8h'] as const;
/** Where there is nobody to ask: no script mutes everything until somebody remembers. */
const UNASKED = '8h';
/** As it is typed: until `belfry unmute`. */
const FOREVER = 'forever';

/** A duration as it is typed. Throws where the person cancels. */
async function askMuteDuration(io: Io): Promise<string> {
  if (!io.tty || io.json || process.stdin.isTTY !== true) return UNASKED;
  const { select } = await import('@clack/prompts');
  const options = [
    ...CHOICES.map((choice) => ({ value: choice, label: choice })),
    { value: FOREVER, label: 'until `belfry unmute`' },
  ];
  return answered(select<string>({ message: 'Mute everything for how long?', options, initialValue: '1h' }));
}
