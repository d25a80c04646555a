import type { Transaction } from 'kysely';
import {
  type AccessRequest,
  type AccessTables,
  type AuditAction,
  answerCoveredRequests,
  buildDoneEntry,
  changeGrants,
  findAccessRequest,
  type Grant,
  includesRole,
  isRole,
  listGrants,
  type Role,
  type SubjectKind,
} from '../../access/access.ts';
import { getServiceId } from '../../api/project-ids.ts';
import type { Call } from '../../handlers/call.ts';
import { mapLimited } from '../../promises.ts';
import { clipLine, escapeText, section } from '../../slack/blocks.ts';
import { disableParsing } from '../../slack/message.ts';
import { joinNames } from '../../slack/name.ts';
import { createReaderCheck } from '../../slack/readers.ts';
import { sendOrLog } from '../../slack/send-or-log.ts';
import {
  MAX_NAMED_PROJECTS,
  readProjectNames,
  renderProjectSuffix,
  renderRole,
  renderRoleHolder,
} from './role-text.ts';

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
 * Gives a role to all subjects, replacing their earlier roles, and records the changes. Resolves with a function that
 * notifies the people, but not those who have this role already. Changes nothing if the workspace would be left without
 * an owner, or if `mayGive`, in the same transaction, resolves with false.
 */
export async function giveRoles(
  call: Call,
  { subjects, projects, role }: BulkAssignment,
  mayGive: (
    grants: readonly Grant[],
    transaction: Transaction<AccessTables>,
  ) => Promise<boolean> = async () => true,
): Promise<{ notifyPeople(): Promise<void> } | OwnerFault | 'not-given'> {
  const { context, actor } = call;
  const includesWorkspace = projects.some(({ id }) => id === '');
  const assignments = subjects.flatMap((subject) => projects.map((project) => ({ subject, project, role })));
  const removesOwnership = role !== 'owner' && includesWorkspace;
  const findFault = removesOwnership ? await createOwnerCheck(call, subjects) : undefined;
  let answeredIds: string[] = [];
  const changed = await changeGrants(context.db, actor.workspace, async (grants, transaction) => {
    const currentGrants = await grants.list();
    if (!(await mayGive(currentGrants, transaction))) return 'not-given';
    const fault = findFault?.(currentGrants);
    if (fault) return fault;
    await grants.save(...assignments.map((assignment) => toGrant(call, assignment)));
    answeredIds = await closeRequests(call, transaction, { subjects, projects, role });
    // Thousands of assignments may meet as many grants.
    const bySubject = Map.groupBy(currentGrants, ({ subject }) => subject);
    return assignments.filter(
      (assignment) => findGrant(bySubject.get(assignment.subject.id) ?? [], assignment)?.role !== role,
    );
  });
  if (typeof changed === 'string') return changed;
  for (const { subject, project } of changed) recordChange(call, 'roles give', subject, project.id, role);
  const isForPeople = subjects.every(({ kind }) => kind === 'person');
  await context.applyRoles(actor.workspace, {
    people: isForPeople ? subjects.map(({ id }) => id) : undefined,
  });
  const people = Map.groupBy(
    changed.filter(({ subject }) => subject.kind === 'person'),
    ({ subject }) => subject.id,
  );
  return {
    async notifyPeople() {
      const notify = ([person, assignments]: [string, Assignment[]]) =>
        notifyPerson(call, person, { role, projects: assignments.map(({ project }) => project) });
      await mapLimited([...people], notify);
      await showAnswers(call, answeredIds, includesWorkspace ? { project: '' } : {});
    },
  };
}

/**
 * Gives a person a role, unless the person already has this role or a higher one in the project, or `answer` resolves
 * with false. `answer` stores the answer to the person's request in the same transaction. Resolves with whether the
 * role was given.
 */
export async function raiseRole(
  call: Call,
  { person, project, role }: { person: string; project: { id: string; name?: string }; role: Role },
  answer: (transaction: Transaction<AccessTables>) => Promise<boolean>,
): Promise<boolean> {
  const subject = { kind: 'person', id: person } as const;
  const given = await giveRoles(
    call,
    { subjects: [subject], projects: [project], role },
    async (grants, transaction) => {
      const current = findGrant(grants, { subject, project })?.role;
      return !includesRole(isRole(current) ? current : undefined, role) && answer(transaction);
    },
  );
  if (typeof given === 'string') return false;
  await given.notifyPeople();
  return true;
}

