const DIGITS = 12;

type RecordKind = 'project' | 'post' | 'template' | 'prompt' | 'source' | 'user' | 'log';

/** A row's number as the API shows it: post_000000000042. As text they sort as their numbers do. */
export function recordId(kind: RecordKind, row: number): string {
  return `${kind}_${String(row).padStart(DIGITS, '0')}`;
}

/** The row's number, or undefined for a text that is no id of this kind. */
export function rowOf(kind: RecordKind, id: string | undefined): number | undefined {
  const digits = id?.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : '';
  return digits.length === DIGITS && /^\d+$/.test(digits) ? Number(digits) : undefined;
}
