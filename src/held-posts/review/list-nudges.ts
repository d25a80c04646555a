import { addMs } from '../../delivery/shared-clock.ts';
import type { HeldPostRow } from '../sql/held-posts.ts';
import { isInReview } from './decide.ts';
import { evaluateReview } from './evaluate-review.ts';
import type { LoadedReview } from './load-review.ts';
import type { NudgeCause } from './nudge-text.ts';

/** Why reviewers are asked again, and the people. */
export interface Nudge {
  cause: NudgeCause;
  /** When the cause arose, on the clock that people see. Whoever was told since isn't told again. */
  at: Date;
  people: readonly string[];
}

/** Finds the latest reason to ask the reviewers of a post again. Undefined if there is none. */
export function findNudge(
  review: LoadedReview,
  { now, enteredAt, remindersMs }: { now: Date; enteredAt: Date; remindersMs: readonly number[] },
): Nudge | undefined {
  const { post, events } = review;
  const result = evaluateReview(review);
  if (!isInReview(post) || result.kind !== 'pending') return undefined;
  const { asked, step } = result;
  const nudges: Nudge[] = [];
  const add = (cause: NudgeCause, at: Date | undefined, people = asked) => {
    if (at) nudges.push({ cause, at, people });
  };
  if (post.state === 'needs-person') add('missed', enteredAt);
  for (const ms of post.state === 'awaiting-review' ? remindersMs : []) {
    const at: Date | undefined = post.hand_over_at ? addMs(post.hand_over_at, -ms) : undefined;
    if (at && at <= now) add('reminder', at);
  }
  add('version', events.findLast(isNewRequest)?.at);
  const voided = events.findLast(
    ({ kind, version }) => kind === 'approval-voided' && version === post.version,
  );
  add('voided', voided?.at, listVoided(review, asked));
  const approvals = events.filter(({ kind, version }) => kind === 'approved' && version === post.version);
  if (step > 0) add('step', approvals.findLast((event) => event.step === step - 1)?.at);
  // Of two reasons at the same time, the later one in this list says more.
  return nudges.reduce<Nudge | undefined>(
    (latest, nudge) => (latest && latest.at > nudge.at ? latest : nudge),
    undefined,
  );
}

/** Whether an event asks the reviewers again: a new version, or a press on [Send for review]. */
function isNewRequest({ kind, content, version }: LoadedReview['events'][number]): boolean {
  const hasNewVersion = version > 1 && content !== null;
  return (
    kind === 'sent-for-review' ||
    (hasNewVersion && ['edited', 'moved', 'scheduled', 'approved'].includes(kind))
  );
}

/** The people who are asked, and those whose approvals of earlier versions don't count any more. */
function listVoided({ post, events }: LoadedReview, asked: readonly string[]): string[] {
  const editors = events.filter(({ version, kind }) => version === post.version && kind !== 'approved');
  const approvers = events.flatMap(({ kind, actor, version }) =>
    kind === 'approved' && version === post.version - 1 ? [actor] : [],
  );
  return [...new Set([...approvers, ...asked])].filter(
    (user) => !editors.some(({ actor }) => actor === user),
  );
}

/** When a post entered its state, on the clock that people see. */
export function findEntryTime(
  { now, clock }: { now: () => Date; clock: () => Date },
  { changed_at: changedAt }: Pick<HeldPostRow, 'changed_at'>,
): Date {
  return addMs(now(), changedAt.getTime() - clock().getTime());
}
