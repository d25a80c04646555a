import { z } from 'zod';
import { namedRecord } from '../../forms/field.ts';
import { type ContextLoader, formContextSchema, projectLoader } from '../../forms/form-context.ts';
import { findPolicy, type ProjectPolicy, projectPolicySchema } from '../../preferences/project-policy.ts';
import { hideableValuesSchema, toValues } from './policy-values.ts';
import { readGroupNames } from './read-group-names.ts';

const policyContextSchema = formContextSchema.extend({
  /** The project whose policy the form changes. */
  project: namedRecord,
  /** The policy when the form was opened. */
  storedPolicy: projectPolicySchema,
  /** Whether the actor may require a review that fewer than two people can approve. */
  isOwner: z.boolean(),
  /** The number of steps that the form shows. */
  stepCount: z.number(),
  /** The latest values of the fields that the form may hide. */
  hideableValues: hideableValuesSchema.optional(),
});
export type PolicyContext = z.infer<typeof policyContextSchema>;
/** The policy that the form asks for, before its approvers are checked. */
export interface PolicyContent {
  policy: ProjectPolicy;
  /** Whether an owner requires a review although fewer than two people can approve. */
  isOverridden: boolean;
}

/** Loads the policy of the prefilled project. */
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
    const storedPolicy = await findPolicy(call.context.db, {
      workspace: call.actor.workspace,
      project: project.id,
    });
    return {
      formContext: {
        ...result.formContext,
        project,
        storedPolicy,
        isOwner: call.may('owner'),
        stepCount: Math.max(1, storedPolicy.reviewSteps.length),
      },
      prefill: toValues(storedPolicy, await readGroupNames(call, storedPolicy)),
    };
  },
};
