import { z } from 'zod';
import type { Role } from '../../access/access.ts';
import { type FormValues, namedRecord } from '../../forms/field.ts';
import { type ContextLoader, formContextSchema, projectLoader } from '../../forms/form-context.ts';
import { checkboxesField, radioField, selectField } from '../../forms/inputs/choice.ts';
import { conversationField, groupsField, peopleField } from '../../forms/inputs/slack-choice.ts';
import { textField } from '../../forms/inputs/text.ts';
import type { Call } from '../../handlers/call.ts';
import { renderLead } from '../../posts/post-text.ts';
import {
  APPROVER_ROLES,
  type Approver,
  findPolicy,
  holdsPosts,
  MAX_ASKED_PEOPLE,
  MAX_LEAD_MINUTES,
  MIN_LEAD_MINUTES,
  type ProjectPolicy,
  projectPolicySchema,
  type ReviewStep,
  SUGGESTED_LEAD_MINUTES,
} from '../../preferences/project-policy.ts';
import type { GuestRule, SeriesReview, XAccount } from '../../preferences/tables.ts';
import { findZones, pickDefaultZone } from '../../preferences/zones.ts';
import { fetchGroupHandles } from '../../slack/fetch-people.ts';
import { understandShift } from '../../when/when.ts';
import {
  BLACKOUTS_EXAMPLE,
  POSTING_TIMES_EXAMPLE,
  renderBlackoutLines,
  renderTimesLines,
} from './calendar-fields.ts';
import { renderRoleAndAbove } from './policy-text.ts';

/** Maximum length of a lead. The longest useful one is like "1 hour and 30 minutes". */
const MAX_LEAD_LENGTH = 60;

const FAULTS = {
  unreadable: 'Write how long before, such as “1 hour”, “90 min” or “2 days”.',
  short: `At least ${renderLead(MIN_LEAD_MINUTES)}, so that there’s time to fix a post.`,
  long: `At most ${renderLead(MAX_LEAD_MINUTES)}.`,
} as const;

/** Parses how long before its time a post is handed over: "1 hour", "90 min before", "2 days", "1h30". */
export function parseLead(
  text: string,
  locale?: string,
): { kind: 'lead'; minutes: number } | { kind: 'fault'; fault: string } {
  const duration = text.trim().replace(/(?<!\s)\s+ahead$/i, '');
  // A duration is the same at any time.
  const question = { text: duration, now: new Date(0), zone: 'UTC', locale };
  const directed = understandShift(question);
  const shift = directed ?? understandShift({ ...question, mayBeBare: true });
  const signedMinutes = shift ? shift.days * 24 * 60 + shift.minutes : 0;
  if (!shift && /^0+(?![\d.,:])/.test(duration)) return { kind: 'fault', fault: FAULTS.short };
  // "1 hour later" and "in 1 hour" are after something.
  const isAfter = (directed && signedMinutes > 0) || /^(?:in|after)\b/i.test(duration);
  if (!shift || isAfter) return { kind: 'fault', fault: FAULTS.unreadable };
  const minutes = Math.abs(signedMinutes);
  if (shift.months !== 0 || minutes > MAX_LEAD_MINUTES) return { kind: 'fault', fault: FAULTS.long };
  return minutes < MIN_LEAD_MINUTES ? { kind: 'fault', fault: FAULTS.short } : { kind: 'lead', minutes };
}

/** The choice of no role, so that only the named people and groups approve. */
const NO_ROLE = 'none';
export const OVERRIDE_OPTION = 'override';
export const SAME_PERSON_OPTION = 'same-person';

/** What the checkboxes say, for the errors that name them. */
export const OVERRIDE_NAME = 'Require a review even if fewer than two people can approve';
export const SAME_PERSON_NAME = 'The same person may approve several steps';

type RoleChoice = Role | typeof NO_ROLE;

