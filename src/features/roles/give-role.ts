import {
  changeGrants,
  type FirstOwners,
  type Grant,
  isEnough,
  isRole,
  type Role,
  type SubjectKind,
} from '../../access/access.ts';
import type { Call } from '../../app/call.ts';
import { disableParsing } from '../../slack/message.ts';
import { toldMessage } from './told-messages.ts';

/** To whom, and for which project: '' for the whole workspace. */
export interface Subject {
  kind: SubjectKind;
  id: string;
}

/** `role` `none` says that all full members have none. */
interface Giving {
  subjects: readonly Subject[];
  projects: readonly { id: string; name?: string }[];
  role: Role | 'none';
}

/** Gives a role in the place of the one before, to all or to none: saved, recorded, and everybody notified. */
export async function giveRoles(call: Call, giving: Giving): Promise<'given' | 'last-owners'> {
  const { context, actor } = call;
  const { subjects, projects, role } = giving;
  const isEverywhere = projects.some(({ id }) => id === '');
  const given = await changeGrants(context.db, actor.workspace, async (grants) => {
    const isLess = role !== 'owner' && isEverywhere;
    if (isLess && areLastOwners(await grants.all(), subjects, context.access.first.owners)) return false;
    for (const subject of subjects) {
      for (const project of projects) await grants.save(grantOf(call, { subject, project, role }));
    }
    return true;
  });
  if (!given) return 'last-owners';
  context.access.onGrantsChanged(actor.workspace);
  for (const subject of subjects) {
    for (const project of projects) await announce(call, { subject, project, role });
  }
  return 'given';
}

/** Gives a role, where that does not take anything away from them. */
export async function raiseRole(
  call: Call,
  to: { subject: Subject; project: { id: string; name?: string }; role: Role },
): Promise<void> {
  const { context, actor } = call;
  const isRaised = await changeGrants(context.db, actor.workspace, async (grants) => {
    const before = (await grants.all()).find(
      ({ subjectKind, subject, project }) =>
        subjectKind === to.subject.kind && subject === to.subject.id && project === to.project.id,
    );
    if (isEnough(isRole(before?.role) ? before.role : undefined, to.role)) return false;
    await grants.save(grantOf(call, to));
    return true;
  });
  if (!isRaised) return;
  context.access.onGrantsChanged(actor.workspace);
  await announce(call, to);
}

/** Takes a role back, unless nobody would be left who can give roles. */
export async function takeRole(
  call: Call,
  from: { subject: Subject; project: string },
): Promise<'taken' | 'not-there' | 'last-owners'> {
  const { context, actor } = call;
  const { subject, project } = from;
  const taken = await changeGrants(context.db, actor.workspace, async (grants) => {
    if (project === '' && areLastOwners(await grants.all(), [subject], context.access.first.owners)) {
      return 'last-owners';
    }
    const grant = { subjectKind: subject.kind, subject: subject.id, project };
    return (await grants.remove(grant)) ? 'taken' : 'not-there';
  });
  if (taken !== 'taken') return taken;
  context.access.onGrantsChanged(actor.workspace);
  await recordChange(call, 'roles take', subject, project);
  return taken;
}

interface Given {
  subject: Subject;
  project: { id: string; name?: string };
  role: Role | 'none';
}

function grantOf(call: Call, { subject, project, role }: Given): Omit<Grant, 'workspace'> {
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

async function announce(call: Call, { subject, project, role }: Given): Promise<void> {
  const { actor } = call;
  await recordChange(call, 'roles give', subject, project.id, role);
  if (subject.kind !== 'person' || subject.id === actor.user || role === 'none') return;
  await tell(call, subject.id, { role, by: actor.user, project: project.name });
}

async function recordChange(
  { context, actor, reference }: Call,
  action: string,
  subject: Subject,
  project: string,
  role?: string,
): Promise<void> {
  const target = [subject.kind, subject.id, role].filter(Boolean).join(' ');
  await context.record.add({
    workspace: actor.workspace,
    actor: actor.user,
    project,
    action,
    target,
    decision: 'done',
    reference,
  });
}

/** What was given is given, whether its person can be told or not. */
async function tell(
  { client, log, reference }: Call,
  user: string,
  news: Parameters<typeof toldMessage>[0],
): Promise<void> {
  try {
    await client.chat.postMessage({ channel: user, ...disableParsing(toldMessage(news)) });
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'who was given a role was not told');
  }
}

/** Whether nobody would own the workspace any more who was made an owner, once these own it no more. */
function areLastOwners(
  grants: readonly Grant[],
  subjects: readonly Subject[],
  first: FirstOwners['kind'],
): boolean {
  // Elsewhere somebody owns it whatever is given.
  if (first !== 'installer') return false;
  const owning = grants.filter(
    ({ role, project }) => project === '' && isRole(role) && isEnough(role, 'owner'),
  );
  const isMeant = ({ subjectKind, subject }: (typeof owning)[number]) =>
    subjects.some(({ kind, id }) => kind === subjectKind && id === subject);
  return owning.length > 0 && owning.every(isMeant);
}
