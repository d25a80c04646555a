import { type Digest, parseDigest } from './digest.ts';
import type { Machine } from './machine.ts';
import type { DigestRow } from './sql/digests.ts';

/** Parses a stored digest. Returns undefined and sets the row aside if this version can't read is excluded from claims, and the result is undefined. */
export function readDigest({ exclusions }: Pick<Machine, 'exclusions'>, row: DigestRow): Digest | undefined {
  try {
    return parseDigest(row);
  } catch (error) {
    exclusions.exclude(row.id, error);
    return undefined;
  }
}