function createRoleField(label: string, initial: RoleChoice) {
  return selectField<RoleChoice>({
    label,
    initial,
    choices: [
      ...APPROVER_ROLES.map((role) => ({ value: role, name: renderRoleAndAbove(role) })),
      { value: NO_ROLE, name: 'Only the people and groups below' },
    ],
  });
}

function createNeedsField(label: string) {
  return radioField<'any' | 'all'>({
    label,
    initial: 'any',
    choices: [
      { value: 'any', name: 'Any one of them is enough' },
      { value: 'all', name: 'All of them have to approve' },
    ],
  });
}

/** The lead is checked by the form, because it is required only if posts are held. */
const leadField = {
  ...textField({
    label: 'Hand posts over this long before they go out',
    maxLength: MAX_LEAD_LENGTH,
    placeholder: renderLead(SUGGESTED_LEAD_MINUTES),
  }),
  validate: () => undefined,
};

/** The fields of the policy form, in the order in which the form shows them. */
export const fields = {
  holding: selectField<'right-away' | 'hold'>({
    label: 'When posts go to the scheduling service',
    isLive: true,
    choices: [
      { value: 'right-away', name: 'Right away' },
      { value: 'hold', name: 'Keep them editable until shortly before their time' },
    ],
  }),
  lead: leadField,
  review: selectField<'off' | 'optional' | 'required'>({
    label: 'Review',
    isLive: true,
    choices: [
      { value: 'off', name: 'Off' },
      { value: 'optional', name: 'Optional: authors can send posts for review' },
      { value: 'required', name: 'Required for every post' },
    ],
  }),
  role1: createRoleField('Who approves', 'manager'),
  people1: peopleField({ label: 'And these people', optional: true }),
  groups1: groupsField({ label: 'And these user groups', optional: true }),
  needs1: createNeedsField('How many'),
  role2: createRoleField('Step 2: who approves', NO_ROLE),
  people2: peopleField({ label: 'Step 2: people', optional: true }),
  groups2: groupsField({ label: 'Step 2: user groups', optional: true }),
  needs2: createNeedsField('Step 2: how many'),
  role3: createRoleField('Step 3: who approves', NO_ROLE),
  people3: peopleField({ label: 'Step 3: people', optional: true }),
  groups3: groupsField({ label: 'Step 3: user groups', optional: true }),
  needs3: createNeedsField('Step 3: how many'),
  stepPeople: checkboxesField({
    label: 'Several steps',
    optional: true,
    choices: [
      {
        value: SAME_PERSON_OPTION,
        name: SAME_PERSON_NAME,
        description: 'Otherwise each step needs somebody who hasn’t approved an earlier one.',
      },
    ],
  }),
  seriesReview: radioField<SeriesReview>({
    label: 'Posts that repeat',
    initial: 'each',
    choices: [
      { value: 'each', name: 'Review each post' },
      { value: 'once', name: 'Review each text once' },
    ],
  }),
  standIns: peopleField({
    label: 'Stand-ins',
    hint: 'They may approve instead of anyone else, in every step.',
    optional: true,
  }),
  channel: conversationField({
    label: 'Where requests and problems go',
    hint: `If empty, I ask up to ${MAX_ASKED_PEOPLE} people in direct messages, and problems go to where a post was written.`,
    placeholder: 'Direct messages',
    optional: true,
  }),
  guests: radioField<GuestRule>({
    label: 'Guests of this workspace',
    initial: 'allowed',
    choices: [
      { value: 'allowed', name: 'Read what I post in their channels' },
      {
        value: 'kept-out',
        name: 'Kept out: I post nothing where guests are',
        description: 'No digests, cards, review requests or shares.',
      },
    ],
  }),
  xAccount: radioField<XAccount>({
    label: 'Account on X',
    initial: 'free',
    choices: [
      { value: 'free', name: 'Up to 280 characters' },
      { value: 'paid', name: 'Up to 25,000 characters: it pays for X Premium' },
    ],
  }),
  postingTimes: textField({
    label: 'Posting times',
    hint: `A line for each platform, such as “${POSTING_TIMES_EXAMPLE}”. “Next slot” takes the first free one.`,
    placeholder: POSTING_TIMES_EXAMPLE,
    multiline: true,
    optional: true,
  }),
  blackouts: textField({
    label: 'Blackout days',
    hint: `A line for each, such as “${BLACKOUTS_EXAMPLE}”. Slots and series skip them.`,
    placeholder: BLACKOUTS_EXAMPLE,
    multiline: true,
    optional: true,
  }),
  override: checkboxesField({
    label: 'As an Owner',
    optional: true,
    choices: [
      {
        value: OVERRIDE_OPTION,
        name: OVERRIDE_NAME,
        description: 'Recorded in the audit log.',
      },
    ],
  }),
};
export type PolicyFields = typeof fields;
type PolicyValues = FormValues<PolicyFields>;

