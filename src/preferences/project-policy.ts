import type { Insertable, Selectable, SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { ROLE_TABLE, ROLES } from '../access/roles.ts';
import type { Platform } from '../api/platforms.ts';
import type { Queryable } from '../store/database.ts';
import { lockUntilEnd } from '../store/locks.ts';
import { renderRecurrence } from '../when/recurrence.ts';
import { projectCalendarSchema } from './posting-times.ts';
import {
  GUEST_RULES,
  type PreferenceTables,
  REVIEW_MODES,
  SERIES_REVIEWS,
  STEP_PEOPLE,
  X_ACCOUNTS,
} from './tables.ts';

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

/** A value that a project may lack: null in its column, absent in JSON, undefined in a policy. */
function orNone<Value>(schema: z.ZodType<Value>) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/**
 * How the posts of a project reach the service, with the policy of a project whose managers have set none. A new
 * setting begins here: without its column, its name in the audit log, its input and its line of text, it doesn't
 * compile.
 */
export const projectPolicySchema = z.object({
  /** How long before its time a post is handed over. Undefined: posts go to the service right away. */
  leadMinutes: orNone(z.number()),
  review: z.enum(REVIEW_MODES).default('off'),
  /** `once`: an approval of a post of a series counts for its other posts that differ only in their time. */
  seriesReview: z.enum(SERIES_REVIEWS).default('each'),
  /** The steps of a review, in their order. A project without reviews keeps them for when it has reviews again. */
  reviewSteps: z.array(reviewStepSchema).readonly().default([]),
  /**
   * `different`: nobody approves two steps of a version. `any`: whoever is an approver of several steps may approve each.
   */
  stepPeople: z.enum(STEP_PEOPLE).default('different'),
  /** Slack ids of the people who may approve instead of an approver, in every step. */
  standIns: z.array(z.string()).readonly().default([]),
  /** The channel for review requests and for posts that need a decision. Undefined for direct messages. */
  channel: orNone(z.string()),
  /**
   * `kept-out`: no digest, card, review request or share of the project is posted to a channel with guests, and what
   * stands there becomes one line. Guests are allowed by default, because they are in many teams' channels on purpose, and
   * a team that has chosen nothing must not find its digests paused.
   */
  guests: z.enum(GUEST_RULES).default('allowed'),
  xAccount: z.enum(X_ACCOUNTS).default('free'),
  ...projectCalendarSchema.shape,
  /** The owner who required a review although fewer than two people can approve. */
  ownerOverride: orNone(z.string()),
});
export type ProjectPolicy = z.infer<typeof projectPolicySchema>;
export type PolicySetting = keyof ProjectPolicy;

export const DEFAULT_POLICY: ProjectPolicy = projectPolicySchema.parse({});

type PolicyTable = PreferenceTables['project_policy'];
type SettingColumn = Exclude<keyof PolicyTable, keyof ProjectKey>;

interface StoredSetting {
  column: SettingColumn;
  /**
   * What a change affects: waiting posts, about which the manager is asked, the approvals that posts need, or the dates of
   * series.
   */
  affects: 'waiting-posts' | 'approvals' | 'series-dates' | 'nothing';
  /** The parts of the setting in the audit log, each as one text without `;` and `>`. '' for nothing. */
  parts: Readonly<Record<string, (policy: ProjectPolicy) => string>>;
}

const SETTINGS: Readonly<Record<PolicySetting, StoredSetting>> = {
  leadMinutes: {
    column: 'lead_minutes',
    affects: 'waiting-posts',
    parts: { lead: ({ leadMinutes }) => String(leadMinutes ?? '') },
  },
  review: { column: 'review', affects: 'waiting-posts', parts: { review: ({ review }) => review } },
  seriesReview: {
    column: 'series_review',
    affects: 'nothing',
    parts: { series: ({ seriesReview }) => seriesReview },
  },
  reviewSteps: {
    column: 'review_steps',
    affects: 'approvals',
    parts: {
      step1: ({ reviewSteps }) => describeStep(reviewSteps[0]),
      step2: ({ reviewSteps }) => describeStep(reviewSteps[1]),
      step3: ({ reviewSteps }) => describeStep(reviewSteps[2]),
    },
  },
  stepPeople: {
    column: 'step_people',
    affects: 'approvals',
    parts: { 'step-people': ({ stepPeople }) => stepPeople },
  },
  standIns: {
    column: 'stand_ins',
    affects: 'approvals',
    parts: { 'stand-ins': ({ standIns }) => standIns.map((id) => `person:${id}`).join(' ') },
  },
  channel: { column: 'channel', affects: 'nothing', parts: { channel: ({ channel = '' }) => channel } },
  xAccount: { column: 'x_account', affects: 'nothing', parts: { 'x-account': ({ xAccount }) => xAccount } },
  guests: { column: 'guests', affects: 'nothing', parts: { guests: ({ guests }) => guests } },
  postingTimes: {
    column: 'posting_times',
    affects: 'nothing',
    parts: { 'posting-times': ({ postingTimes }) => describeAll(postingTimes.map(describePostingTimes)) },
  },
  blackouts: {
    column: 'blackouts',
    affects: 'series-dates',
    parts: {
      blackouts: ({ blackouts }) =>
        describeAll(
          blackouts.map(({ from, to, name }) => `${from === to ? from : `${from} to ${to}`}: ${name}`),
        ),
    },
  },
  ownerOverride: {
    column: 'owner_override',
    affects: 'nothing',
    parts: { override: ({ ownerOverride: id }) => (id === undefined ? '' : `person:${id}`) },
  },
};
const SETTING_NAMES = Object.keys(SETTINGS).filter(isSetting);

function isSetting(name: string): name is PolicySetting {
  return Object.hasOwn(SETTINGS, name);
}

/** Describes a step: "any role:publisher person:U1 group:S1". */
function describeStep(step: ReviewStep | undefined): string {
  if (!step) return '';
  const approvers = step.approvers.map((one) => `${one.kind}:${one.kind === 'role' ? one.role : one.id}`);
  return [step.needs, ...approvers].join(' ');
}

function describePostingTimes({ platforms, recurrence }: ProjectPolicy['postingTimes'][number]): string {
  return `${platforms.length === 0 ? 'all' : platforms.join(', ')}: ${renderRecurrence(recurrence)}`;
}

/** The separators of the description don't occur in its parts. */
function describeAll(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll(/[;>]/g, ',')).join(' | ');
}

