/** The kind of a value: `string`, `null`, `list`, … */
type Kind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list';

/**
 * The required content of a payload: each key with its kind, or with the shape of its value. `string|null` allows
 * several kinds. A list has the shape of its entries.
 */
export type Shape = string | readonly Shape[] | { readonly [key: string]: Shape };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The kind of a value; `nothing` if it is undefined. */
export function getKind(value: unknown): Kind | 'nothing' {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object';
}

function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape);
}

function findEntryFaults(shapes: readonly Shape[], values: readonly unknown[], path: string): string[] {
  return values.flatMap((value, index) =>
    shapes.flatMap((shape) => findShapeFaults(shape, value, `${path}[${index}]`)),
  );
}

/** Lists missing keys and values of another kind: `event.ts: nothing instead of string`. Ignores additional keys. */
export function findShapeFaults(shape: Shape, value: unknown, path = ''): string[] {
  const reportKind = (expected: string) => [`${path}: ${getKind(value)} instead of ${expected}`];
  if (typeof shape === 'string') return shape.split('|').includes(getKind(value)) ? [] : reportKind(shape);
  if (isList(shape)) return Array.isArray(value) ? findEntryFaults(shape, value, path) : reportKind('list');
  if (!isObject(value)) return reportKind('object');
  return Object.entries(shape).flatMap(([key, inner]) =>
    findShapeFaults(inner, value[key], path === '' ? key : `${path}.${key}`),
  );
}

/** The shape of a list, from its first entry. Only `list` if the entries of the emulated list have another type. */
function buildListShape(recorded: readonly unknown[], emulatedPayload: unknown): Shape {
  const [first] = recorded;
  if (!isObject(first) || !Array.isArray(emulatedPayload)) return 'list';
  const haveSameType = emulatedPayload.every((entry) => isObject(entry) && entry.type === first.type);
  return haveSameType ? [buildShape(first, emulatedPayload[0])] : 'list';
}

/** The shape of a recorded payload. A key that is null in the recording may have any kind. */
export function buildShape(
  recorded: Record<string, unknown>,
  emulatedPayload: unknown,
): { [key: string]: Shape } {
  const emulatedFields = isObject(emulatedPayload) ? emulatedPayload : {};
  const shapes = Object.entries(recorded).map(([key, value]): [string, Shape] => {
    if (isObject(value)) return [key, buildShape(value, emulatedFields[key])];
    if (Array.isArray(value)) return [key, buildListShape(value, emulatedFields[key])];
    return [key, value === null ? 'null|string|number|boolean|object|list' : getKind(value)];
  });
  return Object.fromEntries(shapes);
}

/** A short name for a payload, such as `command`, `block_actions in a view` or `event message`. */
export function namePayload(payload: Record<string, unknown>): string {
  const { type, container, event, view } = payload;
  if (typeof type !== 'string') return 'command';
  if (type === 'event_callback' && isObject(event)) {
    const sender = event.type === 'message' && event.bot_id !== undefined ? 'by an app' : undefined;
    return ['event', event.type, event.subtype ?? sender].filter((part) => part !== undefined).join(' ');
  }
  if (type === 'view_submission' && isObject(view) && view.type !== 'modal') return `${type} of ${view.type}`;
  if (type !== 'block_actions') return type;
  if (isObject(view)) return `block_actions in ${view.type}`;
  const ephemeral = isObject(container) && container.is_ephemeral === true;
  return `block_actions in ${ephemeral ? 'an ephemeral message' : 'a message'}`;
}