/** The numbers of the steps. Only the first is shown until [Add a step]. */
export const STEP_NUMBERS = [1, 2, 3] as const;

export const STEP_FIELDS = {
  1: ['role1', 'people1', 'groups1', 'needs1'],
  2: ['role2', 'people2', 'groups2', 'needs2'],
  3: ['role3', 'people3', 'groups3', 'needs3'],
} as const satisfies Record<(typeof STEP_NUMBERS)[number], readonly (keyof PolicyFields)[]>;

/** The fields that each button shows. */
export const GROUPS = [
  { button: 'show-times', label: 'Posting times', names: ['postingTimes'] },
  { button: 'show-days', label: 'Blackout days', names: ['blackouts'] },
  {
    button: 'show-more',
    label: 'More options',
    names: ['seriesReview', 'standIns', 'channel', 'guests', 'xAccount', 'override'],
  },
] as const satisfies { button: string; label: string; names: readonly (keyof PolicyFields)[] }[];

export const HIDEABLE_FIELDS = [
  'lead',
  ...STEP_FIELDS[1],
  ...STEP_FIELDS[2],
  ...STEP_FIELDS[3],
  'stepPeople',
  ...GROUPS[0].names,
  ...GROUPS[1].names,
  ...GROUPS[2].names,
] as const satisfies (keyof PolicyFields)[];
export type HideableField = (typeof HIDEABLE_FIELDS)[number];

/** Converts a policy to the form's values; undefined for initial ones. `groupNames`: its user groups' names, by id. */
function toValues(
  policy: ProjectPolicy,
  { groupNames, now }: { groupNames: ReadonlyMap<string, string>; now: Date },
): { [Name in keyof PolicyFields]: PolicyValues[Name] | undefined } {
  const { leadMinutes, review, seriesReview, reviewSteps, standIns, channel = '' } = policy;
  const { postingTimes, blackouts, guests, xAccount, stepPeople } = policy;
  const [first, second, third] = reviewSteps.map((step) => toStepValues(step, groupNames));
  return {
    holding: holdsPosts(policy) ? 'hold' : 'right-away',
    lead: renderLead(leadMinutes ?? SUGGESTED_LEAD_MINUTES),
    ...{ review, seriesReview },
    ...{ role1: first?.role, people1: first?.people, groups1: first?.groups, needs1: first?.needs },
    ...{ role2: second?.role, people2: second?.people, groups2: second?.groups, needs2: second?.needs },
    ...{ role3: third?.role, people3: third?.people, groups3: third?.groups, needs3: third?.needs },
    stepPeople: stepPeople === 'any' ? [SAME_PERSON_OPTION] : [],
    standIns: [...standIns],
    channel,
    guests,
    xAccount,
    postingTimes: renderTimesLines(postingTimes, now),
    blackouts: renderBlackoutLines(blackouts, now),
    // An owner confirms the override with each change.
    override: undefined,
  };
}

