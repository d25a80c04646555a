/** The kind of a value: `string`, `null`, `list`, … */
type Kind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list';

/**
 * What a payload must hold: each key with its kind (`string|null`: one of them), or with what stands in it. A list has
 * the shape of its entries.
 */
export type Shape = string | readonly Shape[] | { readonly [key: string]: Shape };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): Kind | 'nothing' {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object';
}

function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape);
}

function elementFaults(shapes: readonly Shape[], values: readonly unknown[], path: string): string[] {
  return values.flatMap((value, index) =>
    shapes.flatMap((shape) => shapeFaults(shape, value, `${path}[${index}]`)),
  );
}

/** Where a payload lacks a key or holds another kind: `event.ts: nothing instead of string`. Other keys are no fault. */
export function shapeFaults(shape: Shape, value: unknown, path = ''): string[] {
  const instead = (wanted: string) => [`${path}: ${kindOf(value)} instead of ${wanted}`];
  if (typeof shape === 'string') return shape.split('|').includes(kindOf(value)) ? [] : instead(shape);
  if (isList(shape)) return Array.isArray(value) ? elementFaults(shape, value, path) : instead('list');
  if (!isObject(value)) return instead('object');
  return Object.entries(shape).flatMap(([key, inner]) =>
    shapeFaults(inner, value[key], path === '' ? key : `${path}.${key}`),
  );
}

/** The first entry stands for a list; where the other list holds other types there is nothing to compare. */
function shapeOfList(recorded: readonly unknown[], ours: unknown): Shape {
  const [first] = recorded;
  if (!isObject(first) || !Array.isArray(ours)) return 'list';
  const alike = ours.every((entry) => isObject(entry) && entry.type === first.type);
  return alike ? [shapeOf(first, ours[0])] : 'list';
}

/** Every key of a recorded payload with its kind. A recorded null says nothing of the kind. */
export function shapeOf(recorded: Record<string, unknown>, ours: unknown): { [key: string]: Shape } {
  const beside = isObject(ours) ? ours : {};
  const shapes = Object.entries(recorded).map(([key, value]): [string, Shape] => {
    if (isObject(value)) return [key, shapeOf(value, beside[key])];
    if (Array.isArray(value)) return [key, shapeOfList(value, beside[key])];
    return [key, value === null ? 'null|string|number|boolean|object|list' : kindOf(value)];
  });
  return Object.fromEntries(shapes);
}

/** What a payload is, in a word or two: `command`, `block_actions in a view`, `event message`. */
export function payloadName(payload: Record<string, unknown>): string {
  const { type, container, event, view } = payload;
  if (typeof type !== 'string') return 'command';
  if (type === 'event_callback' && isObject(event)) {
    const by = event.type === 'message' && event.bot_id !== undefined ? 'by an app' : undefined;
    return ['event', event.type, event.subtype ?? by].filter((part) => part !== undefined).join(' ');
  }
  if (type === 'view_submission' && isObject(view) && view.type !== 'modal') return `${type} of ${view.type}`;
  if (type !== 'block_actions') return type;
  if (isObject(view)) return `block_actions in ${view.type}`;
  const ephemeral = isObject(container) && container.is_ephemeral === true;
  return `block_actions in ${ephemeral ? 'an ephemeral message' : 'a message'}`;
}
