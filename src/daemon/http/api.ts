// The endpoints of /api/v1 with what serves each: reads in their own thread, everything else here.
import type { Handlers } from '../../http/api/routes.ts';
import { apiRoutes } from '../../http/api/routes.ts';
import { Refusal } from '../../http/api/refusal.ts';
import type { HttpRoute } from '../../http/route.ts';
import type { CommandContext } from '../commands/context.ts';
import { answerHandlers } from './person-actions.ts';
import { changeHandlers } from './mutes-replays-tests.ts';
import { channelHandlers } from './channels.ts';
import { fileHandlers } from './edited-files.ts';
import { IDLE_HOURS } from '../../http/tokens.ts';
import type { PageTokens } from './page/page-tokens.ts';
import { pushHandlers } from './page/push.ts';
import type { Reader } from './reader.ts';
import type { EndpointReadName } from './reads/index.ts';
import { rulesEditor } from './rules-editor.ts';
import { ruleHandlers } from './settings-and-status.ts';
import { limitHandlers } from './organization/service-limits.ts';
import { serviceHandlers } from './organization/service-read.ts';
import { usageHandlers } from './organization/service-usage.ts';

export interface ApiParts {
  readonly context: CommandContext;
  readonly reader: Reader;
  readonly pageTokens: PageTokens;
}

/** A route for each endpoint. */
export function createApi({ context, reader, pageTokens }: ApiParts): readonly HttpRoute[] {
  const inThread =
    (name: EndpointReadName) =>
    (call: unknown): Promise<Buffer> =>
      reader.read(name, call);
  const reads: Pick<Handlers, EndpointReadName> = {
    'sessions.list': inThread('sessions.list'),
    'sessions.get': inThread('sessions.get'),
    'sessions.timeline': inThread('sessions.timeline'),
    'events.list': inThread('events.list'),
    'events.get': inThread('events.get'),
    'events.why': inThread('events.why'),
    'notifications.list': inThread('notifications.list'),
    'questions.list': inThread('questions.list'),
    'deliveries.list': inThread('deliveries.list'),
  };
  return apiRoutes({
    ...reads,
    ...answerHandlers(context),
    ...fileHandlers(context),
    ...changeHandlers(context),
    ...channelHandlers(context),
    ...ruleHandlers(context),
    ...rulesEditor(context, reader),
    ...serviceHandlers(context),
    ...pushHandlers(context, pageTokens),
    ...usageHandlers(context),
    ...limitHandlers(context),
    'page.token': async ({ body }, { place }) => {
      const token = await pageTokens.exchange(body.code, place, body.secret);
      if (token === null)
        throw new Refusal(
          401,
          body.secret === undefined
            ? 'this address was used already, or is older than a minute: run `belfry dashboard` again'
            : 'this code was used already or came too late, or as many pages are open as may be: try again, or run `belfry dashboard`',
        );
      return { token, idle_hours: IDLE_HOURS };
    },
    'page.code': ({ body }, { token, place }) => {
      const id = token?.id ?? '';
      const asks = !body.pressed && !pageTokens.isOfThisStart(id, place);
      return Promise.resolve({ code: asks ? null : pageTokens.issueTabCode(body.for, id), asks });
    },
    'page.proof': async ({ body }, { place }) => {
      const proof = await pageTokens.prove(`page-${body.page}`, body.nonce, place);
      if (proof === null) throw new Refusal(404, 'this page is let in no more: run `belfry dashboard` again');
      return { proof, serving: place.serving };
    },
    'page.key': (_call, { token }) => Promise.resolve({ key: token?.id ?? '' }),
    'page.leave': async (_call, { token }) => {
      await pageTokens.end(token?.id ?? '');
      return { left: true };
    },
  });
}
