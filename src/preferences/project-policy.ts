import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { ROLE_TABLE, ROLES } from '../access/roles.ts';
import type { Queryable } from '../store/database.ts';
import type { PreferenceTables, ProjectPolicyTable, ReviewMode } from './tables.ts';

const REVIEW_MODES = ['off', 'optional', 'required'] as const satisfies ReviewMode[];

/** Maximum number of review steps. Our own limit: with more, nobody knows whose turn it is. */
export const MAX_REVIEW_STEPS = 3;

/** Maximum number of people who are asked one by one about a post, in direct messages. Our own limit. */
export const MAX_ASKED_PEOPLE = 20;

/**
 * Limits of the lead, in minutes. With less than 15, nobody could fix a refused post in time. With more than 7 days,
 * most posts would be handed over when they are written.
 */
export const [MIN_LEAD_MINUTES, MAX_LEAD_MINUTES] = [15, 7 * 24 * 60];
export const SUGGESTED_LEAD_MINUTES = 60;

/** The roles that a policy may make approvers, from the lowest to the highest. */
export const APPROVER_ROLES = ROLES.filter((role) => ROLE_TABLE[role].mayApprove);

const approverSchema = z.discriminatedUnion('kind', [
  /** Everybody with this role or a higher one in the project. */
  z.object({ kind: z.literal('role'), role: z.enum(APPROVER_ROLES) }),
  /** A Slack user. */
  z.object({ kind: z.literal('person'), id: z.string() }),
  /** The members of a Slack user group. */
  z.object({ kind: z.literal('group'), id: z.string() }),
]);
export type Approver = z.infer<typeof approverSchema>;

const reviewStepSchema = z.object({
  approvers: z.array(approverSchema).readonly(),
  /** Whether one approval is enough, or everybody has to approve. */
  needs: z.enum(['any', 'all']),
});
export type ReviewStep = z.infer<typeof reviewStepSchema>;

/** How the posts of a project reach the service. */
export const projectPolicySchema = z.object({
  /** How long before its time a post is handed over. Undefined: posts go to the service right away. */
  leadMinutes: z.number().optional(),
  review: z.enum(REVIEW_MODES),
  /** The steps of a review, in their order. A project without reviews keeps them for when it has reviews again. */
  reviewSteps: z.array(reviewStepSchema).readonly(),
  /** Slack ids of the people who may approve instead of an approver, in every step. */
  standIns: z.array(z.string()).readonly(),
  /** The channel for review requests and for posts that need a decision. Undefined for direct messages. */
  channel: z.string().optional(),
  /** The owner who required a review although fewer than two people can approve. */
  ownerOverride: z.string().optional(),
});
export type ProjectPolicy = z.infer<typeof projectPolicySchema>;

/** The policy of a project whose managers have set none. */
export const DEFAULT_POLICY: ProjectPolicy = {
  leadMinutes: undefined,
  review: 'off',
  reviewSteps: [],
  standIns: [],
  channel: undefined,
  ownerOverride: undefined,
};

interface ProjectKey {
  workspace: string;
  /** The project's id in the service. */
  project: string;
}

/** Whether posts of the project are held by Upnext until shortly before their time. */
export function holdsPosts({ leadMinutes }: Pick<ProjectPolicy, 'leadMinutes'>): boolean {
  return leadMinutes !== undefined;
}

/** Whether every post of the project needs approvals before it goes out. */
export function requiresReview(policy: Pick<ProjectPolicy, 'leadMinutes' | 'review'>): boolean {
  return holdsPosts(policy) && policy.review === 'required';
}

/**
 * Computes when a post is handed over: its time minus the lead, or at once in a project that doesn't hold posts any more.
 */
export function computeHandOverAt(
  { leadMinutes }: Pick<ProjectPolicy, 'leadMinutes'>,
  publishAt: Date,
  now: Date,
): Date {
  return leadMinutes === undefined ? now : new Date(publishAt.getTime() - leadMinutes * 60_000);
}

