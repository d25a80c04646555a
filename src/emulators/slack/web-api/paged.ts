import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type Call, textArg } from './call.ts';
import { DEFAULT_PAGE, METHOD_RULES } from './method-rules.ts';

/** 0 asks for the usual page, as a missing limit does. */
function pageSize(call: Call): number {
  const { usual, max, isStrict } = METHOD_RULES[call.method]?.page ?? DEFAULT_PAGE;
  const limit = Number(textArg(call, 'limit') ?? 0);
  const isUnderstood = Number.isInteger(limit) && limit >= 0;
  if (isStrict && !(isUnderstood && limit <= max)) throw new Refusal('invalid_limit');
  return isUnderstood && limit > 0 ? Math.min(limit, max) : usual;
}

const cursorTo = ({ method }: Call, start: number) => Buffer.from(`${method}:${start}`).toString('base64');

/** Where the page begins. A cursor counts only in the method that gave it. */
function pageStart(call: Call, count: number): number {
  const cursor = textArg(call, 'cursor');
  if (cursor === undefined) return 0;
  const start = Number(/:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1]);
  if (cursor !== cursorTo(call, start) || start > count) throw new Refusal('invalid_cursor');
  return start;
}

/** One page of a list: `limit` and an opaque `cursor`. An empty `next_cursor` ends the list. */
export function paged<T>(call: Call, items: readonly T[]): { page: readonly T[]; next: Json } {
  const start = pageStart(call, items.length);
  const end = start + pageSize(call);
  const next = end < items.length ? cursorTo(call, end) : '';
  return { page: items.slice(start, end), next: { response_metadata: { next_cursor: next } } };
}
