import { type Digest, parseDigest } from './digest.ts';
import type { Machine } from './machine.ts';
import type { DigestRow } from './sql/digests.ts';

/** Parses a stored digest. Returns undefined and sets the row aside if this version can't read it. */
export function readDigest({ setAside }: Pick<Machine, 'setAside'>, row: DigestRow): Digest | undefined {
  try {
    return parseDigest(row);
  } catch (error) {
    setAside.add(row.id, error);
    return undefined;
  }
}
