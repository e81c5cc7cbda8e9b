// The redaction room: what the rest of the house may use.
export { atLevel, redactEvent, redactNotification } from './detail-level.ts';
export { createRedactor, type Redactor } from './redactor.ts';
