import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type Call, readText } from './call.ts';
import { DEFAULT_PAGE, METHOD_RULES } from './method-rules.ts';

/** The default size also applies to a limit of 0. */
function readPageSize(call: Call): number {
  const { defaultSize, maxSize, isStrict } = METHOD_RULES[call.method]?.page ?? DEFAULT_PAGE;
  const limit = Number(readText(call, 'limit') ?? 0);
  const isValid = Number.isInteger(limit) && limit >= 0;
  if (isStrict && !(isValid && limit <= maxSize)) throw new Refusal('invalid_limit');
  return isValid && limit > 0 ? Math.min(limit, maxSize) : defaultSize;
}

const encodeCursor = ({ method }: Call, start: number) =>
  Buffer.from(`${method}:${start}`).toString('base64');

/** Reads the index of the page's first item. A cursor is valid only for the method that returned it. */
function readPageStart(call: Call, count: number): number {
  const cursor = readText(call, 'cursor');
  if (cursor === undefined) return 0;
  const start = Number(/:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString())?.[1]);
  if (cursor !== encodeCursor(call, start) || start > count) throw new Refusal('invalid_cursor');
  return start;
}

/** Returns the page that `limit` and `cursor` ask for. An empty `next_cursor` ends the list. */
export function paginate<T>(call: Call, items: readonly T[]): { page: readonly T[]; next: Json } {
  const start = readPageStart(call, items.length);
  const end = start + readPageSize(call);
  const next = end < items.length ? encodeCursor(call, end) : '';
  return { page: items.slice(start, end), next: { response_metadata: { next_cursor: next } } };
}
