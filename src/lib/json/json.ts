// Reading JSON that may be anything.

/** An object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value of a JSON text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON has no undefined, so nothing else gives it
  }
}

/** Whether a value is an object and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is an object (not an array), else an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
