import type { Owner } from '../engine/capability.ts';

/** A post that was sent at once is stored with the submission that delivers it, and follows it. */
export const POST_OF_SUBMISSION: Owner = {
  table: 'post',
  delivery: 'submission',
  follows: 'at_once',
  copied: ['maybe_sent'],
};
