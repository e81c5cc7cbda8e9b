// Runs a program for mounts.test.ts in a process that may hang for ever: `tsx mounts-process.ts PROGRAM CWD PATH`; prints how it ended, and how long nothing else could run, ms.
import { runProgram } from '../../src/lib/programs/run-program.ts';

const [program = '', cwd = '/', path = ''] = process.argv.slice(2);
let last = performance.now();
let longest = 0;
const ticking = setInterval(() => {
  longest = Math.max(longest, performance.now() - last);
  last = performance.now();
}, 10);
process.stdout.write('begun\n');
const { code, timedOut } = await runProgram({ program, args: [], cwd, env: { PATH: path }, limit: 3_000 });
longest = Math.max(longest, performance.now() - last);
clearInterval(ticking);
process.stdout.write(`${JSON.stringify({ code, timedOut, longest })}\n`);
