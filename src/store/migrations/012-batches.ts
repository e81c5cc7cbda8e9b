// Schema 12. Groups, storms and digests are let out by one kind of timer, named for what it lets out.

export const batches = `
UPDATE timers SET timer = json_set(timer, '$.kind', 'batch') WHERE json_valid(timer) AND timer ->> '$.kind' = 'group';
UPDATE OR REPLACE timers SET id = substr(id, 8), timer = json_set(timer, '$.kind', 'batch', '$.id', substr(id, 8))
  WHERE id >= 'digest:' AND id < 'digest;' AND json_valid(timer) AND timer ->> '$.kind' = 'digest';
`;
