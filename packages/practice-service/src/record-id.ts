const DIGITS = 12;

type RecordKind = 'project' | 'post' | 'template' | 'prompt' | 'source' | 'user' | 'log';

/** The API's id of a row: post_000000000042. Ids sort like row numbers. */
export function formatRecordId(kind: RecordKind, row: number): string {
  return `${kind}_${String(row).padStart(DIGITS, '0')}`;
}

/** The row number of an id; undefined for any other text. */
export function parseRecordId(kind: RecordKind, id: string | undefined): number | undefined {
  const digits = id?.startsWith(`${kind}_`) ? id.slice(kind.length + 1) : '';
  return digits.length === DIGITS && /^\d+$/.test(digits) ? Number(digits) : undefined;
}
