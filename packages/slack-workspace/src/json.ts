/** A JSON object. External JSON is `unknown` until one of the functions below narrows it. */
export type Json = Record<string, unknown>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function getRecord(from: Json, key: string): Json | undefined {
  const value = from[key];
  return isRecord(value) ? value : undefined;
}

/** Parses JSON. Returns what `orElse` returns if the text isn't JSON. */
export function parseJson(text: string, orElse: () => unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return orElse();
  }
}

/** Parses a text as JSON. Returns the text itself if it isn't JSON. */
export function parseJsonOrText(text: string): unknown {
  return parseJson(text, () => text);
}

/** The objects in a list. Other entries are ignored. */
export function getRecords(from: Json, key: string): Json[] {
  const value = from[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function getString(from: Json, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? value : undefined;
}

/** The text of a text object (`{ type, text }`). */
export function getText(from: Json, key: string): string | undefined {
  const object = getRecord(from, key);
  return object && getString(object, 'text');
}

export function getStrings(from: Json, key: string): string[] {
  const value = from[key];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
