import type { Digests } from './digests.ts';

/** What features about digests work with, beside what all have. */
export interface DigestParts {
  digests: Digests;
}
