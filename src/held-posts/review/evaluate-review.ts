import type { Permission } from '../../access/access.ts';
import type { ProjectPolicy } from '../../preferences/project-policy.ts';
import { listApprovals } from '../event-kinds.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostEventRow } from '../sql/events.ts';

/** The people who may approve in a step, or as stand-ins. */
export interface Approvers {
  /** Whether a person may approve, by Slack id. */
  people: ReadonlyMap<string, Permission>;
  /** Whether a lookup failed, so that a later one may find more people. Defaults to false. */
  hasFailed?: boolean;
  /** Whether nobody but `people` may approve. Otherwise it is unknown of everybody else. */
  isComplete: boolean;
}

/** The people who may approve the posts of a project at present. */
export interface Eligibility {
  /** In the order of the policy's steps. */
  steps: readonly Approvers[];
  standIns: Approvers;
}
export type ReviewEvent = Pick<
  HeldPostEventRow,
  'kind' | 'actor' | 'version' | 'content_hash' | 'step' | 'content'
>;

/** The input of a review: all facts on which its result depends. */
export interface ReviewFacts {
  post: Pick<HeldPostRow, 'author' | 'version' | 'content_hash'>;
  policy: Pick<ProjectPolicy, 'reviewSteps' | 'standIns' | 'stepPeople'>;
  /** The post's history, oldest first. */
  events: readonly ReviewEvent[];
  eligibility: Eligibility;
}

export type Review =
  /** `approver`: the person who approved last. */
  | { kind: 'approved'; approver: string }
  /**
   * Approvals are missing in a step, counted from 0. `asked`: the known people who still have to decide. `standIns`: those
   * who may do so instead of one of them, and aren't asked.
   */
  | { kind: 'pending'; step: number; asked: readonly string[]; standIns?: readonly string[] }
  /** It couldn't be found out whether the approvals of a step count. */
  | { kind: 'unknown'; step: number };

/** Evaluates the approvals of the current version: all steps in their order, by people who may approve now. */
export function evaluateReview(facts: ReviewFacts): Review {
  const { policy } = facts;
  const excluded = findExcludedPeople(facts);
  let approver = '';
  for (const step of policy.reviewSteps.keys()) {
    const result = evaluateStep(facts, step, excluded);
    if (result.kind !== 'approved') return result;
    approver = result.approver;
    for (const user of listOfEarlierSteps(facts, step + 1))
      if (!excluded.has(user)) excluded.set(user, 'other-step');
  }
  // Without a step, nobody has approved anything.
  return approver === '' ? { kind: 'pending', step: 0, asked: [] } : { kind: 'approved', approver };
}

/** Whether certainly nobody may approve the next step. `facts` needs everybody who may, not only some people. */
export function isNobodyLeft(facts: ReviewFacts): boolean {
  const review = evaluateReview(facts);
  if (review.kind !== 'pending' || review.asked.length > 0) return false;
  const { steps, standIns } = facts.eligibility;
  const approvers = [steps[review.step] ?? NOBODY, standIns];
  return approvers.every(({ people, isComplete }) => isComplete && ![...people.values()].includes('unknown'));
}

/** Whether somebody could approve the next step if they hadn't approved an earlier one. */
export function isSomebodyOfEarlierStepEligible(facts: ReviewFacts): boolean {
  const review = evaluateReview(facts);
  if (review.kind === 'approved') return false;
  return listOfEarlierSteps(facts, review.step).some(
    (user) => checkApprover(facts, review.step, user) === 'yes',
  );
}

function evaluateStep(
  facts: ReviewFacts,
  step: number,
  excluded: ReadonlyMap<string, ExclusionReason>,
): Review {
  const approvals = listApproversOf(facts, step).filter((user) => !excluded.has(user));
  const [valid, uncertain] = (['yes', 'unknown'] as const).map((permission) =>
    approvals.filter((user) => checkApprover(facts, step, user) === permission),
  ) as [string[], string[]];
  const answer = countsForStep(facts, step, { valid, uncertain, excluded });
  if (answer === 'yes') return { kind: 'approved', approver: valid.at(-1) ?? '' };
  if (answer === 'unknown') return { kind: 'unknown', step };
  return { kind: 'pending', step, ...findAsked(facts, step, { valid, excluded }) };
}

function countsForStep(
  { policy, eligibility }: ReviewFacts,
  step: number,
  approvals: {
    valid: readonly string[];
    /** Approvals by people of whom it is unknown whether they may approve. */
    uncertain: readonly string[];
    excluded: ReadonlyMap<string, unknown>;
  },
): Permission {
  const { valid, uncertain, excluded } = approvals;
  if (valid.length === 0) return uncertain.length === 0 ? 'no' : 'unknown';
  if (policy.reviewSteps[step]?.needs !== 'all') return 'yes';
  const { people, isComplete } = eligibility.steps[step] ?? NOBODY;
  const listMissing = (permission: Permission) =>
    [...people.keys()].filter(
      (user) =>
        people.get(user) === permission &&
        !excluded.has(user) &&
        !valid.includes(user) &&
        !uncertain.includes(user),
    );
  // Each stand-in approves instead of one person.
  const maybeStandIns = valid.filter((user) => people.get(user) !== 'yes');
  const standIns = maybeStandIns.filter((user) => people.get(user) !== 'unknown');
  const missing = listMissing('yes').length;
  if (isComplete && missing + listMissing('unknown').length <= standIns.length) return 'yes';
  return missing > maybeStandIns.length + uncertain.length ? 'no' : 'unknown';
}

