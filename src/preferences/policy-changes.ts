import type { ProjectPolicy, ReviewStep } from './project-policy.ts';

/** The fields of a policy in the audit log, each as one text without `;` and `>`. '' for nothing. */
const FIELDS = {
  lead: ({ leadMinutes }: ProjectPolicy) => String(leadMinutes ?? ''),
  review: ({ review }: ProjectPolicy) => review,
  step1: ({ reviewSteps }: ProjectPolicy) => describeStep(reviewSteps[0]),
  step2: ({ reviewSteps }: ProjectPolicy) => describeStep(reviewSteps[1]),
  step3: ({ reviewSteps }: ProjectPolicy) => describeStep(reviewSteps[2]),
  'stand-ins': ({ standIns }: ProjectPolicy) => standIns.map((id) => `person:${id}`).join(' '),
  channel: ({ channel = '' }: ProjectPolicy) => channel,
  override: ({ ownerOverride }: ProjectPolicy) =>
    ownerOverride === undefined ? '' : `person:${ownerOverride}`,
} as const;
export type PolicyField = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS).filter(isField);

/** A changed field of a policy. */
interface PolicyChange {
  field: PolicyField;
  before: string;
  after: string;
}

/** Describes a step: "any role:publisher person:U1 group:S1". */
function describeStep(step: ReviewStep | undefined): string {
  if (!step) return '';
  const approvers = step.approvers.map((one) => `${one.kind}:${one.kind === 'role' ? one.role : one.id}`);
  return [step.needs, ...approvers].join(' ');
}

/** Describes what changed for the audit log: "lead 60 > 120; review off > required". */
export function describePolicyChanges(before: ProjectPolicy, after: ProjectPolicy): string {
  return FIELD_NAMES.flatMap((field) => {
    const [from, to] = [FIELDS[field](before), FIELDS[field](after)];
    return from === to ? [] : [`${field} ${from} > ${to}`];
  }).join('; ');
}

/** Parses what `describePolicyChanges` has described. Leaves out fields that this version doesn't know. */
export function parsePolicyChanges(description: string): PolicyChange[] {
  return description.split('; ').flatMap((text) => {
    const [, field = '', before = '', after = ''] = /^(\S+) (.*) > (.*)$/.exec(text) ?? [];
    return isField(field) ? [{ field, before, after }] : [];
  });
}

function isField(name: string): name is PolicyField {
  return Object.hasOwn(FIELDS, name);
}
