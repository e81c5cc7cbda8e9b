/** Commands that the far end of a forwarded socket may not give. */
export const NOT_FROM_AFAR = [
  'mute 1h --session s',
  'ack --all',
  'away 5m',
  'dashboard --print',
  'unmute',
  'digest',
  'reload',
  'replay --all',
  'test',
  'stop',
] as const;
