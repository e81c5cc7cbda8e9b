// Schema 11. What had expired while it was held is open again: its digest is still to come.

export const heldOpen = `
UPDATE notifications SET state = 'open', notification = json_set(notification, '$.state', 'open')
  WHERE state = 'expired' AND json_valid(notification)
    AND id IN (SELECT notification_id FROM deliveries WHERE held_by IS NOT NULL AND state = 'pending');
`;
