// The report of a failed request, which Gemini leaves in the folder for temporary files: the only trace of one in one-shot mode.
import { dirname } from 'node:path';
import type { ErrorReports } from '../../model/agent/agent.ts';
import { parseJson } from '../../lib/json/json.ts';
import { causeOf } from '../shared/error-causes.ts';
import { serviceErrorOf } from './service-error.ts';

const NAME = /^gemini-client-error-Turn\.run-sendMessageStream-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.json$/;
/** The first text of the report: what the service said. */
const ERROR = /^\{\s*"error":\s*\{\s*"message":\s*"((?:[^"\\]|\\.){1,8000})"/;
/** What the client tells the model first. A chat's files lie in this folder too, which is the project's own. */
const FOLDER = /The project's temporary directory is: ((?:[^"\\]|\\[\\"]){1,1024})\\n/;

const unescaped = (text: string | undefined): string | null => {
  const value = text === undefined ? null : parseJson(`"${text}"`);
  return typeof value === 'string' ? value : null;
};

export const errorReports: ErrorReports = {
  writtenAt: (name) => {
    const [, hour, minute, second, ms] = NAME.exec(name) ?? [];
    const at = Date.parse(`${hour}:${minute}:${second}.${ms}Z`);
    return Number.isNaN(at) ? null : at;
  },
  read: (beginning, transcript) => {
    const error = unescaped(ERROR.exec(beginning)?.[1]);
    if (error === null || unescaped(FOLDER.exec(beginning)?.[1]) !== dirname(dirname(transcript))) return null;
    const { message, status } = serviceErrorOf(error);
    return { cause: causeOf(null, message, status), message };
  },
};
