// The next time of day, in local time, also on the nights when clocks change.

/** Unix ms of the next `HH:MM` after `now`; a time that a clock change skips comes when the clock has jumped. */
export function nextTimeOfDay(at: string, now: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const day = new Date(now);
  for (let ahead = 0; ; ahead++) {
    const due = new Date(day.getFullYear(), day.getMonth(), day.getDate() + ahead, hours, minutes).getTime();
    if (due > now) return due;
  }
}
