import { z } from 'zod';
import { type FormValues, namedRecord } from '../../forms/field.ts';
import { renderLead } from '../../posts/post-text.ts';
import {
  type Approver,
  type ProjectPolicy,
  type ReviewStep,
  SUGGESTED_LEAD_MINUTES,
} from '../../preferences/project-policy.ts';
import { fields, NO_ROLE, type PolicyFields, STEP_NUMBERS, type StepNumber } from './policy-fields.ts';

type PolicyValues = FormValues<PolicyFields>;

/** The values of the fields that the form may hide. Slack doesn't send them while they are hidden. */
export const hideableValuesSchema = z.object({
  lead: fields.lead.valueSchema,
  ...{ role1: fields.role1.valueSchema, role2: fields.role2.valueSchema, role3: fields.role3.valueSchema },
  ...{ people1: z.array(z.string()), people2: z.array(z.string()), people3: z.array(z.string()) },
  ...{ groups1: z.array(namedRecord), groups2: z.array(namedRecord), groups3: z.array(namedRecord) },
  ...{
    needs1: fields.needs1.valueSchema,
    needs2: fields.needs2.valueSchema,
    needs3: fields.needs3.valueSchema,
  },
  standIns: z.array(z.string()),
  channel: z.string(),
  override: z.array(z.string()),
});

/** Converts a policy to the values of the form. `groupNames`: the names of its user groups, by id. */
export function toValues(
  policy: ProjectPolicy,
  groupNames: ReadonlyMap<string, string>,
): Partial<PolicyValues> {
  const { leadMinutes, review, reviewSteps, standIns, channel = '' } = policy;
  const [first, second, third] = reviewSteps.map((step) => toStepValues(step, groupNames));
  return {
    holding: leadMinutes === undefined ? 'right-away' : 'hold',
    lead: renderLead(leadMinutes ?? SUGGESTED_LEAD_MINUTES),
    review,
    ...(first && { role1: first.role, people1: first.people, groups1: first.groups, needs1: first.needs }),
    ...(second && {
      role2: second.role,
      people2: second.people,
      groups2: second.groups,
      needs2: second.needs,
    }),
    ...(third && { role3: third.role, people3: third.people, groups3: third.groups, needs3: third.needs }),
    standIns: [...standIns],
    channel,
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
  return STEP_NUMBERS.slice(0, count).map((step) => readStep(values, step));
}

function readStep(values: PolicyValues, step: StepNumber): ReviewStep {
  const role = values[`role${step}`];
  const approvers: Approver[] = [
    ...(role === NO_ROLE || role === '' ? [] : [{ kind: 'role', role } as const]),
    ...values[`people${step}`].map((id) => ({ kind: 'person', id }) as const),
    ...values[`groups${step}`].map(({ id }) => ({ kind: 'group', id }) as const),
  ];
  return { approvers, needs: values[`needs${step}`] === 'all' ? 'all' : 'any' };
}
