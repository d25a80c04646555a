import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import type { Grant } from '../state/saved-slack.ts';

/** One call of a Web API method: its arguments, as a form or as JSON brought them. */
export interface Call {
  site: Site;
  /** `chat.postMessage` */
  method: string;
  args: Json;
  /** The token with which it came, where it is one of an installation. */
  grant?: Grant;
}

/** Answers what stands beside `ok: true`; refuses by throwing a {@link Refusal}. */
export type Method = (call: Call) => Json;

export function textArg(call: Call, name: string): string | undefined {
  const value = call.args[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function neededArg(call: Call, name: string): string {
  const value = textArg(call, name);
  if (value !== undefined) return value;
  throw new Refusal('invalid_arguments', {
    response_metadata: { messages: [`[ERROR] missing required field: ${name}`] },
  });
}

export function flagArg(call: Call, name: string): boolean {
  const value = call.args[name];
  return value === true || value === 'true' || value === '1' || value === 1;
}

/** A nested value: JSON in a string when it came as a form. Undefined where there is none. */
export function nestedArg(call: Call, name: string, malformed: string): unknown {
  const value = call.args[name];
  if (typeof value !== 'string') return value ?? undefined;
  if (value === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw new Refusal(malformed);
  }
}
