// Redaction: what other modules may use.
export { atLevel, redactEvent, redactContent } from './detail-level.ts';
export { createRedactor, type Redactor } from './redactor.ts';
