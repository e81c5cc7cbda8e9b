// What opencode's captured inputs become.
import { testCaptured } from './captured.ts';

testCaptured('opencode', [
  [
    'permission.asked-run-denied-tool',
    'agent.waiting waiting permission normal',
    'project: opencode needs permission to run bash',
    { tool: { name: 'bash', summary: 'touch notes.txt' }, occurrence: 'evt_1fd288dfe002bMCVAKwezqXhAt' },
  ],
  [
    'permission.replied-run-denied-tool',
    'agent.other resolved resolved low',
    null,
    { isSignal: true, occurrence: 'evt_1fd288e170013MWnVaHBOVJU96' },
  ],
  [
    'permission.replied-tui-permission',
    'agent.other resolved resolved low',
    null,
    { isSignal: true, occurrence: 'evt_1fd2d877f001Y6V69DU5HkSj6i' },
  ],
  [
    'question.asked-tui-question',
    'agent.waiting waiting question normal',
    'project: opencode has a question',
    {
      message: 'Which colour should the button have?\n- Blue: A calm blue\n- Red: A strong red',
      occurrence: 'evt_1fd2fac5800143OdlYui34neKD',
    },
  ],
  [
    'question.replied-tui-question',
    'agent.other resolved resolved low',
    null,
    { isSignal: true, occurrence: 'evt_1fd2fb0f3001Y4kmmsou8xj2Il' },
  ],
  [
    'session.created-run-plain',
    'agent.other started started low',
    null,
    { occurrence: 'evt_1fd28359e001VI9UxVVdXcho12' },
  ],
  [
    'session.created-run-subagent-2',
    'agent.other started started low',
    null,
    {
      parentSessionId: 'ses_e02d7604bffeCcSxBB96goevmg',
      title: 'Review the project (@general subagent)',
      occurrence: 'evt_1fd28b8c5001FSzW65O8ScTRON',
    },
  ],
  [
    'session.created-tui-ctrl-c',
    'agent.other started started low',
    null,
    { occurrence: 'evt_1fd2a790a001iK04iVk3bQoncB' },
  ],
  [
    'session.error-run-auth-error',
    'session.failed failed auth urgent',
    'project: opencode stopped: not signed in',
    { message: 'invalid x-api-key', occurrence: 'evt_1fd296980001JvGgtf6XFIe3jI' },
  ],
  [
    'session.error-tui-interrupt',
    'agent.other interrupted interrupted low',
    null,
    { occurrence: 'evt_1fd377dce001mWmLu4wc5pPVVx' },
  ],
  [
    'session.idle-run-plain',
    'agent.finished finished - normal',
    'project: opencode finished',
    { occurrence: 'evt_1fd28451f001p1h20VQQMaDle6' },
  ],
  [
    'session.status-run-plain-2',
    'agent.other prompted prompted low',
    null,
    { occurrence: 'evt_1fd284332001d3BNTwU0lzecvl' },
  ],
  [
    'session.status-run-plain-4',
    'agent.other activity activity low',
    null,
    { occurrence: 'evt_1fd284519001htCvcZKGZp05tD' },
  ],
  [
    'session.status-tui-retry-long',
    'session.failed none retrying normal',
    'project: opencode keeps retrying a request that fails',
    {
      occurrence: 'evt_20966301d001VU1NO1jY6q9Itp',
      message: "This request would exceed your account's rate limit. Please try again later.",
    },
  ],
  [
    'session.status-tui-retry-usage-limit',
    'session.failed none retrying normal',
    'project: opencode keeps retrying a request that fails',
    { occurrence: 'evt_20966a823001ciX7j8E2tEY8dp', message: 'The usage limit has been reached' },
  ],
]);
