/** JSON from outside is `unknown` until one of these narrows it. */
export type Json = Record<string, unknown>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordIn(from: Json, key: string): Json | undefined {
  const value = from[key];
  return isRecord(value) ? value : undefined;
}

/** What a text says as JSON. A text that isn't JSON stays as it is. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The objects of a list; whatever else stands in it is left out. */
export function recordsIn(from: Json, key: string): Json[] {
  const value = from[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function stringIn(from: Json, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? value : undefined;
}

/** The words of a text object (`{ type, text }`) at `key`. */
export function textIn(from: Json, key: string): string | undefined {
  const object = recordIn(from, key);
  return object && stringIn(object, 'text');
}

export function stringsIn(from: Json, key: string): string[] {
  const value = from[key];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
