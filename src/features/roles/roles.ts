import { z } from 'zod';
import {
  checkPermission,
  findRole,
  GROUP_MAX_AGE_MS,
  isAllowed,
  listGrants,
  listPendingRequests,
  type OutsiderReason,
  ROLES,
  saveGrant,
} from '../../access/access.ts';
import { createForm } from '../../forms/create-form.ts';
import type { ActionCall, Call, EventCall, Handler } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createList } from '../../lists/list.ts';
import { listPolicies } from '../../preferences/project-policy.ts';
import { mapLimited } from '../../promises.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import type { Message } from '../../slack/message.ts';
import { NotAllowed, PermissionUnknown } from '../../slack/not-allowed.ts';
import { sendOrLog } from '../../slack/send-or-log.ts';
import { answerAccessRequest, askForAccess, askForChosenRole } from './ask-for-access.ts';
import { giveForm } from './give-form.ts';
import { OWNER_FAULT_TEXTS, revokeRole } from './give-role.ts';
import {
  ANSWER_PREFIX,
  DECLINE_ACTION,
  GIVE_OTHER_ROLE_ACTION,
  REQUEST_ACCESS_ACTION,
  readProjectNames,
  renderOutsiderRefusal,
} from './role-text.ts';
import {
  CHOOSE_ROLE_ACTION,
  CLAIM_ACTION,
  GIVE_ROLE_ACTION,
  listRows,
  listShownPeople,
  renderRoles,
  TAKE_BACK_ACTION,
  takeBackStateSchema,
} from './roles-list.ts';

/** Handles [Claim ownership]. Makes an admin of the Slack workspace an owner, and notifies the other owners. */
async function claimOwnership(call: ActionCall): Promise<void> {
  const { context, actor, client, reference } = call;
  const { workspace, user } = actor;
  const access = await context.access.findAccess(actor, client, 'everything');
  const target = `person ${user} owner`;
  const auditEntry = { workspace, actor: user, action: 'roles claim', target, reference } as const;
  if (access.kind === 'outsider' && access.reason === 'not-checked') {
    await context.record.add({ ...auditEntry, decision: 'not-checked' });
    throw new PermissionUnknown(reference);
  }
  if (access.kind === 'outsider' || !access.isAdmin) {
    await context.record.add({ ...auditEntry, decision: 'refused' });
    throw new NotAllowed({ text: 'Only a workspace admin can claim ownership.' });
  }
  call.countCostlyAction();
  const owners = await context.access.listOwners(workspace);
  await saveGrant(context.db, {
    workspace,
    subjectKind: 'person',
    subject: user,
    project: '',
    role: 'owner',
    reason: 'claimed',
    grantedBy: user,
    grantedAt: call.now(),
  });
  await context.record.add({ ...auditEntry, decision: 'done' });
  await context.applyRoles(workspace, { people: [user] });
  const text = `<@${user}>, a workspace admin, now owns Upnext here. Take it back with \`/upnext roles\`.`;
  for (const owner of (owners === 'unknown' ? [] : owners).filter((other) => other !== user))
    await sendOrLog(call, owner, { text }, 'could not notify an owner of the ownership claim');
  await call.reply({ text: 'You now own Upnext in this workspace. See all roles with `/upnext roles`.' });
}

const giveRoleForm = createForm(giveForm);

interface ListState {
  page: number;
  /** The text after the command. The buttons don't store it. */
  words?: string;
}

const list = createList<ListState>({
  prefix: 'roles',
  deed: 'open the list of roles',
  buttons: ['previous', 'next'],
  state: z.object({ page: z.number().int() }),
  start: (words) => ({ page: 0, words }),
  createMessage: createListMessage,
});
/** The press may change nothing, so only the entries of `answerAccessRequest` say what it did. */
const answerHandler: Handler<ActionCall> = {
  deed: 'use a button of a role request',
  run: answerAccessRequest,
};

/** `/upnext roles` lists people's roles. The list has buttons to give, take back, request and claim roles. */
export const roles: Feature = {
  name: 'roles',
  commands: [
    {
      name: 'roles',
      aliases: ['role', 'access', 'permissions', 'rights', 'give', 'grant'],
      summary: 'See, give, take back or request roles',
      examples: { '/upnext roles': 'See who may do what.' },
      ...list.command,
      role: 'member',
    },
  ],
  role: 'owner',
  optionalScopes: {
    'usergroups:read': {
      purpose: 'to assign roles to user groups',
      missingAbility: 'give roles to user groups, or tell who’s in a group that has one',
    },
  },
  events: { subteam_members_changed: { deed: 'change a user group', run: recheckAfterGroupChange } },
  ...giveRoleForm,
  actions: {
    ...giveRoleForm.actions,
    [REQUEST_ACCESS_ACTION]: { deed: 'ask for a role', role: 'member', run: askForAccess },
    [CHOOSE_ROLE_ACTION]: { deed: 'ask for a role', role: 'member', run: askForChosenRole },
    [CLAIM_ACTION]: { deed: 'claim ownership of Upnext', role: 'member', run: claimOwnership },
    [GIVE_ROLE_ACTION]: {
      deed: 'open the form that gives a role',
      run: (call) => giveRoleForm.openForm(call),
    },
    [TAKE_BACK_ACTION]: { deed: 'use a button of the list of roles', run: onTakeBack },
    ...list.actions,
    [DECLINE_ACTION]: answerHandler,
    [GIVE_OTHER_ROLE_ACTION]: answerHandler,
    ...Object.fromEntries(ROLES.map((role) => [`${ANSWER_PREFIX}.${role}`, answerHandler])),
  },
};

