import { z } from 'zod';
import { findInteractionWorkspace } from '../slack/actor.ts';

/** The workspace and organisation of a request from Slack. */
export interface RequestOrigin {
  workspace: string | undefined;
  organisation: string | undefined;
  /** Whether the request is for an organisation-wide installation. */
  isOrgWide: boolean;
}

/** An optional text. A value of another type counts as absent. */
const optionalText = z.string().optional().catch(undefined);

const originFields = z.object({
  // Events and commands. Slack sends the flag of a command as text.
  team_id: optionalText,
  enterprise_id: optionalText,
  is_enterprise_install: z
    .union([z.boolean(), z.string()])
    .transform((flag) => flag === true || flag === 'true')
    .optional()
    .catch(undefined),
  event: z.unknown().optional(),
  command: z.unknown().optional(),
  // In a channel that two workspaces share, `team_id` may be the other workspace.
  authorizations: z
    .array(
      z.object({
        team_id: optionalText,
        enterprise_id: optionalText,
        is_enterprise_install: z.boolean().optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
  // Presses, forms, searches and shortcuts. `team` is null if the app is installed in a whole organisation.
  team: z.object({ id: optionalText, enterprise_id: optionalText }).optional().catch(undefined),
  enterprise: z.object({ id: optionalText }).optional().catch(undefined),
  user: z.object({ team_id: optionalText }).optional().catch(undefined),
  view: z.object({ app_installed_team_id: optionalText }).optional().catch(undefined),
});

/** Reads where a request comes from. Unreadable fields count as absent. */
export function readOrigin(body: unknown): RequestOrigin {
  const fields = originFields.safeParse(body).data ?? {};
  const { authorizations: [authorization] = [], is_enterprise_install: isOrgWide = false } = fields;
  if (fields.event !== undefined && authorization) {
    return {
      workspace: authorization.team_id ?? fields.team_id,
      organisation: authorization.enterprise_id,
      isOrgWide: authorization.is_enterprise_install ?? false,
    };
  }
  if (fields.event !== undefined || fields.command !== undefined)
    return { workspace: fields.team_id, organisation: fields.enterprise_id, isOrgWide };
  return {
    workspace: findInteractionWorkspace(fields),
    organisation: fields.enterprise?.id ?? fields.team?.enterprise_id,
    isOrgWide,
  };
}
