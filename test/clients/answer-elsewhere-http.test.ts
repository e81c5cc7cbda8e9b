// Real clients answered over HTTP: each scenario of a session.
import { answerEach } from './answer-each.ts';
import { http } from './elsewhere-ways.ts';

answerEach('HTTP', http, ['opencode']);
