import {
  type AuditAction,
  buildDoneEntry,
  changeGrants,
  type FirstOwners,
  type Grant,
  includesRole,
  isRole,
  type Role,
  type SubjectKind,
} from '../../access/access.ts';
import type { Call } from '../../handlers/call.ts';
import { sendOrLog } from '../../slack/send-or-log.ts';
import { renderRoleGiven } from './role-text.ts';

/** The receiver of a role: a person or a user group with its Slack id, or all full members with the id ''. */
export interface Subject {
  kind: SubjectKind;
  id: string;
}

/** A role for every subject in every project. 'none' is only for all full members, who then have no role by default. */
interface BulkAssignment {
  subjects: readonly Subject[];
  /** The id '' stands for the whole workspace. */
  projects: readonly { id: string; name?: string }[];
  role: Role | 'none';
}

/**
 * Gives a role to all subjects, replacing their earlier roles. Records the changes and notifies the people, but not those
 * who have this role already. If the workspace would be left without an owner, changes nothing and resolves with
 * 'last-owners'.
 */
export async function giveRoles(
  call: Call,
  { subjects, projects, role }: BulkAssignment,
): Promise<'given' | 'last-owners'> {
  const { context, actor } = call;
  const includesWorkspace = projects.some(({ id }) => id === '');
  const assignments = subjects.flatMap((subject) => projects.map((project) => ({ subject, project, role })));
  const changed = await changeGrants(context.db, actor.workspace, async (grants) => {
    const currentGrants = await grants.list();
    const removesOwnership = role !== 'owner' && includesWorkspace;
    if (removesOwnership && areLastOwners(currentGrants, subjects, context.access.defaultRoles.owners))
      return undefined;
    for (const assignment of assignments) await grants.save(toGrant(call, assignment));
    return assignments.filter((assignment) => findGrant(currentGrants, assignment)?.role !== role);
  });
  if (!changed) return 'last-owners';
  await applyToPlans(call);
  for (const assignment of changed) await recordAndNotify(call, assignment);
  return 'given';
}

/** Gives a role, unless the subject already has this role or a higher one in the project. */
export async function raiseRole(
  call: Call,
  assignment: { subject: Subject; project: { id: string; name?: string }; role: Role },
): Promise<void> {
  const { context, actor } = call;
  const isRaised = await changeGrants(context.db, actor.workspace, async (grants) => {
    const currentGrant = findGrant(await grants.list(), assignment);
    if (includesRole(isRole(currentGrant?.role) ? currentGrant.role : undefined, assignment.role))
      return false;
    await grants.save(toGrant(call, assignment));
    return true;
  });
  if (!isRaised) return;
  await applyToPlans(call);
  await recordAndNotify(call, assignment);
}

/** Takes a role back, unless the workspace would be left without an owner. 'not-found': the grant didn't exist. */
export async function revokeRole(
  call: Call,
  grantKey: { subject: Subject; project: string },
): Promise<'revoked' | 'not-found' | 'last-owners'> {
  const { context, actor } = call;
  const { subject, project } = grantKey;
  const result = await changeGrants(context.db, actor.workspace, async (grants) => {
    if (project === '' && areLastOwners(await grants.list(), [subject], context.access.defaultRoles.owners)) {
      return 'last-owners';
    }
    const grant = { subjectKind: subject.kind, subject: subject.id, project };
    return (await grants.remove(grant)) ? 'revoked' : 'not-found';
  });
  if (result !== 'revoked') return result;
  await applyToPlans(call);
  await recordChange(call, 'roles take', subject, project);
  return result;
}

/** Applies changed roles at once, also to posts that somebody with a lost role has planned. */
export async function applyToPlans({ context, actor }: Call): Promise<void> {
  context.access.onGrantsChanged(actor.workspace);
  await context.heldPosts.recheckAuthority(actor.workspace);
}

function findGrant(
  grants: readonly Grant[],
  { subject, project }: Pick<Assignment, 'subject' | 'project'>,
): Grant | undefined {
  return grants.find(
    (grant) =>
      grant.subjectKind === subject.kind && grant.subject === subject.id && grant.project === project.id,
  );
}

interface Assignment {
  subject: Subject;
  project: { id: string; name?: string };
  role: Role | 'none';
}

function toGrant(call: Call, { subject, project, role }: Assignment): Omit<Grant, 'workspace'> {
  return {
    subjectKind: subject.kind,
    subject: subject.id,
    project: project.id,
    role,
    reason: 'given',
    grantedBy: call.actor.user,
    grantedAt: call.now(),
  };
}

async function recordAndNotify(call: Call, { subject, project, role }: Assignment): Promise<void> {
  const { actor } = call;
  await recordChange(call, 'roles give', subject, project.id, role);
  if (subject.kind !== 'person' || subject.id === actor.user || role === 'none') return;
  const message = renderRoleGiven({ role, givenBy: actor.user, project: project.name });
  // The role is saved already, even if the person isn't notified.
  await sendOrLog(call, subject.id, message, 'could not notify a person of a new role');
}

async function recordChange(
  call: Call,
  action: AuditAction,
  subject: Subject,
  project: string,
  role?: string,
): Promise<void> {
  const target = [subject.kind, subject.id, role].filter(Boolean).join(' ');
  await call.context.record.add(buildDoneEntry(call, { project, action, target }));
}

function areLastOwners(
  grants: readonly Grant[],
  subjects: readonly Subject[],
  defaultOwners: FirstOwners['kind'],
): boolean {
  // With any other kind of default owners, somebody owns the workspace without a grant.
  if (defaultOwners !== 'installer') return false;
  const ownerGrants = grants.filter(
    ({ role, project }) => project === '' && isRole(role) && includesRole(role, 'owner'),
  );
  const isForSubject = ({ subjectKind, subject }: Grant) =>
    subjects.some(({ kind, id }) => kind === subjectKind && id === subject);
  return ownerGrants.length > 0 && ownerGrants.every(isForSubject);
}
