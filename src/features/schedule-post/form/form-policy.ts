import type { z } from 'zod';
import {
  DEFAULT_POLICY,
  type ProjectPolicy,
  projectPolicySchema,
} from '../../../preferences/project-policy.ts';

/** The settings of a project's policy that the form shows. */
export const formPolicySchema = projectPolicySchema.pick({
  leadMinutes: true,
  review: true,
  seriesReview: true,
  postingTimes: true,
  blackouts: true,
});
type FormPolicy = z.infer<typeof formPolicySchema>;
/** By the ids of the projects whose managers have set one. */
export type FormPolicies = Readonly<Record<string, FormPolicy>>;

export function toFormPolicies(policies: ReadonlyMap<string, ProjectPolicy>): FormPolicies {
  return Object.fromEntries(
    [...policies].map(([project, policy]) => [project, formPolicySchema.parse(policy)]),
  );
}

/** Finds the policy of the form's project. Without one, and without a project, it is the default. */
export function findFormPolicy(state: {
  values?: { project?: { id: string } | undefined } | undefined;
  formContext: { policies?: FormPolicies | undefined };
}): FormPolicy {
  return state.formContext.policies?.[state.values?.project?.id ?? ''] ?? DEFAULT_POLICY;
}