function toStepValues({ approvers, needs }: ReviewStep, groupNames: ReadonlyMap<string, string>) {
  const role = approvers.find(({ kind }) => kind === 'role');
  return {
    role: role?.kind === 'role' ? role.role : NO_ROLE,
    people: approvers.flatMap((approver) => (approver.kind === 'person' ? [approver.id] : [])),
    groups: approvers.flatMap((approver) =>
      approver.kind === 'group'
        ? [{ id: approver.id, name: groupNames.get(approver.id) ?? approver.id }]
        : [],
    ),
    needs,
  } as const;
}

/** Reads the steps from the first `count` steps of the form. A step may have no approvers. */
export function readSteps(values: PolicyValues, count: number): ReviewStep[] {
  return STEP_NUMBERS.slice(0, count).map((step) => {
    const role = values[`role${step}`];
    const approvers: Approver[] = [
      ...(role === NO_ROLE || role === '' ? [] : [{ kind: 'role', role } as const]),
      ...values[`people${step}`].map((id) => ({ kind: 'person', id }) as const),
      ...values[`groups${step}`].map(({ id }) => ({ kind: 'group', id }) as const),
    ];
    return { approvers, needs: values[`needs${step}`] === 'all' ? 'all' : 'any' };
  });
}

const policyContextSchema = formContextSchema.extend({
  /** The project whose policy the form changes. */
  project: namedRecord,
  /** The policy when the form was opened. */
  storedPolicy: projectPolicySchema,
  /** The IANA zone of posting times that name none; absent if it isn't known. */
  zone: z.string().optional(),
  /** Whether the actor may require a review that fewer than two people can approve. */
  isOwner: z.boolean(),
  /** The number of the policy's steps. */
  stepCount: z.number(),
  /** The fields that somebody has opened, or that have an error. They stay open. */
  openFields: z.array(z.string()).optional(),
});
export type PolicyContext = z.infer<typeof policyContextSchema>;

/** The policy that the form asks for, before its approvers are checked. */
export interface PolicyContent {
  policy: ProjectPolicy;
  /** Whether an owner requires a review although fewer than two people can approve. */
  isOverridden: boolean;
}

export const policyContextLoader: ContextLoader<PolicyContext> = {
  schema: policyContextSchema,
  async load(call, options) {
    const requestedId = namedRecord.safeParse(options.prefill?.project).data?.id;
    const result = await projectLoader.load(call, options);
    if ('failureText' in result) return result;
    const { projects, preselectedProject } = result.formContext;
    const project =
      requestedId === undefined ? preselectedProject : projects.find(({ id }) => id === requestedId);
    if (!project) return { failureText: 'I couldn’t find this project. Type `/upnext policy` and its name.' };
    const { workspace, user } = call.actor;
    const [storedPolicy, zones] = await Promise.all([
      findPolicy(call.context.db, { workspace, project: project.id }),
      findZones(call.context.db, { workspace, user, channel: undefined }),
    ]);
    const profile = result.formContext.actorZone;
    const zone = pickDefaultZone({ ...zones, profile }, project.id)?.zone;
    return {
      formContext: {
        ...result.formContext,
        project,
        storedPolicy,
        ...(zone !== undefined && { zone }),
        isOwner: call.may('owner'),
        stepCount: Math.max(1, storedPolicy.reviewSteps.length),
      },
      prefill: toValues(storedPolicy, {
        groupNames: await readGroupNames(call, storedPolicy),
        now: call.now(),
      }),
    };
  },
};

/** Reads the handles of a policy's user groups from Slack, by id. */
async function readGroupNames(
  call: Call,
  { reviewSteps }: ProjectPolicy,
): Promise<ReadonlyMap<string, string>> {
  const ids = reviewSteps.flatMap(({ approvers }) =>
    approvers.flatMap((approver) => (approver.kind === 'group' ? [approver.id] : [])),
  );
  const handles = ids.length === 0 ? undefined : await fetchGroupHandles(call);
  return new Map(
    ids.map((id) => {
      const handle = handles?.get(id);
      return [id, handle === undefined ? 'A user group' : `@${handle}`];
    }),
  );
}
