// Real clients answered from a chat: each scenario of a session.
import { answerEach } from './answer-each.ts';
import { chat } from './elsewhere-ways.ts';

answerEach('a chat', chat, ['claude']);
