import type { Role } from '../../access/roles.ts';
import { isEnough, isRole } from '../../access/roles.ts';
import type { Call } from '../../slack/feature.ts';
import { inert } from '../../slack/message.ts';
import { grantsIn, removeGrant, type SubjectKind, saveGrant } from '../../store/grants.ts';
import type { Parts } from '../../submissions/parts.ts';
import { toldMessage } from './told-messages.ts';

/** To whom, and for which project: '' for the whole workspace. */
export interface Subject {
  kind: SubjectKind;
  id: string;
}

/** A role is given: kept, recorded, and its person told. `role` `none` says that all full members have none. */
export async function giveRole(
  call: Call<Parts>,
  to: { subject: Subject; project: { id: string; name?: string }; role: Role | 'none' },
): Promise<void> {
  const { parts, who } = call;
  const { subject, project, role } = to;
  await saveGrant(parts.db, {
    workspace: who.workspace,
    subjectKind: subject.kind,
    subject: subject.id,
    project: project.id,
    role,
    why: 'given',
    grantedBy: who.user,
    grantedAt: call.now(),
  });
  parts.access.changed(who.workspace);
  await recordChange(call, 'roles give', subject, project.id, role);
  if (subject.kind !== 'person' || subject.id === who.user || role === 'none') return;
  await tell(call, subject.id, { role, by: who.user, project: project.name });
}

/** The same, where it does not take anything away from them. */
export async function raiseRole(call: Call<Parts>, to: Parameters<typeof giveRole>[1]): Promise<void> {
  const grants = await grantsIn(call.parts.db, call.who.workspace);
  const before = grants.find(
    ({ subjectKind, subject, project }) =>
      subjectKind === to.subject.kind && subject === to.subject.id && project === to.project.id,
  );
  const has = isRole(before?.role) ? before.role : undefined;
  if (to.role !== 'none' && isEnough(has, to.role)) return;
  await giveRole(call, to);
}

/** False where they have it no more. */
export async function takeRole(
  call: Call<Parts>,
  from: { subject: Subject; project: string },
): Promise<boolean> {
  const { parts, who } = call;
  const { workspace } = who;
  const { subject, project } = from;
  const grant = { workspace, subjectKind: subject.kind, subject: subject.id, project };
  if (!(await removeGrant(parts.db, grant))) return false;
  parts.access.changed(workspace);
  await recordChange(call, 'roles take', subject, project);
  return true;
}

async function recordChange(
  { parts, who, reference }: Call<Parts>,
  action: string,
  subject: Subject,
  project: string,
  role?: string,
): Promise<void> {
  const target = [subject.kind, subject.id, role].filter(Boolean).join(' ');
  await parts.record.add({
    workspace: who.workspace,
    who: who.user,
    project,
    action,
    target,
    decision: 'done',
    reference,
  });
}

/** What was given is given, whether its person can be told or not. */
async function tell(
  { client, log, reference }: Call<Parts>,
  user: string,
  news: Parameters<typeof toldMessage>[0],
): Promise<void> {
  try {
    await client.chat.postMessage({ channel: user, ...inert(toldMessage(news)) });
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'who was given a role was not told');
  }
}
