import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import type { Grant } from '../state/saved-slack.ts';

/** One call of a Web API method: its arguments, as a form or as JSON brought them. */
export interface Call {
  site: Site;
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

/** Slack's paging: `limit` and an opaque `cursor`; an empty `next_cursor` ends it. */
export function paged<T>(call: Call, items: readonly T[]): { page: readonly T[]; next: Json } {
  const limit = Math.min(Math.max(Number(textArg(call, 'limit') ?? 100) || 100, 1), 1000);
  const cursor = textArg(call, 'cursor');
  const start = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString());
  if (!Number.isInteger(start) || start < 0 || start > items.length) throw new Refusal('invalid_cursor');
  const end = start + limit;
  const next = end < items.length ? Buffer.from(String(end)).toString('base64') : '';
  return { page: items.slice(start, end), next: { response_metadata: { next_cursor: next } } };
}
