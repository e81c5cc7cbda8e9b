// A Slack app of your own: messages that change in place, a thread for each session, direct messages, buttons (docs.slack.dev).
import { defineChannel } from '../model/channel/channel.ts';
import { lazyChannel } from './shared/lazy-channel.ts';
import { slackAppSchema } from './slack-app/settings.ts';

export const slackApp = defineChannel({
  type: 'slack-app',
  schema: slackAppSchema,
  audience: 'people',
  // A repeat is shown again: nothing in a message lets Slack drop it.
  capabilities: { update: true, retract: true, receive: 'app_token', thread: true, buttons: 'app_token' },
  answeredWhere: 'in Slack',
  // A direct message has one reader; anybody can be invited to a channel.
  answersNeed: ({ allow, dm, channel = '' }) =>
    allow === undefined && dm === undefined && !channel.startsWith('D') ? 'allow' : null,
  onResolved: 'update',
  limits: () => ({ concurrency: 1, minIntervalMs: 1_000, timeoutMs: 15_000 }),
  // "Several hundred messages a minute" for a workspace, besides the one a second of each channel.
  account: ({ api_url: api, token, channel, dm }) => ({
    identity: [api, token],
    minIntervalMs: 200,
    place: channel ?? dm ?? '',
  }),
  open: (settings, tools) =>
    lazyChannel(
      async () => (await import('./slack-app/open.ts')).openSlackApp(settings, tools),
      settings.app_token === undefined ? ['update', 'retract'] : ['update', 'retract', 'receive'],
    ),
  check: async (settings, tools) => (await import('./slack-app/check.ts')).checkSlackApp(settings, tools),
  defaultSettings: null,
  setup: {
    intro: [
      'Create an app at https://api.slack.com/apps: "Create New App", "From scratch".',
      'Under "OAuth & Permissions" add the bot scope chat:write; for direct messages also users:read, users:read.email and im:write.',
      'For buttons: switch on "Socket Mode" and "Interactivity", with an app-level token that has the scope connections:write.',
      'Then "Install to Workspace", and write /invite with the name of the app in the channel.',
    ],
    questions: [
      { key: 'token', ask: 'Bot token', help: 'Under "OAuth & Permissions"; it begins with xoxb-.' },
      {
        key: 'channel',
        ask: 'Channel id',
        help: 'At the end of the channel\'s "About", such as C0123456789. Empty: write to one person.',
        optional: true,
      },
      {
        key: 'dm',
        ask: 'E-mail address of the person',
        help: 'The one of their Slack account.',
        when: ({ channel }) => channel === undefined,
      },
      {
        key: 'app_token',
        ask: 'App-level token, for buttons',
        help: 'Under "Basic Information"; it begins with xapp-. Empty: no buttons.',
        optional: true,
      },
      {
        key: 'allow',
        ask: 'Ids of the members who may answer agents, as a list',
        help: 'For example ["U0123456789"]: in your profile behind the three dots, "Copy member ID". Empty: a channel carries no answers.',
        optional: true,
        when: (answers) => answers['app_token'] !== undefined && answers['channel'] !== undefined,
      },
    ],
  },
  docs: {
    summary: 'Messages of your own Slack app: changed in place, in threads, to a channel or a person',
    example: 'type = "slack-app"\ntoken = "env:SLACK_TOKEN"\nchannel = "C0123456789"',
  },
});
