import { CallFailed } from './call-failed.ts';

/**
 * Encodes an id as one path segment. A URL can't contain an empty id, half a surrogate pair, or `.` and `..`, which are
 * removed during URL resolution even if encoded. No record has such an id, so the call ends as a 404.
 */
function encodeSegment(id: unknown): string {
  const text = String(id ?? '');
  if (!text.isWellFormed() || ['', '.', '..'].includes(text))
    throw new CallFailed({ kind: 'refused', status: 404 });
  return encodeURIComponent(text);
}

/** Fills in the parameters of a path template from the contract. */
export function writePath(template: string, parameters: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(parameters[name]));
}