const NOBODY: Approvers = { people: new Map(), isComplete: true };

/** The people who approved the current version in a step, oldest approval first. */
function listApproversOf({ post, events }: ReviewFacts, step: number): string[] {
  const approvals = listApprovals(events, post).filter((event) => event.step === step);
  return [...new Set(approvals.map(({ actor }) => actor))];
}

/** The people who are asked in a step: its approvers, or the stand-ins if no approver is left. */
function findAsked(
  { eligibility }: ReviewFacts,
  step: number,
  { valid, excluded }: { valid: readonly string[]; excluded: ReadonlyMap<string, unknown> },
): { asked: string[]; standIns?: string[] } {
  const list = ({ people }: Approvers) =>
    [...people.keys()].filter(
      (user) => people.get(user) === 'yes' && !excluded.has(user) && !valid.includes(user),
    );
  const approvers = list(eligibility.steps[step] ?? NOBODY);
  const standIns = list(eligibility.standIns).filter((user) => !approvers.includes(user));
  if (approvers.length === 0) return { asked: standIns };
  return { asked: approvers, ...(standIns.length > 0 && { standIns }) };
}

/** Whether a person may approve in a step at present, apart from `findExcludedPeople`. */
function checkApprover({ eligibility }: ReviewFacts, step: number, user: string): Permission {
  return findPermission([eligibility.steps[step] ?? NOBODY, eligibility.standIns], user);
}

export function findPermission(lists: readonly Approvers[], user: string): Permission {
  const answers = lists.map(({ people, isComplete }) => people.get(user) ?? (isComplete ? 'no' : 'unknown'));
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/** Why a person may not approve a version. `other-step`: they approved an earlier step of it. */
type ExclusionReason = 'own' | 'edited' | 'other-step';

/**
 * Finds the people who may not approve the current version. `own`: they wrote the post. `edited`: they edited this
 * version, or an earlier one that was never approved, so that nobody approves their own words.
 */
function findExcludedPeople({ post, events }: Pick<ReviewFacts, 'post' | 'events'>) {
  const excluded = new Map<string, ExclusionReason>();
  const approvedVersion = findApprovedVersion(events);
  for (const { kind, actor, version, content } of events) {
    const isWritten = kind === 'created' || (kind === 'sent-for-review' && version === 1);
    if (isWritten) excluded.set(actor, 'own');
    // Scheduling a draft may set its time too.
    const isEdit = kind === 'edited' || kind === 'moved' || (kind === 'scheduled' && content !== null);
    if (isEdit && version > approvedVersion && !excluded.has(actor)) excluded.set(actor, 'edited');
  }
  return excluded.set(post.author, 'own');
}

/** The last version whose review was completed. Upnext then adds the event `scheduled`. */
function findApprovedVersion(events: readonly ReviewEvent[]): number {
  const completed = events.filter(({ kind, actor }) => kind === 'scheduled' && actor === '');
  return Math.max(0, ...completed.map(({ version }) => version));
}

/** The people who approved a step before this one, which needs others unless the policy says otherwise. */
function listOfEarlierSteps(facts: ReviewFacts, step: number): string[] {
  if (facts.policy.stepPeople === 'any') return [];
  return Array.from({ length: step }, (_, earlier) => listApproversOf(facts, earlier)).flat();
}

/** Whether a person may decide on the current version, or why not. */
type DecisionCheck =
  | { kind: 'may'; step: number }
  /** `own`, `edited`: see `findExcludedPeople`. `decided`: they have approved this step. */
  | { kind: 'may-not'; reason: ExclusionReason | 'decided' | 'not-asked' | 'approved' }
  | { kind: 'unknown' };

/** Checks whether a person may approve the current version, request changes, or reject it. */
export function checkDecision(facts: ReviewFacts, user: string): DecisionCheck {
  const excludedReason = findExcludedPeople(facts).get(user);
  if (excludedReason !== undefined) return { kind: 'may-not', reason: excludedReason };
  const review = evaluateReview(facts);
  if (review.kind === 'approved') return { kind: 'may-not', reason: 'approved' };
  const { step } = review;
  const permission = facts.policy.reviewSteps.length === 0 ? 'no' : checkApprover(facts, step, user);
  if (permission === 'no') return { kind: 'may-not', reason: 'not-asked' };
  if (listApproversOf(facts, step).includes(user)) return { kind: 'may-not', reason: 'decided' };
  if (listOfEarlierSteps(facts, step).includes(user)) return { kind: 'may-not', reason: 'other-step' };
  return permission === 'unknown' ? { kind: 'unknown' } : { kind: 'may', step };
}
