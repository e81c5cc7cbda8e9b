// VS Code and its relatives: one of their terminals cannot be selected, but the window that has the folder open can be brought to the front.
import { isAbsolute } from 'node:path';
import { definePlace, done, failed, type Above, type PlaceTools } from './place-kind.ts';

/** Their command line, by the name of their process. */
const PROGRAMS: readonly (readonly [process: RegExp, program: string])[] = [
  [/^cursor/i, 'cursor'],
  [/^windsurf/i, 'windsurf'],
  [/^(?:vs)?codium/i, 'codium'],
  [/^code-insiders/i, 'code-insiders'],
  [/^(?:code|visual studio code|electron)/i, 'code'],
];

/** The command line of the editor among these processes. */
export function editorProgram(above: readonly Above[]): string {
  const names = above.map(({ name }) => name);
  return PROGRAMS.find(([process]) => names.some((name) => process.test(name)))?.[1] ?? 'code';
}

const isEditor = ({ env }: { readonly env: Readonly<Record<string, string | undefined>> }): boolean =>
  env['TERM_PROGRAM'] === 'vscode';

const programOf = async (pid: number | null, { above }: PlaceTools): Promise<string> =>
  editorProgram(pid === null ? [] : await above(pid));

export const vscodeTerminal = definePlace({
  name: 'vscode-terminal',
  level: 'terminal',
  applies: isEditor,
  focus: async ({ viewer }, tools) => {
    const program = await programOf(viewer.pid, tools);
    return { steps: [failed('pane', `no program can select a terminal of ${program}`)] };
  },
  ability: async ({ pid }, tools) => ({
    what: 'pane',
    able: false,
    text: `a terminal of ${await programOf(pid, tools)}`,
  }),
});

/** After those that know windows: it opens the folder, which is a new window where none has it open. */
export const vscodeWindow = definePlace({
  name: 'vscode-window',
  level: 'window',
  applies: (viewer, platform) => platform !== 'win32' && isEditor(viewer), // a script there, and the folder's name is not to be trusted
  focus: async ({ viewer: { pid, env }, cwd }, tools) => {
    const program = await programOf(pid, tools);
    if (cwd === null || !isAbsolute(cwd))
      return { steps: [failed('window', `which folder ${program} has open is not known`)] };
    const said = await tools.run(program, [cwd], env);
    return {
      steps: [
        said === null
          ? failed('window', `\`${program}\` could not be run`)
          : done('window', `${program} was asked to show the window of ${cwd}`),
      ],
    };
  },
  ability: async ({ pid }, tools) => {
    const program = await programOf(pid, tools);
    const able = tools.has(program);
    return { what: 'window', able, text: able ? program : `${program} without its command line` };
  },
});
