import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { BotSchema } from '../store/schema.ts';
import type { ReviewMode } from './tables.ts';

export const REVIEW_MODES = ['off', 'optional', 'required'] as const satisfies ReviewMode[];

/** Maximum number of review steps. Our own limit: with more, nobody knows whose turn it is. */
export const MAX_REVIEW_STEPS = 3;

/**
 * Limits of the lead, in minutes. With less than 15, nobody could fix a refused post in time. With more than 7 days,
 * most posts would be handed over when they are written.
 */
export const [MIN_LEAD_MINUTES, MAX_LEAD_MINUTES] = [15, 7 * 24 * 60];
export const SUGGESTED_LEAD_MINUTES = 60;

const approverSchema = z.discriminatedUnion('kind', [
  /** Everybody with this role or a higher one in the project. */
  z.object({ kind: z.literal('role'), role: z.enum(['contributor', 'publisher', 'manager', 'owner']) }),
  /** A Slack user. */
  z.object({ kind: z.literal('person'), id: z.string() }),
  /** The members of a Slack user group. */
  z.object({ kind: z.literal('group'), id: z.string() }),
]);
export type Approver = z.infer<typeof approverSchema>;

const reviewStepSchema = z.object({
  approvers: z.array(approverSchema),
  /** Whether one approval is enough, or everybody has to approve. */
  needs: z.enum(['any', 'all']),
});
export type ReviewStep = z.infer<typeof reviewStepSchema>;

/** How the posts of a project reach the service. */
export interface ProjectPolicy {
  /** How long before its time a post is handed over. Undefined: posts go to the service right away. */
  leadMinutes: number | undefined;
  review: ReviewMode;
  /** The steps of a review, in their order. */
  reviewSteps: readonly ReviewStep[];
  /** Slack ids of the people who may approve instead of an approver, in every step. */
  standIns: readonly string[];
  /** The channel for review requests and for posts that need a decision. Undefined for direct messages. */
  channel: string | undefined;
  /** The owner who required a review although fewer than two people can approve. */
  ownerOverride: string | undefined;
}

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

/** Computes when a post is handed over: its time minus the lead. */
export function computeHandOverAt(
  { leadMinutes = 0 }: Pick<ProjectPolicy, 'leadMinutes'>,
  publishAt: Date,
): Date {
  return new Date(publishAt.getTime() - leadMinutes * 60_000);
}

/** Finds the policy of a project. Resolves with the default if its managers have set none. */
export async function findPolicy(
  db: Kysely<BotSchema>,
  { workspace, project }: ProjectKey,
): Promise<ProjectPolicy> {
  const row = await db
    .selectFrom('project_policy')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('project', '=', project)
    .executeTakeFirst();
  if (!row) return DEFAULT_POLICY;
  return {
    leadMinutes: row.lead_minutes ?? undefined,
    review: row.review,
    reviewSteps: z.array(reviewStepSchema).parse(row.review_steps),
    standIns: z.array(z.string()).parse(row.stand_ins),
    channel: row.channel ?? undefined,
    ownerOverride: row.owner_override ?? undefined,
  };
}

/** Stores the policy of a project. */
export async function savePolicy(
  db: Kysely<BotSchema>,
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