/**
 * Answers the requests that the given role fulfils, so that an owner's later answer doesn't claim another role. Resolves
 * with their ids.
 */
async function closeRequests(
  { actor, now }: Call,
  transaction: Transaction<AccessTables>,
  { subjects, projects, role }: BulkAssignment,
): Promise<string[]> {
  const people = subjects.flatMap(({ kind, id }) => (kind === 'person' ? [id] : []));
  if (people.length === 0 || role === 'none') return [];
  return answerCoveredRequests(transaction, {
    workspace: actor.workspace,
    people,
    projects: projects.map(({ id }) => id),
    role,
    by: actor.user,
    now: now(),
  });
}

/**
 * Takes a role back and notifies the person, unless the workspace would be left without an owner. `role`: takes back only
 * this one. 'not-found': the grant didn't exist, or has another role since.
 */
export async function revokeRole(
  call: Call,
  grantKey: { subject: Subject; project: string; role?: string | undefined },
): Promise<'revoked' | 'not-found' | OwnerFault> {
  const { context, actor } = call;
  const { subject, project } = grantKey;
  const findFault = project === '' ? await createOwnerCheck(call, [subject]) : undefined;
  const result = await changeGrants(context.db, actor.workspace, async (grants) => {
    const currentGrants = await grants.list();
    const fault = findFault?.(currentGrants);
    if (fault) return fault;
    const revoked = findGrant(currentGrants, { subject, project: { id: project } });
    if (!revoked || (grantKey.role ?? revoked.role) !== revoked.role) return 'not-found';
    await grants.remove(revoked);
    return revoked;
  });
  if (typeof result === 'string') return result;
  recordChange(call, 'roles take', subject, project);
  await context.applyRoles(actor.workspace, { people: subject.kind === 'person' ? [subject.id] : undefined });
  const { role } = result;
  if (subject.kind === 'person' && subject.id !== actor.user && isRole(role)) {
    const projectName =
      project === '' ? undefined : ((await readProjectNames(call)).get(project) ?? getServiceId(project));
    const roleText = `${renderRole(role)} role${renderProjectSuffix(projectName)}`;
    const text = `<@${actor.user}> took back your ${roleText}. \`/upnext roles\` shows what you have now.`;
    await sendOrLog(call, subject.id, { text }, 'could not notify a person of a role that was taken back');
  }
  return 'revoked';
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

/** Notifies a person of a new role. The actor isn't notified. */
async function notifyPerson(
  call: Call,
  person: string,
  { role, projects }: Pick<BulkAssignment, 'role' | 'projects'>,
): Promise<void> {
  const { user: givenBy } = call.actor;
  if (person === givenBy || role === 'none') return;
  const names = projects.flatMap(({ name }) => (name === undefined ? [] : [escapeText(clipLine(name))]));
  const scope = names.length === 0 ? '' : ` in ${joinNames(names, MAX_NAMED_PROJECTS)}`;
  const text = `<@${givenBy}> made you ${renderRoleHolder(role)}${scope}. \`/upnext help\` shows what you can do.`;
  // The role is saved already, even if the person isn't notified.
  await sendOrLog(call, person, { text }, 'could not notify a person of a new role');
}

/** Nobody waits for the entries, because one press may have thousands. */
function recordChange(
  call: Call,
  action: AuditAction,
  subject: Subject,
  project: string,
  role?: string,
): void {
  const target = [subject.kind, subject.id, role].filter(Boolean).join(' ');
  call.context.record.enqueue(buildDoneEntry(call, { project, action, target }));
}

/** Why an owner's role can't be taken: nobody else can act as one, or Slack doesn't say whether somebody can. */
type OwnerFault = 'last-owners' | 'owners-not-checked';

/**
 * Asks Slack who else can act as an owner, before the grants are locked. Resolves with a function that checks with the
 * locked grants whether the workspace still has such an owner if the subjects lose their roles.
 */
async function createOwnerCheck(
  { context, actor: { workspace } }: Call,
  subjects: readonly Subject[],
): Promise<((grants: readonly Grant[]) => OwnerFault | undefined) | undefined> {
  // With any other kind of default owners, somebody owns the workspace without a grant.
  if (context.access.defaultRoles.owners !== 'installer') return undefined;
  const isForSubject = ({ subjectKind, subject }: Grant) =>
    subjects.some(({ kind, id }) => kind === subjectKind && id === subject);
  const listOwnerGrants = (grants: readonly Grant[]) =>
    grants.filter(({ role, project }) => project === '' && isRole(role) && includesRole(role, 'owner'));
  const listOthers = (grants: readonly Grant[]) =>
    listOwnerGrants(grants).filter((grant) => !isForSubject(grant));
  const grantsBefore = await listGrants(context.db, workspace);
  const removesOwner = listOwnerGrants(grantsBefore).some(isForSubject);
  const usable = removesOwner
    ? await context.access.findUsableGrant(workspace, listOthers(grantsBefore))
    : 'unknown';
  return (grants) => {
    if (!listOwnerGrants(grants).some(isForSubject)) return undefined;
    const others = listOthers(grants);
    if (others.length === 0 || usable === 'none') return 'last-owners';
    const isStillOwner =
      usable !== 'unknown' &&
      others.some((grant) => grant.subjectKind === usable.subjectKind && grant.subject === usable.subject);
    return isStillOwner ? undefined : 'owners-not-checked';
  };
}

/** What a person reads who would have left the workspace without an owner (plain text). */
export const OWNER_FAULT_TEXTS: Readonly<Record<OwnerFault, string>> = {
  'last-owners': 'Upnext needs an Owner who can use it. Make somebody else an Owner first.',
  'owners-not-checked':
    'I couldn’t check in Slack that another Owner can take over. Try again in a minute, or make somebody else an Owner first.',
};

/** Replaces an answered request in the messages of people who are no longer owners. */
const ANSWERED = 'This request was answered.';

/**
 * Replaces each answered request by its answer, in the messages of all owners who were asked. A failure is logged: the
 * answer counts already. `given`: where the role applies, if that isn't where it was requested.
 */
export async function showAnswers(
  call: Call,
  ids: readonly string[],
  given: { project?: string } = {},
): Promise<void> {
  const { context, actor, client, log, reference } = call;
  const warn = (error: unknown) =>
    log.warn({ reference, err: error }, 'could not show the answer to a role request');
  const readers = createReaderCheck(call, {
    checkViewer: (user) => context.access.recheckPermission({ ...actor, user }, 'owner', undefined),
    // Owners are asked in direct messages.
    findExcludedGuests: async () => 'unknown',
  });
  const show = async (id: string) => {
    const request = await findAccessRequest(context.db, { workspace: actor.workspace, id, now: call.now() });
    const text = request && renderAnswer({ ...request, ...given }, await readProjectNames(call));
    if (text === undefined) return;
    // Slack may have confirmed a message without its time.
    const known = (request?.messages ?? []).filter(({ ts }) => ts !== '');
    const update = async ({ owner, ...address }: (typeof known)[number]) => {
      const shown = (await readers.mayRead({ channel: owner }, undefined)) ? text : ANSWERED;
      await client.chat.update({ ...address, ...disableParsing({ text: shown, blocks: [section(shown)] }) });
    };
    await mapLimited(known, (message) => update(message).catch(warn));
  };
  for (const id of ids) await show(id).catch(warn);
}

/** Renders who answered a request, and how (mrkdwn). Undefined while it has no answer. */
export function renderAnswer(
  { person, role, project, answer, answeredBy }: AccessRequest,
  projectNames: ReadonlyMap<string, string>,
): string | undefined {
  const scope = answer === 'owner' ? '' : project;
  const suffix = renderProjectSuffix(
    scope === '' ? undefined : (projectNames.get(scope) ?? getServiceId(scope)),
  );
  if (answer === 'no' && isRole(role))
    return `<@${answeredBy}> declined <@${person}>’s request for the ${renderRole(role)} role${suffix}.`;
  return isRole(answer)
    ? `<@${answeredBy}> made <@${person}> ${renderRoleHolder(answer)}${suffix}.`
    : undefined;
}
