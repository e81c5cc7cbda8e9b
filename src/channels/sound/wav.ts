// Short sounds, made here: struck bells of one to three notes, as WAV with 16 bits at 22,050 Hz.
import type { Urgency } from '../../model/event/event.ts';

const RATE = 22_050;
/** Devices that were idle swallow the beginning: seconds of silence first. */
const SILENCE = 0.15;
/** Seconds from one note to the next, and how long each sounds. */
const STEP = 0.16;
const NOTE = 0.55;

/** Hz. */
const NOTES: Readonly<Record<Urgency, readonly number[]>> = {
  low: [523],
  normal: [659, 880],
  urgent: [880, 659, 880],
};

/** A whole file; `volume` from 0 to 1. */
export function wavOf(urgency: Urgency, volume: number): Buffer {
  const notes = NOTES[urgency];
  const count = Math.round(RATE * (SILENCE + STEP * (notes.length - 1) + NOTE));
  const data = Buffer.alloc(count * 2);
  for (let i = 0; i < count; i++) {
    const time = i / RATE - SILENCE;
    const sum = notes.reduce((level, hz, index) => level + bell(hz, time - index * STEP), 0);
    data.writeInt16LE(Math.round(32_000 * volume * Math.max(-1, Math.min(1, sum / 2))), i * 2);
  }
  return Buffer.concat([header(data.length), data]);
}

/** One struck note, from -1 to 1: rises in 5 ms, then fades. */
function bell(hz: number, time: number): number {
  if (time < 0 || time > NOTE) return 0;
  const wave = Math.sin(2 * Math.PI * hz * time) + 0.3 * Math.sin(2 * Math.PI * 2.76 * hz * time);
  return (wave / 1.3) * Math.min(1, time / 0.005) * Math.exp(-7 * time) * Math.min(1, (NOTE - time) / 0.02);
}

function header(bytes: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20); // PCM
  head.writeUInt16LE(1, 22); // mono
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return head;
}