/** Describes what changed for the audit log: "lead 60 > 120; review off > required". */
export function describePolicyChanges(before: ProjectPolicy, after: ProjectPolicy): string {
  return SETTING_NAMES.flatMap((name) => Object.entries(SETTINGS[name].parts))
    .flatMap(([part, describe]) => {
      const [from, to] = [describe(before), describe(after)];
      return from === to ? [] : [`${part} ${from} > ${to}`];
    })
    .join('; ');
}

/** Parses what `describePolicyChanges` has described. Leaves out parts that this version doesn't know. */
export function parsePolicyChanges(description: string) {
  return description.split('; ').flatMap((text) => {
    const [, part = '', before = '', after = ''] = /^(\S+) (.*) > (.*)$/.exec(text) ?? [];
    const setting = SETTING_NAMES.find((name) => Object.hasOwn(SETTINGS[name].parts, part));
    return setting ? [{ setting, part, before, after }] : [];
  });
}

function listChangedSettings(before: ProjectPolicy, after: ProjectPolicy): PolicySetting[] {
  // The schema gives both the same order of keys.
  const [one, other] = [projectPolicySchema.parse(before), projectPolicySchema.parse(after)];
  return SETTING_NAMES.filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

function isSamePolicy(one: ProjectPolicy, other: ProjectPolicy): boolean {
  return listChangedSettings(one, other).length === 0;
}

/** Whether a change of a policy affects waiting posts, the approvals that posts need, or the dates of series. */
export function changeAffects(
  subject: StoredSetting['affects'],
  before: ProjectPolicy,
  after: ProjectPolicy,
): boolean {
  return listChangedSettings(before, after).some((name) => SETTINGS[name].affects === subject);
}

/** Whether nothing about the project may be posted where guests read it. */
export function keepsGuestsOut({ guests }: Pick<ProjectPolicy, 'guests'>): boolean {
  return guests === 'kept-out';
}

/** The platforms whose accounts pay for longer texts. */
export function listPaidPlatforms({ xAccount }: Pick<ProjectPolicy, 'xAccount'>): Platform[] {
  return xAccount === 'paid' ? ['X'] : [];
}

export interface ProjectKey {
  workspace: string;
  /** The project's id in the service. */
  project: string;
}

/** Whether posts of the project are held by Upnext until shortly before their time. */
export function holdsPosts({ leadMinutes }: Pick<ProjectPolicy, 'leadMinutes'>): boolean {
  return leadMinutes !== undefined;
}

/** Whether people may send posts of the project for review. */
export function mayBeReviewed(policy: Pick<ProjectPolicy, 'leadMinutes' | 'review'>): boolean {
  return holdsPosts(policy) && policy.review !== 'off';
}

/** Whether every post of the project needs approvals before it goes out. */
export function requiresReview(policy: Pick<ProjectPolicy, 'leadMinutes' | 'review'>): boolean {
  return holdsPosts(policy) && policy.review === 'required';
}

/** Whether the reviewers of a series are asked once about each of its texts. */
export function reviewsSeriesOnce(policy: Pick<ProjectPolicy, 'review' | 'seriesReview'>): boolean {
  const { review, seriesReview } = policy;
  return review !== 'off' && seriesReview === 'once';
}

/** Computes when a post is handed over: the lead before its time, or at once if the project holds no posts any more. */
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
  return toPolicy(await selectPolicies(db, workspace).where('project', '=', project).executeTakeFirst());
}

