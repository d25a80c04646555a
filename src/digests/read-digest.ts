import { type Digest, parseDigest } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import type { DigestRow } from './sql/digests.ts';

/** Parses a stored digest. If this version can't read the row, excludes the row from claims and returns undefined. */
export function readDigest(
  { exclusions }: Pick<DigestContext, 'exclusions'>,
  row: DigestRow,
): Digest | undefined {
  try {
    return parseDigest(row);
  } catch (error) {
    exclusions.exclude(row.id, error);
    return undefined;
  }
}
