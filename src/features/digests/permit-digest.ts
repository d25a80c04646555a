import { type AuditAction, buildDoneEntry } from '../../access/access.ts';
import { type DigestSettings, isPersonal } from '../../digests/digest.ts';
import { listDigestProjects } from '../../digests/sql/digests.ts';
import { type Conversation, getAudience } from '../../forms/conversation.ts';
import type { Call } from '../../handlers/call.ts';
import { permitSharingWithOutsiders } from '../../handlers/share-outside.ts';
import { isInternal } from '../../slack/audience.ts';

type DigestScope = Pick<DigestSettings, 'channel' | 'projects'>;

/**
 * Throws NotAllowed unless the actor may save the digest. The actor must be a viewer of a personal digest's projects,
 * and a manager of the projects of a channel's digest. If outsiders may read the channel, the actor must be an owner.
 */
export async function requireSavePermission(
  call: Call,
  digest: DigestScope,
  conversation: Conversation | undefined,
): Promise<void> {
  const action = 'digests save';
  if (isPersonal(digest)) return requireRole(call, 'viewer', digest, action);
  const audience = getAudience(conversation);
  if (!isInternal(audience)) {
    await permitSharingWithOutsiders(call, {
      audience,
      subject: action,
      ability: 'choose what its digest shows',
    });
  }
  await requireRole(call, 'manager', digest, action);
}

/** Throws NotAllowed unless the actor may manage the digest. Managers of its projects may manage a channel's digest. */
export async function requireManagePermission(
  call: Call,
  digest: DigestScope,
  action: AuditAction,
): Promise<void> {
  if (!isPersonal(digest)) await requireRole(call, 'manager', digest, action);
}

/** Whether the actor sees the buttons that change a digest. The permission is checked again at each press. */
export async function mayManage(call: Call, digest: DigestScope): Promise<boolean> {
  if (isPersonal(digest)) return true;
  return (await listRoleProjects(call, digest)).every((project) => call.may('manager', project));
}

/** Throws NotAllowed unless the actor has the role in all projects of the digest. */
export async function requireRole(
  call: Call,
  role: 'viewer' | 'manager',
  digest: DigestScope,
  action: AuditAction,
): Promise<void> {
  for (const project of await listRoleProjects(call, digest)) await call.permit(role, project, action);
}

/** Lists the projects in which the actor needs a role. An undefined entry stands for any project. */
async function listRoleProjects(
  { context, actor }: Call,
  digest: DigestScope,
): Promise<readonly (string | undefined)[]> {
  const projects = await listDigestProjects(context.db, { ...digest, workspace: actor.workspace });
  return projects.length === 0 ? [undefined] : projects;
}

/** Adds a change of a channel's digest to the audit log. Personal digests concern nobody else. */
export function recordDigestChange(call: Call, digest: DigestScope, action: AuditAction): void {
  if (isPersonal(digest)) return;
  call.context.record.enqueue(buildDoneEntry(call, { action, target: `channel ${digest.channel}` }));
}
