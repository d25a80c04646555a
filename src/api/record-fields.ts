/** A record's fields under the API's own names, however the answer spells them. */
interface RecordFields {
  /** Whether one of `names` is there, be it null. */
  has(...names: string[]): boolean;
  /** The first of `names` that is there and not null. */
  value(...names: string[]): unknown;
  /** That, when it is text that is not empty. */
  text(...names: string[]): string | undefined;
  /** That, when it is text or a whole number; one beyond 2^53 that came rounded is no id. */
  id(...names: string[]): string | undefined;
}

const known = new Map<string, readonly string[]>();

/** Found out once for each of our own names: a list has thousands of records. */
function spellings(name: string): readonly string[] {
  const found = known.get(name) ?? spelled(name);
  known.set(name, found);
  return found;
}

function spelled(name: string): readonly string[] {
  const camel = name.charAt(0).toLowerCase() + name.slice(1);
  const snake = camel.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [name, camel, snake, `_${snake}`];
}

/** Neither a list nor null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a record (names in PascalCase; camelCase, snake_case and `_id` are found too), if it is an object. */
export function fieldsOf(record: unknown): RecordFields | undefined {
  if (!isObject(record)) return undefined;
  const present = (names: string[]) => names.flatMap(spellings).filter((name) => Object.hasOwn(record, name));
  const has = (...names: string[]) => present(names).length > 0;
  const value = (...names: string[]) =>
    present(names)
      .map((name) => record[name])
      .find((found) => found !== undefined && found !== null);
  const text = (...names: string[]) => {
    const found = value(...names);
    return typeof found === 'string' && found !== '' ? found : undefined;
  };
  const id = (...names: string[]) => {
    const found = value(...names);
    return typeof found === 'number' && Number.isSafeInteger(found) ? String(found) : text(...names);
  };
  return { has, value, text, id };
}
