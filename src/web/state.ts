import { findStateName, type PostFacts } from '../posts/describe-post.ts';
import { STATUS_EMOJI } from '../posts/post-status.ts';
import { HELD, HELD_REASONS, PUBLICATION, SCHEDULED } from '../posts/state-copy.ts';

/**
 * The states that pages tell apart, each with a shape and a colour. Each has the name that it has in Slack, because a state
 * is never told by its colour alone. Several states of the product share one, and keep their names.
 */
export const TONES = {
  problem: HELD['needs-person'].name,
  review: HELD['awaiting-review'].name,
  changes: HELD_REASONS['changes-requested'].name,
  draft: HELD.draft.name,
  editable: HELD.held.name,
  pending: PUBLICATION.checking.name,
  scheduled: SCHEDULED.name,
  published: PUBLICATION.published.name,
  cancelled: HELD.cancelled.name,
} as const;
export type Tone = keyof typeof TONES;
export const TONE_NAMES = Object.keys(TONES).filter(isTone);

export function isTone(name: string): name is Tone {
  return Object.hasOwn(TONES, name);
}

const TONES_OF_STATUSES: Readonly<Record<keyof typeof STATUS_EMOJI, Tone>> = {
  DRAFT: 'draft',
  SCHEDULED: 'scheduled',
  PUBLISHED: 'published',
  FAILED: 'problem',
  PENDING: 'pending',
  UNCERTAIN: 'problem',
  HELD: 'editable',
  REVIEW: 'review',
  DECISION: 'problem',
  CANCELLED: 'cancelled',
};
const TONES_OF_EMOJI = new Map<string, Tone>([
  ...Object.entries(TONES_OF_STATUSES).map(
    ([status, tone]) => [(STATUS_EMOJI as Readonly<Record<string, string>>)[status] ?? '', tone] as const,
  ),
  [PUBLICATION.late.emoji, 'problem'],
]);

/** Finds the name of a post's state, and its tone. A state that this version doesn't know is shown as pending. */
export function findState(facts: PostFacts, now: Date): { name: string; tone: Tone } {
  const { emoji, name } = findStateName(facts, now);
  const { reason } = facts.held ?? {};
  const isReturned = reason === 'changes-requested' || reason === 'rejected';
  const tone = TONES_OF_EMOJI.get(emoji) ?? 'pending';
  return { name, tone: tone === 'draft' && isReturned ? 'changes' : tone };
}