/** Selects the policies of a workspace. `toPolicy` reads the rows. Projects without a row have the default. */
export function selectPolicies(
  db: Queryable<PreferenceTables>,
  workspace: string,
): SelectQueryBuilder<PreferenceTables, 'project_policy', PolicyRow> {
  return db
    .selectFrom('project_policy')
    .select(['project', ...SETTING_NAMES.map((name) => SETTINGS[name].column)])
    .where('workspace', '=', workspace);
}

export type PolicyRow = Pick<Selectable<PolicyTable>, SettingColumn | 'project'>;

/** Lists the policies of a workspace by the ids of their projects. Projects without a row have the default. */
export async function listPolicies(
  db: Queryable<PreferenceTables>,
  workspace: string,
): Promise<ReadonlyMap<string, ProjectPolicy>> {
  return toPolicies(await selectPolicies(db, workspace).execute());
}

export function toPolicies(rows: readonly PolicyRow[]): ReadonlyMap<string, ProjectPolicy> {
  return new Map(rows.map((row) => [row.project, toPolicy(row)]));
}

/** Reads the policy from its row. Without a row it is the default. */
export function toPolicy(row: PolicyRow | undefined): ProjectPolicy {
  if (!row) return DEFAULT_POLICY;
  return projectPolicySchema.parse(
    Object.fromEntries(SETTING_NAMES.map((name) => [name, row[SETTINGS[name].column]])),
  );
}

/** Converts a policy to its columns. `Required`, because a nullable column could be left out. */
function toColumns(policy: ProjectPolicy): Required<Pick<Insertable<PolicyTable>, SettingColumn>> {
  return {
    lead_minutes: policy.leadMinutes ?? null,
    review: policy.review,
    series_review: policy.seriesReview,
    review_steps: JSON.stringify(policy.reviewSteps),
    step_people: policy.stepPeople,
    stand_ins: JSON.stringify(policy.standIns),
    channel: policy.channel ?? null,
    guests: policy.guests,
    x_account: policy.xAccount,
    posting_times: JSON.stringify(policy.postingTimes),
    blackouts: JSON.stringify(policy.blackouts),
    owner_override: policy.ownerOverride ?? null,
  };
}

/**
 * Changes the policy of a project in a transaction. `same`: the project has the new policy already, for example because
 * the form came twice. `conflict`: the policy isn't `expected` any more, so nothing was changed.
 */
export async function changePolicy(
  transaction: Queryable<PreferenceTables>,
  { workspace, project }: ProjectKey,
  { expected, policy }: { expected: ProjectPolicy; policy: ProjectPolicy },
): Promise<'changed' | 'same' | 'conflict'> {
  // The lock also works for a project without a row.
  await lockUntilEnd(transaction, `policy ${workspace}/${project}`);
  const storedPolicy = await findPolicy(transaction, { workspace, project });
  if (!isSamePolicy(storedPolicy, expected)) return isSamePolicy(storedPolicy, policy) ? 'same' : 'conflict';
  await savePolicy(transaction, { workspace, project }, policy);
  return 'changed';
}

/** Stores the first policy of a project in a transaction. Resolves with false if somebody has stored one before. */
export async function createPolicy(
  transaction: Queryable<PreferenceTables>,
  { workspace, project }: ProjectKey,
  policy: ProjectPolicy,
): Promise<boolean> {
  await lockUntilEnd(transaction, `policy ${workspace}/${project}`);
  const inserted = await transaction
    .insertInto('project_policy')
    .values({ workspace, project, ...toColumns(policy) })
    .onConflict((conflict) => conflict.columns(['workspace', 'project']).doNothing())
    .returning('project')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function savePolicy(
  db: Queryable<PreferenceTables>,
  { workspace, project }: ProjectKey,
  policy: ProjectPolicy,
): Promise<void> {
  const values = toColumns(policy);
  await db
    .insertInto('project_policy')
    .values({ workspace, project, ...values })
    .onConflict((conflict) => conflict.columns(['workspace', 'project']).doUpdateSet(values))
    .execute();
}
