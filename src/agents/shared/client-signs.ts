// Signs by which an input shows which client sent it.
import { firstString } from './fields.ts';

/** Whether the transcript lies below a folder of this name, on any system. */
export function transcriptBelow(input: Readonly<Record<string, unknown>>, folder: string): boolean {
  const path = firstString(input, 'transcript_path', 'transcriptPath') ?? '';
  return path.split(/[\\/]/).includes(folder);
}
