import { type Digest, digestFrom } from './digest.ts';
import type { Machine } from './machine.ts';
import type { DigestRow } from './sql/digests.ts';

/** Undefined for a row that this version cannot read, which is set aside: everything else goes on. */
export function readDigest({ setAside }: Pick<Machine, 'setAside'>, row: DigestRow): Digest | undefined {
  try {
    return digestFrom(row);
  } catch (error) {
    setAside.add(row.id, error);
    return undefined;
  }
}
