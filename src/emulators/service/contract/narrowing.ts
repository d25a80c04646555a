/** A JSON object whose fields are still unknown. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own field of that name: `__proto__` and `constructor` are nobody's own. */
export function own(fields: unknown, name: string): unknown {
  return isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The own field of that name, if it is text. */
export function text(fields: unknown, name: string): string | undefined {
  const value = own(fields, name);
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a list; whatever else it holds is left out. */
export function texts(fields: unknown, name: string): readonly string[] {
  const value = own(fields, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}
