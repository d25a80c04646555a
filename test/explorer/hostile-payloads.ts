import type { Random } from '../support/random.ts';
import { drawHostileValue } from './hostile-values.ts';

type Json = Record<string, unknown>;
type Path = readonly (string | number)[];

/** Number of recorded payloads per shape, which is a form, element or command. */
const MAX_PER_SHAPE = 3;
/** Maximum length of a payload. Slack's are shorter, and the app closes the connection of requests over 1 MiB. */
const MAX_LENGTH = 500_000;
/** Maximum number of characters of a hostile value in a report. */
const MAX_SHOWN_LENGTH = 300;

/** Fields that a modified client can set. Slack sets all others. */
const CLIENT_FIELDS = new Set(['values', 'actions', 'text', 'value', 'private_metadata', 'state', 'message']);

/** Records a few payloads of each shape. */
export class PayloadRecorder {
  readonly #shapes = new Map<string, Json[]>();

  add(body: object): void {
    const shape = getShape(body as Json);
    // These buttons exist only in the explorer.
    if (shape.includes('"open.')) return;
    const recorded = this.#shapes.get(shape) ?? [];
    this.#shapes.set(shape, recorded);
    if (recorded.length < MAX_PER_SHAPE && JSON.stringify(body).length < MAX_LENGTH)
      recorded.push(body as Json);
  }

  list(): Json[] {
    return [...this.#shapes.values()].flat();
  }
}

function getShape(body: Json): string {
  const { type, command, callback_id, view, actions, action_id, event } = body as {
    view?: { callback_id?: string };
    actions?: { action_id?: string }[];
    event?: { type?: string };
  } & Json;
  const subcommand = typeof body.text === 'string' ? body.text.split(' ', 1)[0] : undefined;
  return JSON.stringify([
    ...[type, command, subcommand, callback_id, action_id],
    ...[view?.callback_id, actions?.[0]?.action_id, event?.type],
  ]);
}

interface Field {
  path: Path;
  isFromClient: boolean;
}

/** Lists the paths of all values, and whether a modified client can set each. */
function listFields(value: unknown, path: Path = [], isFromClient = false, fields: Field[] = []): Field[] {
  if (path.length > 0) fields.push({ path, isFromClient });
  if (typeof value !== 'object' || value === null) return fields;
  for (const [key, entry] of Object.entries(value)) {
    const innerPath = [...path, Array.isArray(value) ? Number(key) : key];
    listFields(entry, innerPath, isFromClient || CLIENT_FIELDS.has(key), fields);
  }
  return fields;
}

function replaceField(body: Json, path: Path, replace: (oldValue: unknown) => unknown): void {
  const lastKey = path.at(-1);
  let parent: unknown = body;
  for (const key of path.slice(0, -1))
    parent = (parent as Record<string | number, unknown> | undefined)?.[key];
  if (typeof parent !== 'object' || parent === null || lastKey === undefined) return;
  const fields = parent as Record<string | number, unknown>;
  const replacement = replace(fields[lastKey]);
  if (replacement === undefined) delete fields[lastKey];
  else
    Object.defineProperty(fields, lastKey, {
      value: replacement,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Picks a recorded payload and replaces one to four of its fields, mostly fields that a modified client can set. */
export function createHostilePayload(
  recordedPayloads: readonly Json[],
  random: Random,
): { body: object; name: string } {
  const body = structuredClone(random.pick(recordedPayloads));
  const names = [getShape(body)];
  for (let remaining = 1 + random.drawInteger(4); remaining > 0; remaining -= 1) {
    // The app answers only at addresses of Slack, and logs others.
    const fields = listFields(body).filter(({ path }) => path[0] !== 'response_url');
    const clientFields = fields.filter(({ isFromClient }) => isFromClient);
    const { path } = random.pick(clientFields.length > 0 && random.drawBoolean(0.8) ? clientFields : fields);
    replaceField(body, path, (oldValue) => {
      const value = drawHostileValue(oldValue, random);
      names.push(`${path.join('.')} = ${JSON.stringify(value)?.slice(0, MAX_SHOWN_LENGTH)}`);
      return value;
    });
  }
  // Commands are sent form-encoded, so their values are texts.
  const sentPayload =
    body.command === undefined ? body : Object.fromEntries(Object.entries(body).map(toText));
  // As Slack's payloads arrive.
  return { body: JSON.parse(JSON.stringify(sentPayload)), name: names.join('\n      ') };
}

function toText([key, value]: [string, unknown]): [string, string] {
  return [key, typeof value === 'string' ? value : JSON.stringify(value)];
}
