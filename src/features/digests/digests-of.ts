import type { Digests } from '../../digests/digests.ts';
import type { DigestParts } from '../../digests/parts.ts';
import type { Parts } from '../../submissions/parts.ts';

/** Features and forms know the parts that all have; whoever registers this feature hands in the digests besides. */
export function digestsOf({ parts }: { parts: Parts }): Digests {
  return withDigests(parts).digests;
}

export function withDigests(parts: Parts): Parts & DigestParts {
  if (!hasDigests(parts)) throw new Error('digests are not among the parts');
  return parts;
}

function hasDigests(parts: Parts): parts is Parts & DigestParts {
  return 'digests' in parts;
}
