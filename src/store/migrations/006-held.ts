// Schema 6. A delivery may be held back by quiet hours or a mute, until a digest takes its place.
export const held = `
ALTER TABLE deliveries ADD COLUMN held_by TEXT;
CREATE INDEX deliveries_held ON deliveries (held_by) WHERE held_by IS NOT NULL;
`;
