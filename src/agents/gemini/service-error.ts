// How Gemini keeps what its model's service answered to a request that failed.

/** The `message` and `code` of the JSON in "[API Error: {...}]" or in an error report, else the text itself. */
export function serviceErrorOf(text: string): { readonly message: string; readonly status: number | null } {
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.){1,2000})"/.exec(text)?.[1]?.replaceAll('\\"', '"') ?? text;
  const status = Number(/"code"\s*:\s*(\d{3})\b/.exec(text)?.[1]);
  return { message, status: Number.isNaN(status) ? null : status };
}