/** Checks the posts that wait in a workspace if somebody has joined or left a user group that has a role or approves. */
async function recheckAfterGroupChange({ context, actor, event }: EventCall): Promise<void> {
  const group = z.object({ subteam_id: z.string() }).safeParse(event.payload).data?.subteam_id;
  if (group === undefined) return;
  const { db } = context;
  const [grants, policies] = await Promise.all([
    listGrants(db, actor.workspace),
    listPolicies(db, actor.workspace),
  ]);
  const isApprover = [...policies.values()].some(({ reviewSteps }) =>
    reviewSteps.some(({ approvers }) =>
      approvers.some((approver) => approver.kind === 'group' && approver.id === group),
    ),
  );
  const hasRole = grants.some(({ subjectKind, subject }) => subjectKind === 'group' && subject === group);
  // Every instance's copy of the members is outdated until then.
  if (isApprover || hasRole) await context.applyRoles(actor.workspace, { afterMs: GROUP_MAX_AGE_MS });
}

async function createListMessage(call: Call, { page, words = '' }: ListState): Promise<Message> {
  const { context, actor, client } = call;
  const [access, projectNames] = await Promise.all([
    context.access.findAccess(actor, client, 'everything'),
    readProjectNames(call),
  ]);
  if (access.kind === 'outsider') throw new NotAllowed(renderOutsiderRefusal(access.reason, call.reference));
  const isOwner = isAllowed(access, 'owner');
  const [grants, defaultRoles, pendingRequests] = await Promise.all([
    isOwner ? listGrants(context.db, actor.workspace) : undefined,
    isOwner ? context.access.listDefaultRoles(client, actor.workspace) : [],
    listPendingRequests(context.db, { workspace: actor.workspace, person: actor.user, now: call.now() }),
  ]);
  const isSettingOverridden = grants?.some(
    ({ subjectKind, project }) => subjectKind === 'members' && project === '',
  );
  const membersRole = isSettingOverridden ? undefined : context.access.defaultRoles.members;
  const rows = grants && listRows({ grants, defaultRoles: defaultRoles ?? [], membersRole }, page);
  return renderRoles({
    role: findRole(access),
    assignedRoles: access.roles,
    isIncomplete: access.isIncomplete,
    isAdmin: access.isAdmin,
    page: rows,
    areDefaultsMissing: defaultRoles === undefined,
    outsiders: rows ? await findOutsiders(call, listShownPeople(rows)) : new Map(),
    pendingRequests,
    projectNames,
    words,
  });
}

/** Finds the people who can't use their role, such as those who have left. */
async function findOutsiders(
  { context, actor: { workspace }, client }: Call,
  people: readonly string[],
): Promise<ReadonlyMap<string, OutsiderReason>> {
  const found = await mapLimited([...new Set(people)], async (user) => {
    const access = await context.access.findAccess({ workspace, user }, client, 'nothing');
    const isKnown = access.kind === 'outsider' && access.reason !== 'not-checked';
    return isKnown ? [[user, access.reason] as const] : [];
  });
  return new Map(found.flat());
}

/** Handles [Take back]. Refuses if the workspace would be left without an owner. */
async function onTakeBack(call: ActionCall): Promise<void> {
  const grantKey = decodeButtonState(takeBackStateSchema, call.action.value);
  if (!grantKey) return;
  const { context, actor } = call;
  const { kind, id, ...grant } = grantKey;
  const result = await revokeRole(call, { subject: { kind, id }, ...grant });
  if (result === 'last-owners' || result === 'owners-not-checked')
    return call.reply({ text: `Not taken back. ${OWNER_FAULT_TEXTS[result]}` });
  const access = await context.access.findAccess(actor, call.client, 'everything');
  const ownerAnswer = checkPermission(access, 'owner');
  if (ownerAnswer === 'yes') return list.show(call, { page: 0 }, { replace: true });
  const text = result === 'revoked' ? 'Taken back.' : 'Not taken back, because this role has changed.';
  const isLost = ownerAnswer === 'no';
  await call.reply({ text: isLost ? `${text} You’re no longer an Owner.` : text }, { replace: true });
}
