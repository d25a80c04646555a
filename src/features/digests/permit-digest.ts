import { type AuditAction, buildDoneEntry } from '../../access/access.ts';
import { type DigestSettings, isPersonal } from '../../digests/digest.ts';
import { type Conversation, getAudience } from '../../forms/conversation.ts';
import type { Call } from '../../handlers/call.ts';
import { permitSharingWithOutsiders } from '../../handlers/share-outside.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
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
  if (isPersonal(digest))
    return requireRoleInProjects(call, 'viewer', await resolveProjects(call, digest), action);
  const audience = getAudience(conversation);
  if (!isInternal(audience)) {
    await permitSharingWithOutsiders(call, {
      audience,
      subject: action,
      ability: 'choose what its digest shows',
    });
  }
  await requireRoleInProjects(call, 'manager', await resolveProjects(call, digest), action);
}

/** Throws NotAllowed unless the actor may manage the digest. Managers of its projects may manage a channel's digest. */
export async function requireManagePermission(
  call: Call,
  digest: DigestScope,
  action: AuditAction,
): Promise<void> {
  if (!isPersonal(digest))
    await requireRoleInProjects(call, 'manager', await resolveProjects(call, digest), action);
}

/** Whether the actor sees the buttons that change a digest. The permission is checked again at each press. */
export async function mayManage(call: Call, digest: DigestScope): Promise<boolean> {
  if (isPersonal(digest)) return true;
  return listRoleProjects(await resolveProjects(call, digest)).every((project) =>
    call.may('manager', project),
  );
}

/** Throws NotAllowed unless the actor may see the digest's preview. Viewers of its projects may see it. */
export async function requirePreviewPermission(call: Call, digest: DigestScope): Promise<void> {
  await requireRoleInProjects(call, 'viewer', await resolveProjects(call, digest), 'digests preview');
}

async function requireRoleInProjects(
  call: Call,
  role: 'viewer' | 'manager',
  projects: readonly string[],
  action: AuditAction,
): Promise<void> {
  for (const project of listRoleProjects(projects)) await call.permit(role, project, action);
}

/** Lists the projects in which the actor needs a role. An undefined entry stands for any project. */
function listRoleProjects(projects: readonly string[]): readonly (string | undefined)[] {
  return projects.length === 0 ? [undefined] : projects;
}

/** The ids of a digest's projects. Empty if it is about its channel's projects, and the channel is bound to none. */
export async function resolveProjects(
  { context, actor }: Call,
  { projects, channel }: DigestScope,
): Promise<readonly string[]> {
  if (projects !== 'channel') return projects;
  return listBoundProjects(context.db, { workspace: actor.workspace, channel });
}

/** Adds a change of a channel's digest to the audit log. Personal digests concern nobody else. */
export function recordDigestChange(call: Call, digest: DigestScope, action: AuditAction): void {
  if (isPersonal(digest)) return;
  call.context.record.enqueue(buildDoneEntry(call, { action, target: `channel ${digest.channel}` }));
}
