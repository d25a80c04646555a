import { grantsIn, may, permissionOf, type RequiredRole, ROLES, roleOf } from '../../access/access.ts';
import type { ActionCall, Call } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { NotAllowed } from '../../slack/not-allowed.ts';
import { answerAsked, askForAccess, askForChosen } from './ask-for-access.ts';
import { claim } from './claim.ts';
import { giveForm } from './give-form.ts';
import { takeRole } from './give-role.ts';
import { projectNames } from './project-names.ts';
import { ASK, outsiderMessage } from './refusal-messages.ts';
import { CLAIM, GIVE, NEXT, PREVIOUS, paging, rolesMessage, TAKE, taking, WISH } from './roles-list.ts';
import { ANSWER, NO } from './told-messages.ts';

const form = createForm(giveForm);

/** Who may do what here, and why; roles are given, taken back, asked for and claimed. */
export const roles: Feature = {
  name: 'roles',
  commands: [
    {
      name: 'roles',
      aliases: ['role', 'access', 'permissions', 'rights'],
      summary: 'Who may do what here, and why; give a role, take it back, ask for one',
      usage: '',
      examples: ['/upnext roles'],
      run: (call) => showRoles(call, 0, false),
    },
  ],
  role: roleFor,
  scopes: { 'usergroups:read': 'to let an owner give a role to a user group' },
  open: form.open,
  views: form.views,
  options: form.options,
  actions: {
    ...form.actions,
    [ASK]: askForAccess,
    [WISH]: askForChosen,
    [CLAIM]: claim,
    [GIVE]: (call) => form.openForm(call),
    [TAKE]: takeBack,
    [PREVIOUS]: turnTo,
    [NEXT]: turnTo,
    [NO]: answerAsked,
    ...Object.fromEntries(ROLES.map((role) => [`${ANSWER}.${role}`, answerAsked])),
  },
};

/** Everybody may see what they have, and ask for more; the rest is for owners. */
function roleFor(attempt: Attempt): RequiredRole {
  if (attempt.surface === 'command') return 'member';
  return attempt.surface === 'action' && [ASK, WISH, CLAIM].includes(attempt.id) ? 'member' : 'owner';
}

async function showRoles(call: Call, page: number, replace: boolean): Promise<void> {
  const { context, actor, client } = call;
  const [access, names] = await Promise.all([
    context.access.of(actor, client, 'everything'),
    projectNames(call),
  ]);
  if (access.kind === 'outsider') throw new NotAllowed(outsiderMessage(access.reason, call.reference));
  const { owners, members } = context.access.first;
  const grants = may(access, 'owner') ? await grantsIn(context.db, actor.workspace) : undefined;
  const isSaid = grants?.some(({ subjectKind, project }) => subjectKind === 'members' && project === '');
  const message = rolesMessage({
    role: roleOf(access),
    held: access.held,
    isAdmin: access.isAdmin,
    grants,
    beside: [
      ...(owners === 'slack' ? ['Owners of this Slack workspace: owner, whatever is given.'] : []),
      ...(owners === 'practice'
        ? ['The first person of the practice workspace: owner. The second: publisher.']
        : []),
      ...(members && !isSaid ? [`All full members: ${members}, by a setting.`] : []),
    ],
    names,
    page,
  });
  await call.reply(message, { replace });
}

async function turnTo(call: ActionCall): Promise<void> {
  const { page } = decodeButtonState(paging, call.action.value) ?? { page: 0 };
  await showRoles(call, page, true);
}

/** [Take back]: unless nobody would be left who can give roles. */
async function takeBack(call: ActionCall): Promise<void> {
  const from = decodeButtonState(taking, call.action.value);
  if (!from) return;
  const { context, actor } = call;
  const { kind, id, project } = from;
  if ((await takeRole(call, { subject: { kind, id }, project })) === 'last-owners') {
    return call.reply({
      text: 'Not taken back: nobody would own Upnext here any more. Make somebody else an owner first.',
    });
  }
  const access = await context.access.of(actor, call.client, 'everything');
  const isOwner = permissionOf(access, 'owner');
  if (isOwner === 'yes') return showRoles(call, 0, true);
  const text = isOwner === 'no' ? 'Taken back. You are no owner any more.' : 'Taken back.';
  await call.reply({ text }, { replace: true });
}
