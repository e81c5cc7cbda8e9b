// Lists the files and functions that are longer than usual, the longest first. It fails nothing: one idea may need the room.
import { fileLengths, functionLengths, type Length } from '../test/conventions/lengths.ts';

function list(what: string, lengths: readonly Length[], usual: number): void {
  const long = lengths.filter(({ lines }) => lines > usual).sort((a, b) => b.lines - a.lines);
  console.log(`${long.length} of ${lengths.length} ${what} are longer than ${usual} lines`);
  for (const { name, lines } of long) console.log(`${String(lines).padStart(5)}  ${name}`);
}

list('files', fileLengths(), 250);
list('functions', functionLengths(), 60);
