import { CallFailed } from './call-failed.ts';

/**
 * An id as one segment of a path. No address can carry an empty id, or `.` and `..`, which an address resolves away
 * (encoded ones too), or half a surrogate pair: such an id names nothing, which is what 404 says.
 */
function segment(id: unknown): string {
  const text = String(id ?? '');
  if (!text.isWellFormed() || ['', '.', '..'].includes(text))
    throw new CallFailed({ kind: 'refused', status: 404 });
  return encodeURIComponent(text);
}

/** A path of the document with its parameters filled in. */
export function writePath(template: string, parameters: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(parameters[name]));
}
