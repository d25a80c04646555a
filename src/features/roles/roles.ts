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
  type Role,
  saveGrant,
} from '../../access/access.ts';
import { mapLimited } from '../../api/map-limited.ts';
import { createForm } from '../../forms/create-form.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { type Form, type FormAnswer, invalid, valid } from '../../forms/form.ts';
import { actorLoader, type FormContext, projectLoader } from '../../forms/form-context.ts';
import { checkboxesField, selectField } from '../../forms/inputs/choice.ts';
import { projectsField } from '../../forms/inputs/project.ts';
import { groupsField, peopleField } from '../../forms/inputs/slack-choice.ts';
import { createList, pageState } from '../../forms/list.ts';
import type { ActionCall, Call, EventCall, Handler, SubmissionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { joinWithAnd } from '../../join-words.ts';
import { listPolicies } from '../../preferences/project-policy.ts';
import { escapeText, section } from '../../slack/blocks.ts';
import { fetchGroupMembers } from '../../slack/fetch-people.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import type { Message } from '../../slack/message.ts';
import { buildModal } from '../../slack/message-view.ts';
import { buildPermissionUnknownMessage, NotAllowed } from '../../slack/not-allowed.ts';
import { sendOrLog } from '../../slack/send-or-log.ts';
import { answerAccessRequest, askForAccess, askForChosenRole } from './ask-for-access.ts';
import { applyToPlans, giveRoles, revokeRole, type Subject } from './give-role.ts';
import {
  ANSWER_PREFIX,
  DECLINE_ACTION,
  GIVE_OTHER_ROLE_ACTION,
  REQUEST_ACCESS_ACTION,
  readProjectNames,
  renderOutsiderRefusal,
  renderOwnershipClaim,
  renderRole,
  renderRoleHolder,
} from './role-text.ts';
import {
  CHOOSE_ROLE_ACTION,
  CLAIM_ACTION,
  GIVE_ROLE_ACTION,
  renderRoles,
  TAKE_BACK_ACTION,
  takeBackStateSchema,
} from './roles-list.ts';

/** The choice of no role for all full members. It overrides the role that the app's settings give them. */
const NO_ROLE = 'none';
const EVERYBODY = 'everybody';

const fields = {
  people: peopleField({ label: 'People', optional: true }),
  groups: groupsField({ label: 'User groups', optional: true, isLive: true }),
  members: checkboxesField({
    label: 'Everybody',
    optional: true,
    isLive: true,
    choices: [{ value: EVERYBODY, name: 'All full members of this workspace' }],
  }),
  role: selectField({
    label: 'Role',
    choices: [
      ...ROLES.map((role) => ({ value: role, name: renderRole(role) })),
      { value: NO_ROLE, name: 'No role' },
    ],
  }),
  projects: projectsField({
    optional: true,
    placeholder: 'Whole workspace',
    hint: 'Leave empty for the whole workspace.',
  }),
};

/** The content of the form. `field` is the form field that shows an error about the subject. */
interface GiveRoleContent {
  subjects: readonly { subject: Subject; field: 'people' | 'groups' | 'members' }[];
  role: Role | typeof NO_ROLE;
  projects: readonly NamedRecord[];
}

/** The form that gives people, user groups or everybody a role in the workspace or in projects. */
export const giveForm: Form<typeof fields, FormContext, GiveRoleContent> = {
  name: 'give-role',
  version: 2,
  noun: 'form that gives a role',
  title: 'Give a role',
  submitLabel: 'Give',
  command: '/upnext roles',
  fields,
  contextLoader: {
    schema: projectLoader.schema,
    // If the projects can't be loaded, a role can still be given for the whole workspace.
    async load(call, options) {
      const result = await projectLoader.load(call, options);
      return 'formContext' in result ? result : actorLoader.load(call, options);
    },
  },
  // Slack marks each optional field, so one of the three is required.
  findRequiredFields: ({ values: { groups, members } }) =>
    groups.length === 0 && members.length === 0 ? ['people'] : [],
  footer: `Each role includes the ones before it: ${ROLES.map(renderRole).join(', ')}.`,
  check({ values: { people, groups, members, role, projects } }) {
    if (role === '') return invalid({});
    const subjects: GiveRoleContent['subjects'] = [
      ...people.map((id) => ({ subject: { kind: 'person', id } as const, field: 'people' as const })),
      ...groups.map(({ id }) => ({ subject: { kind: 'group', id } as const, field: 'groups' as const })),
      ...(members.length > 0
        ? [{ subject: { kind: 'members', id: '' } as const, field: 'members' as const }]
        : []),
    ];
    if (subjects.length === 0) return invalid({ people: 'Choose people, a user group or everybody.' });
    if (role === 'owner' && projects.length > 0)
      return invalid({ projects: 'Owners always own the whole workspace. Leave the project empty.' });
    if (role === NO_ROLE && (subjects.some(({ field }) => field !== 'members') || projects.length > 0))
      return invalid({ role: '“No role” works only for everybody in the whole workspace.' });
    return valid({ subjects, role, projects });
  },
  createConfirmation([content]) {
    if (!content) return undefined;
    const { subjects, role } = content;
    const includesEverybody = subjects.some(({ subject }) => subject.kind === 'members') && role !== NO_ROLE;
    if (role !== 'owner' && !includesEverybody) return undefined;
    const ownerWarning = 'Owners can do everything, including giving roles and deleting webhooks and files.';
    const everybodyWarning = 'Every full member gets this role, now and later.';
    return {
      title: 'Give this role?',
      blocks: [
        section(
          [role === 'owner' && ownerWarning, includesEverybody && everybodyWarning]
            .filter(Boolean)
            .join('\n'),
        ),
      ],
      submitLabel: 'Give',
    };
  },
  onSubmit: { respond: giveChosenRoles },
};

const MAX_CONCURRENT_LOOKUPS = 10;

/** Gives the role to every chosen subject, or shows an error and gives it to none. */
async function giveChosenRoles(
  call: SubmissionCall,
  { subjects: chosenSubjects, projects: chosenProjects, role }: GiveRoleContent,
): Promise<FormAnswer> {
  const subjectErrors = await mapLimited(
    chosenSubjects,
    MAX_CONCURRENT_LOOKUPS,
    async ({ subject, field }) => ({
      field,
      text: await findSubjectError(call, subject),
    }),
  );
  const firstError = subjectErrors.find(({ text }) => text !== undefined);
  if (firstError?.text !== undefined) return { errors: { [firstError.field]: firstError.text } };
  const isForWorkspace = chosenProjects.length === 0;
  const subjects = chosenSubjects.map(({ subject }) => subject);
  const projects = isForWorkspace ? [{ id: '' }] : chosenProjects;
  const given = await giveRoles(call, { subjects, projects, role });
  if (given === 'last-owners') {
    return { errors: { role: 'Upnext needs an Owner. Make somebody else an Owner first.' } };
  }
  const scopeText = isForWorkspace
    ? ''
    : ` in ${escapeText(chosenProjects.map(({ name }) => name).join(', '))}`;
  return {
    view: buildModal('Given', [section(`${renderAssignment(subjects, role)}${scopeText}.`)]),
    finish: given.notifyPeople,
  };
}

/** Renders the new role of the subjects (mrkdwn), such as "@Ben is now a Manager". */
function renderAssignment(subjects: readonly Subject[], role: GiveRoleContent['role']): string {
  const [firstSubject] = subjects;
  if (role !== NO_ROLE && subjects.length === 1 && firstSubject?.kind === 'person') {
    return `<@${firstSubject.id}> is now ${renderRoleHolder(role)}`;
  }
  const names = subjects.map(({ kind, id }) =>
    kind === 'members' ? 'all full members' : kind === 'group' ? `<!subteam^${id}>` : `<@${id}>`,
  );
  return role === NO_ROLE
    ? 'Full members no longer have a role by default'
    : `${renderRole(role)} role given to ${joinWithAnd(names)}`;
}

const OUTSIDER_ERRORS: Record<OutsiderReason, string> = {
  guest: 'One of them is a guest. Only full members can have a role.',
  bot: 'One of them is a bot. Only people can have a role.',
  deactivated: 'One of these accounts is deactivated.',
  stranger: 'One of them belongs to another workspace.',
  'not-checked': 'I couldn’t look them up in Slack. Try again in a minute.',
};

/** Asks Slack whether a subject can get a role. Resolves with the reason why not (plain text); undefined if it can. */
async function findSubjectError(call: Call, subject: Subject): Promise<string | undefined> {
  if (subject.kind === 'members') return undefined;
  if (subject.kind === 'person') {
    const { context, actor, client } = call;
    const { workspace } = actor;
    const access = await context.access.findAccess({ workspace, user: subject.id }, client, 'everything');
    return access.kind === 'outsider' ? OUTSIDER_ERRORS[access.reason] : undefined;
  }
  switch (await fetchGroupMembers(call, subject.id)) {
    case 'deleted':
      return 'One of these user groups no longer exists.';
    case 'not-permitted':
      return 'I’m not allowed to look up user groups here. Choose people, or install me again with `usergroups:read`.';
    case 'not-checked':
      return 'I couldn’t look up this user group in Slack. Try again in a minute.';
    default:
      return undefined;
  }
}

/** Handles [Claim ownership]. Makes an admin of the Slack workspace an owner, and notifies the other owners. */
async function claimOwnership(call: ActionCall): Promise<void> {
  const { context, actor, client, reference } = call;
  const { workspace, user } = actor;
  const access = await context.access.findAccess(actor, client, 'everything');
  const target = `person ${user} owner`;
  const auditEntry = { workspace, actor: user, action: 'roles claim', target, reference } as const;
  if (access.kind === 'outsider' && access.reason === 'not-checked') {
    await context.record.add({ ...auditEntry, decision: 'not-checked' });
    throw new NotAllowed(buildPermissionUnknownMessage(reference));
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
  await applyToPlans(call);
  await context.record.add({ ...auditEntry, decision: 'done' });
  for (const owner of (owners === 'unknown' ? [] : owners).filter((other) => other !== user)) {
    const message = renderOwnershipClaim(user);
    await sendOrLog(call, owner, message, 'could not notify an owner of the ownership claim');
  }
  await call.reply({ text: 'You now own Upnext in this workspace. See all roles with `/upnext roles`.' });
}

const giveRoleForm = createForm(giveForm);

const list = createList({
  prefix: 'roles',
  deed: 'open the list of roles',
  buttons: ['previous', 'next'],
  state: pageState,
  start: () => ({ page: 0 }),
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
      aliases: ['role', 'access', 'permissions', 'rights'],
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
  const { db, heldPosts } = context;
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
  if (isApprover || hasRole) await heldPosts.recheckAuthority(actor.workspace, GROUP_MAX_AGE_MS);
}

async function createListMessage(call: Call, { page }: { page: number }): Promise<Message> {
  const { context, actor, client } = call;
  const [access, projectNames] = await Promise.all([
    context.access.findAccess(actor, client, 'everything'),
    readProjectNames(call),
  ]);
  if (access.kind === 'outsider') throw new NotAllowed(renderOutsiderRefusal(access.reason, call.reference));
  const { members } = context.access.defaultRoles;
  const isOwner = isAllowed(access, 'owner');
  const [grants, defaultRoles, pendingRequests] = await Promise.all([
    isOwner ? listGrants(context.db, actor.workspace) : undefined,
    isOwner ? context.access.listDefaultRoles(client, actor.workspace) : [],
    listPendingRequests(context.db, { workspace: actor.workspace, person: actor.user, now: call.now() }),
  ]);
  const isSettingOverridden = grants?.some(
    ({ subjectKind, project }) => subjectKind === 'members' && project === '',
  );
  return renderRoles({
    role: findRole(access),
    assignedRoles: access.roles,
    isAdmin: access.isAdmin,
    grants,
    defaultRoles,
    membersRole: isSettingOverridden ? undefined : members,
    pendingRequests,
    projectNames,
    page,
  });
}

/** Handles [Take back]. Refuses if the workspace would be left without an owner. */
async function onTakeBack(call: ActionCall): Promise<void> {
  const grantKey = decodeButtonState(takeBackStateSchema, call.action.value);
  if (!grantKey) return;
  const { context, actor } = call;
  const { kind, id, project } = grantKey;
  if ((await revokeRole(call, { subject: { kind, id }, project })) === 'last-owners') {
    return call.reply({ text: 'Not taken back. Upnext needs an Owner, so make somebody else one first.' });
  }
  const access = await context.access.findAccess(actor, call.client, 'everything');
  const ownerAnswer = checkPermission(access, 'owner');
  if (ownerAnswer === 'yes') return list.show(call, { page: 0 }, { replace: true });
  const text = ownerAnswer === 'no' ? 'Taken back. You’re no longer an Owner.' : 'Taken back.';
  await call.reply({ text }, { replace: true });
}