/** Finds the policy of a project. Resolves with the default if its managers have set none. */
export async function findPolicy(
  db: Queryable<PreferenceTables>,
  { workspace, project }: ProjectKey,
): Promise<ProjectPolicy> {
  const row = await db
    .selectFrom('project_policy')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('project', '=', project)
    .executeTakeFirst();
  return row ? toPolicy(row) : DEFAULT_POLICY;
}

/** Lists the policies of a workspace by the ids of their projects. Projects without a row have the default. */
export async function listPolicies(
  db: Queryable<PreferenceTables>,
  workspace: string,
): Promise<ReadonlyMap<string, ProjectPolicy>> {
  const rows = await db.selectFrom('project_policy').selectAll().where('workspace', '=', workspace).execute();
  return new Map(rows.map((row) => [row.project, toPolicy(row)]));
}

/** How a project holds posts, as far as the form for a post shows it. */
interface Holding {
  leadMinutes: number;
  isReviewRequired: boolean;
}

/** Lists the projects that hold posts, by their ids. */
export async function listHoldingProjects(
  db: Queryable<PreferenceTables>,
  workspace: string,
): Promise<Record<string, Holding>> {
  const rows = await db
    .selectFrom('project_policy')
    .select(['project', 'lead_minutes', 'review'])
    .where('workspace', '=', workspace)
    .where('lead_minutes', 'is not', null)
    .execute();
  return Object.fromEntries(
    rows.map(({ project, lead_minutes, review }) => [
      project,
      { leadMinutes: lead_minutes ?? 0, isReviewRequired: review === 'required' },
    ]),
  );
}

function toPolicy(row: Selectable<ProjectPolicyTable>): ProjectPolicy {
  return projectPolicySchema.parse({
    leadMinutes: row.lead_minutes ?? undefined,
    review: row.review,
    reviewSteps: row.review_steps,
    standIns: row.stand_ins,
    channel: row.channel ?? undefined,
    ownerOverride: row.owner_override ?? undefined,
  });
}

/** Whether two policies are the same. */
export function isSamePolicy(one: ProjectPolicy, other: ProjectPolicy): boolean {
  // The schema gives both the same order of keys.
  const [first, second] = [one, other].map((policy) => JSON.stringify(projectPolicySchema.parse(policy)));
  return first === second;
}

/**
 * Changes the policy of a project in a transaction. `same`: the project has the new policy already, for example because
 * the form came twice. `conflict`: the policy isn't `expected` any more, so nothing was changed.
 */
export async function changePolicy(
  transaction: Queryable<PreferenceTables>,
  { workspace, project }: ProjectKey,
  { expected, policy }: { expected: ProjectPolicy; policy: ProjectPolicy },
  { changedBy, changedAt }: { changedBy: string; changedAt: Date },
): Promise<'changed' | 'same' | 'conflict'> {
  // The lock also works for a project without a row.
  const lockKey = `policy ${workspace}/${project}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lockKey}, 0))`.execute(transaction);
  const storedPolicy = await findPolicy(transaction, { workspace, project });
  if (!isSamePolicy(storedPolicy, expected)) return isSamePolicy(storedPolicy, policy) ? 'same' : 'conflict';
  await savePolicy(transaction, { workspace, project }, policy, { changedBy, changedAt });
  return 'changed';
}

/** Stores the policy of a project. */
export async function savePolicy(
  db: Queryable<PreferenceTables>,
  { workspace, project }: ProjectKey,
  policy: ProjectPolicy,
  { changedBy, changedAt }: { changedBy: string; changedAt: Date },
): Promise<void> {
  const values = {
    lead_minutes: policy.leadMinutes ?? null,
    review: policy.review,
    review_steps: JSON.stringify(policy.reviewSteps),
    stand_ins: JSON.stringify(policy.standIns),
    channel: policy.channel ?? null,
    owner_override: policy.ownerOverride ?? null,
    changed_by: changedBy,
    changed_at: changedAt,
  };
  await db
    .insertInto('project_policy')
    .values({ workspace, project, ...values })
    .onConflict((conflict) => conflict.columns(['workspace', 'project']).doUpdateSet(values))
    .execute();
}
