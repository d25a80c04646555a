import { addMs } from '../../engine/clock.ts';
import { isInReview } from './decide.ts';
import { evaluateReview } from './evaluate-review.ts';
import type { LoadedReview } from './load-review.ts';
import type { NudgeCause } from './nudge-text.ts';

/** Why reviewers are asked again, and the people. */
export interface Nudge {
  cause: NudgeCause;
  /** Names the cause. A conversation that was told of it isn't told again. */
  key: string;
  people: readonly string[];
}

/** Lists the reasons to ask the reviewers of a post again. Later ones say more. */
export function listNudges(
  review: LoadedReview,
  { now, remindersMs }: { now: Date; remindersMs: readonly number[] },
): Nudge[] {
  const { post, events } = review;
  const result = evaluateReview(review);
  if (!isInReview(post) || result.kind !== 'pending') return [];
  const { asked, step } = result;
  const nudges: Nudge[] = [];
  const add = (cause: NudgeCause, subject: string | undefined, people = asked) => {
    if (subject !== undefined) nudges.push({ cause, key: `${cause} ${subject}`, people });
  };
  const { hand_over_at: handOverAt } = post;
  for (const ms of post.state === 'awaiting-review' && handOverAt && handOverAt > now ? remindersMs : [])
    if (handOverAt && addMs(handOverAt, -ms) <= now) add('reminder', `${ms} ${handOverAt.toISOString()}`);
  for (const user of asked)
    add('asked', `${post.version} ${step} ${user} ${findLostApproval(review, step)}`, [user]);
  add('again', events.findLast(isAgain)?.id);
  add('version', events.findLast((event) => isNewRequest(event) && !isAgain(event))?.id);
  const voided = events.findLast(
    ({ kind, version }) => kind === 'approval-voided' && version === post.version,
  );
  add('voided', voided?.id, listVoided(review, asked));
  const approvals = events.filter(({ kind, version }) => kind === 'approved' && version === post.version);
  if (step > 0) add('step', approvals.findLast((event) => event.step === step - 1)?.id);
  if (post.state === 'needs-person') add('missed', post.changed_at.toISOString());
  return nudges;
}

/** The last approval of a step that needs only one, although it is pending: it doesn't count any more. '' if there is none. */
function findLostApproval({ post, policy, events }: LoadedReview, step: number): string {
  if (policy.reviewSteps[step]?.needs !== 'any') return '';
  const isLost = (event: LoadedReview['events'][number]) =>
    event.kind === 'approved' && event.step === step && event.version === post.version;
  return events.findLast(isLost)?.id ?? '';
}

/** Whether an event asks for a review of a post that hasn't changed. */
function isAgain({ kind, actor, content }: LoadedReview['events'][number]): boolean {
  if (kind === 'sent-for-review') return actor === '';
  return (
    kind === 'restored' || kind === 'taken-over' || (kind === 'scheduled' && actor !== '' && content === null)
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
