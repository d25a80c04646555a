type Fields = Readonly<Record<string, unknown>>;

/** Iterates over all objects in the value, outermost first. */
export function* iterateObjects(value: unknown): Generator<Fields> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Fields;
  for (const child of Object.values(value)) yield* iterateObjects(child);
}
