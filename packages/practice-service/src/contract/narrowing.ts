/** A JSON object whose fields are still unknown. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own field of an object; inherited names such as `__proto__` and `constructor` are never found. */
export function getOwn(fields: unknown, name: string): unknown {
  return isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** An own field, if it is text. */
export function getText(fields: unknown, name: string): string | undefined {
  const value = getOwn(fields, name);
  return typeof value === 'string' ? value : undefined;
}

/** The texts in a list, without its other items. */
export function getTexts(fields: unknown, name: string): readonly string[] {
  const value = getOwn(fields, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}
