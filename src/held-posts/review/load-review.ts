import type { Kysely } from 'kysely';
import type { Permission, Role, RoleHolders } from '../../access/access.ts';
import {
  type Approver,
  findPolicy,
  type ProjectPolicy,
  requiresReview,
} from '../../preferences/project-policy.ts';
import type { HeldPostRow, HeldPostTables } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { listEvents } from '../sql/events.ts';
import {
  type Approvers,
  type Eligibility,
  evaluateReview,
  findPermission,
  type ReviewFacts,
} from './evaluate-review.ts';

/**
 * Maximum number of people who are checked for one entry of a step, besides those whose eligibility is needed. Our own
 * limit: more can't all be asked.
 */
const MAX_APPROVERS = 50;

/** A review's facts with the whole policy, and the post as it was read. */
export interface LoadedReview extends ReviewFacts {
  post: HeldPostRow;
  policy: ProjectPolicy;
  events: Awaited<ReturnType<typeof listEvents>>;
}

interface LoadOptions {
  /** People whose eligibility is needed, besides those who approved. */
  users?: readonly string[];
  /** The present policy of its project, if it is known. */
  policy?: ProjectPolicy;
  /** Whether everybody who may approve is needed, to ask them. Defaults to the steps that need everybody. */
  listsEverybody?: boolean;
}

/** Loads everything on which the result of a post's review depends, and asks Slack who may approve at present. */
export async function loadReview(
  context: HeldPostContext,
  post: HeldPostRow,
  options: LoadOptions = {},
): Promise<LoadedReview> {
  const [policy, events] = await Promise.all([
    options.policy ?? findPolicy(context.db, post),
    listEvents(context.db, post),
  ]);
  const decided = events.filter(({ kind }) => kind === 'approved').map(({ actor }) => actor);
  const users = [...new Set([...decided, ...(options.users ?? [])])];
  return {
    post,
    policy,
    events,
    eligibility: await loadEligibility(context, post, policy, { ...options, users }),
  };
}

/** The policy may change while Slack is asked who may approve. */
const MAX_TRIES = 3;

/** Loads a review under the present policy, with a person. Undefined if the policy changes again and again. */
export async function loadCurrentReview(
  context: HeldPostContext,
  row: HeldPostRow,
  user: string,
): Promise<LoadedReview | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const review = await loadReview(context, row, { users: [user] });
    if (await isPolicyUnchanged(context.db, review)) return review;
  }
  return undefined;
}

async function loadEligibility(
  context: HeldPostContext,
  post: HeldPostRow,
  { reviewSteps, standIns }: ProjectPolicy,
  { users, listsEverybody = false }: LoadOptions & { users: readonly string[] },
): Promise<Eligibility> {
  const [standInApprovers, ...steps] = await Promise.all([
    checkPeople(context, post, { listed: standIns, isComplete: true, role: 'viewer' }),
    ...reviewSteps.map(async ({ approvers, needs }) => {
      const wanted = { users, listsEverybody: listsEverybody || needs === 'all' };
      return merge(
        await Promise.all(approvers.map((approver) => findApprovers(context, post, approver, wanted))),
      );
    }),
  ]);
  return { steps, standIns: standInApprovers };
}

async function findApprovers(
  context: HeldPostContext,
  post: HeldPostRow,
  approver: Approver,
  { users, listsEverybody }: { users: readonly string[]; listsEverybody: boolean },
): Promise<Approvers> {
  const { workspace, project } = post;
  switch (approver.kind) {
    case 'person':
      return checkPeople(context, post, { listed: [approver.id], isComplete: true, role: 'viewer' });
    case 'group': {
      const members = await context.approvers.listGroupMembers(workspace, approver.id);
      const { people, ...checked } = await checkPeople(context, post, {
        listed: members ?? [],
        needed: users.filter((user) => members?.includes(user)),
        isComplete: members !== undefined,
        hasFailed: members === undefined,
        role: 'viewer',
      });
      // Nobody else may, even if not all members were checked.
      const others = members ? users.filter((user) => !members.includes(user)) : [];
      return { ...checked, people: new Map([...people, ...others.map((user) => [user, 'no'] as const)]) };
    }
    case 'role': {
      const { role } = approver;
      const holders: RoleHolders = listsEverybody
        ? await context.approvers.listRoleHolders(workspace, role, project)
        : { people: [], isComplete: false };
      const { people: listed, isComplete, includesEverybody = false } = holders;
      const hasFailed = listsEverybody && !isComplete && !includesEverybody;
      return checkPeople(context, post, { listed, needed: users, isComplete, hasFailed, role });
    }
  }
}

