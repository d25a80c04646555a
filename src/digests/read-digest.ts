import { type Digest, parseDigest } from './digest.ts';
import type { Machine } from './machine.ts';
import type { DigestRow } from './sql/digests.ts';

/** Parses a stored digest. A row that this version can't read is set aside, and the result is undefined. */
export function readDigest({ setAside }: Pick<Machine, 'setAside'>, row: DigestRow): Digest | undefined {
  try {
    return parseDigest(row);
  } catch (error) {
    setAside.add(row.id, error);
    return undefined;
  }
}
