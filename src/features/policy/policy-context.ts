import { z } from 'zod';
import { namedRecord } from '../../forms/field.ts';
import { type ContextLoader, formContextSchema, projectLoader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { findPolicy, type ProjectPolicy, projectPolicySchema } from '../../preferences/project-policy.ts';
import { findZones, pickDefaultZone } from '../../preferences/zones.ts';
import { fetchGroupHandles } from '../../slack/fetch-people.ts';
import { toValues } from './policy-fields.ts';

const policyContextSchema = formContextSchema.extend({
  /** The project whose policy the form changes. */
  project: namedRecord,
  /** The policy when the form was opened. */
  storedPolicy: projectPolicySchema,
  /** The IANA zone of posting times that name none; absent if it isn't known. */
  zone: z.string().optional(),
  /** Whether the actor may require a review that fewer than two people can approve. */
  isOwner: z.boolean(),
  /** The number of steps that the form shows. */
  stepCount: z.number(),
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