async function checkPeople(
  { submissions, kind }: HeldPostContext,
  { workspace, project }: HeldPostRow,
  approvers: Omit<Approvers, 'people'> & {
    /** In the order in which they are asked. */
    listed: readonly string[];
    /** People whose eligibility is needed. They come last, so that each version's review asks the same people. */
    needed?: readonly string[];
    role: Role;
  },
): Promise<Approvers> {
  const { listed, needed = [], isComplete, hasFailed = false, role } = approvers;
  const checked = [...new Set([...listed.slice(0, MAX_APPROVERS), ...needed])];
  const answers = await Promise.all(
    checked.map((user) =>
      submissions.context.checkPermission({ workspace, user }, role, {
        project,
        kind: kind.name,
        isRecorded: false,
      }),
    ),
  );
  return {
    people: new Map(checked.map((user, index) => [user, answers[index] ?? 'unknown'])),
    isComplete: isComplete && listed.every((user) => checked.includes(user)),
    hasFailed: hasFailed || answers.includes('unknown'),
  };
}

/** Merges the entries of a step: a person may approve if one entry allows it. */
function merge(entries: readonly Approvers[]): Approvers {
  const users = entries.flatMap(({ people }) => [...people.keys()]);
  return {
    people: new Map(users.map((user) => [user, findPermission(entries, user)])),
    isComplete: entries.every(({ isComplete }) => isComplete),
    hasFailed: entries.some(({ hasFailed }) => hasFailed),
  };
}

/** Whether a post may be handed over as far as its review is concerned. */
export interface ApprovalCheck {
  answer: Permission;
  /** What the answer depends on, for `isStillApproved`; undefined if the post needs no approval, or has none. */
  review: LoadedReview | undefined;
}

const ANSWERS = { approved: 'yes', pending: 'no', unknown: 'unknown' } as const;

/** Checks the approvals that a post needs now. Asks Slack whether the people who approved may still do so. */
export async function checkApproval(context: HeldPostContext, row: HeldPostRow): Promise<ApprovalCheck> {
  const policy = await findPolicy(context.db, row);
  if (!needsApproval(row, policy)) return { answer: 'yes', review: undefined };
  // Nobody has been asked to approve a post that wasn't in review.
  if (!row.in_review) return { answer: 'no', review: undefined };
  const review = await loadReview(context, row, { policy });
  return { answer: ANSWERS[evaluateReview(review).kind], review };
}

/** Whether a post goes out only with an approval, under its project's present policy. */
export function needsApproval(
  { in_review: inReview, state }: Pick<HeldPostRow, 'in_review' | 'state'>,
  policy: Pick<ProjectPolicy, 'leadMinutes' | 'review'>,
): boolean {
  // An approved post of a project that has switched its reviews off goes over as planned.
  const wasApproved = state === 'held' || state === 'handed-over';
  return requiresReview(policy) || (inReview && !(wasApproved && policy.review === 'off'));
}

/**
 * Checks within the transaction of a hand-over that a post is still approved: with its stored content and history, and
 * the policy for which `checkApproval` asked who may approve.
 */
export async function isStillApproved(
  db: Kysely<HeldPostTables>,
  row: HeldPostRow,
  { review }: ApprovalCheck,
): Promise<boolean> {
  if (!needsApproval(row, await findPolicy(db, row))) return true;
  if (!review || !(await isPolicyUnchanged(db, review))) return false;
  const facts = { ...review, post: row, events: await listEvents(db, row) };
  return evaluateReview(facts).kind === 'approved';
}

/** Whether a project's policy still has the approvers for whom the review was loaded. */
async function isPolicyUnchanged(db: Kysely<HeldPostTables>, review: LoadedReview): Promise<boolean> {
  const current = await findPolicy(db, review.post);
  const [before, now] = [review.policy, current].map(({ reviewSteps, stepPeople, standIns }) =>
    JSON.stringify([reviewSteps, stepPeople, standIns]),
  );
  return before === now;
}
