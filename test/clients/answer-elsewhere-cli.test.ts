// Real clients answered by the command line: each scenario of a session.
import { answerEach } from './answer-each.ts';
import { commandLine } from './elsewhere-ways.ts';

answerEach('the command line', commandLine);
