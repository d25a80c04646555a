import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import type { Grant } from '../state/saved-state.ts';

/** A call of a Web API method. */
export interface Call {
  site: Site;
  /** `chat.postMessage` */
  method: string;
  /** The arguments as they came: all are strings in a form. */
  args: Json;
  /** The installation's token. Undefined for methods without a token or with the app-level one. */
  grant?: Grant;
}

/** Runs a call, and returns the fields of the answer beside `ok: true`. Throws a {@link Refusal} for an error. */
export type Method = (call: Call) => Json;

/** The error `invalid_arguments`, with a message such as `[ERROR] missing required field: text`. */
export class InvalidArguments extends Refusal {
  constructor(message: string) {
    super('invalid_arguments', { response_metadata: { messages: [message] } });
  }
}

/** Returns undefined for an argument that is missing or empty. */
export function readText(call: Call, name: string): string | undefined {
  const value = call.args[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function readRequired(call: Call, name: string): string {
  const value = readText(call, name);
  if (value === undefined) throw new InvalidArguments(`[ERROR] missing required field: ${name}`);
  return value;
}

export function readFlag(call: Call, name: string): boolean {
  const value = call.args[name];
  return value === true || value === 'true' || value === '1' || value === 1;
}

/** Reads a list or an object, which a form contains as JSON. Refuses malformed JSON with `errorCode`. */
export function readJson(call: Call, name: string, errorCode: string): unknown {
  const value = call.args[name];
  if (typeof value !== 'string') return value ?? undefined;
  if (value === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw new Refusal(errorCode);
  }
}
