// What a tool of a client is for, by its name: clients call the same by many names.

const KINDS = {
  shell:
    /^(?:bash|sh|zsh|shell|local_?shell|terminal|exec(?:ute)?|execute_?command|run_?(?:shell_?|terminal_?)?(?:command|cmd)(?:_v\d+)?)$/i,
  editor:
    /^(?:edit|multi_?edit|write|notebook_?edit|str_?replace\w*|create|apply_?patch|patch|replace|(?:write|edit|create)_?file|update)$/i,
  plan: /plan|spec_?mode/i,
} as const;

/** Null: something else. */
export function toolKind(tool: string | null): keyof typeof KINDS | null {
  const names = Object.keys(KINDS) as (keyof typeof KINDS)[]; // of the table above
  return tool === null ? null : (names.find((name) => KINDS[name].test(tool)) ?? null);
}
