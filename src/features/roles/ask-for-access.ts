import { randomUUID } from 'node:crypto';
import type { Overflow } from '@slack/types';
import type { Kysely } from 'kysely';
import {
  type AccessRequest,
  type AccessTables,
  type AuditAction,
  answerRequest,
  buildDoneEntry,
  findAccessRequest,
  isRole,
  ROLE_TABLE,
  ROLES,
  type Role,
  sendRequest,
  storeRequestMessages,
} from '../../access/access.ts';
import { getServiceId } from '../../api/project-ids.ts';
import { DAY_MS } from '../../durations.ts';
import type { ActionCall, Call } from '../../handlers/call.ts';
import { actions, button, option, section, withConfirmation } from '../../slack/blocks.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { buildFailureMessage, buildUnavailableMessage, type Message } from '../../slack/message.ts';
import { buildMessageView } from '../../slack/message-view.ts';
import { sendOrLog } from '../../slack/send-or-log.ts';
import { raiseRole, renderAnswer, showAnswers } from './give-role.ts';
import {
  ANSWER_PREFIX,
  DECLINE_ACTION,
  GIVE_OTHER_ROLE_ACTION,
  joinAbilities,
  OWNER_WARNING,
  readProjectNames,
  renderNoRolePossible,
  renderProjectSuffix,
  renderRole,
  requestedRoleSchema,
} from './role-text.ts';

const NOT_AVAILABLE = buildUnavailableMessage('Type `/upnext roles`.');
const NOT_SENT_MESSAGES = {
  duplicate: { text: 'Your request is already with the Owners. I’ll DM you their answer.' },
  'too-many': { text: 'There were many requests today. Write to one of the Owners, or try again tomorrow.' },
} as const;
const UNDELIVERED: Message = {
  text: 'I’m not sure that an Owner got your request. Please ask one yourself.',
};
const NO_OWNERS: Message = {
  text: 'Nobody owns Upnext here now. A workspace admin can claim it with `/upnext roles`.',
};

/** Handles [Request access]. Asks the owners for the role that the refusal named. */
export async function askForAccess(call: ActionCall): Promise<void> {
  const { role, project } = decodeButtonState(requestedRoleSchema, call.action.value) ?? {};
  const { message, canRetry } = await requestRole(call, role, project);
  await showResult(call, message, { replace: !canRetry });
}

/** Handles the menu of `/upnext roles`. Asks the owners for the chosen role. */
export async function askForChosenRole(call: ActionCall): Promise<void> {
  await showResult(call, (await requestRole(call, call.action.selectedValue)).message);
}

/** Minimum interval between a person's requests for the same role in the same project. */
export const MIN_REPEAT_INTERVAL_MS = DAY_MS;

/** `canRetry`: whether the same request may work later. */
async function requestRole(
  call: Call,
  role: string | undefined,
  project = '',
): Promise<{ message: Message; canRetry: boolean }> {
  const { context, actor } = call;
  if (!isRole(role)) return { message: NOT_AVAILABLE, canRetry: false };
  if (call.may(role, project)) {
    const text = `You have the ${renderRole(role)} role or a higher one by now.`;
    return { message: { text }, canRetry: false };
  }
  const now = call.now();
  const allOwners = await context.access.listOwners(actor.workspace);
  if (allOwners === 'unknown') {
    const message = buildFailureMessage('I couldn’t look up the Owners. Try again.', call.reference);
    return { message, canRetry: true };
  }
  // Slack takes messages to deactivated owners, but nobody would ever answer.
  const answers = await Promise.all(
    allOwners.map((user) => context.access.recheckPermission({ ...actor, user }, 'owner', undefined)),
  );
  const owners = allOwners.filter((owner, index) => owner !== actor.user && answers[index] !== 'no');
  if (owners.length === 0) return { message: NO_OWNERS, canRetry: true };
  const since = new Date(now.getTime() - MIN_REPEAT_INTERVAL_MS);
  const { workspace, user: person } = actor;
  const request = { id: randomUUID(), workspace, person, role, project };
  const result = await sendRequest(context.db, { ...request, since, now });
  if (result !== 'sent') return { message: NOT_SENT_MESSAGES[result], canRetry: result === 'too-many' };
  const projectName = await readProjectName(call, project);
  const message = renderAccessRequest({ id: request.id, person, role, project: projectName });
  const sentMessages = await Promise.all(
    owners.map(async (owner) => {
      const address = await sendMessage(call, owner, message);
      return address ? [{ ...address, owner }] : [];
    }),
  );
  const messages = sentMessages.flat();
  await recordRequest(call, 'roles ask', request, role);
  await storeRequestMessages(context.db, { ...request, messages }).catch((err: unknown) =>
    call.log.warn({ reference: call.reference, err }, 'could not store the messages of a role request'),
  );
  // An owner may have answered before the messages were stored.
  await showAnswers(call, [request.id]);
  const sent = `Request sent for the ${renderRole(role)} role${renderProjectSuffix(projectName)}. I’ll DM you when an Owner answers.`;
  return { message: messages.length > 0 ? { text: sent } : UNDELIVERED, canRetry: false };
}

/** Asks before the press that makes a person an Owner, as the form that gives roles does. */
const OWNER_DIALOG = { title: 'Give this role?', text: OWNER_WARNING, confirm: 'Give' };
/** In the value of a button whose press was asked about. Messages that were sent before have buttons without it. */
const CONFIRMED = 'confirmed';

/** Renders the message that asks the owners for a role. The menu has the roles that weren't asked for. */
function renderAccessRequest(request: {
  id: string;
  person: string;
  role: Role;
  project: string | undefined;
}): Message {
  const { id, role } = request;
  const scopeText = renderProjectSuffix(request.project) || ' in the whole workspace';
  const includedRoles = ROLES.slice(0, ROLES.indexOf(role) + 1);
  const abilities = joinAbilities(includedRoles.flatMap((included) => ROLE_TABLE[included].abilities));
  const text = `<@${request.person}> requested the *${renderRole(role)}* role${scopeText}. ${renderRole(role)}s can ${abilities}.`;
  const otherRoles = ROLES.filter((other) => other !== role && other !== 'owner');
  const menu: Overflow = {
    type: 'overflow',
    action_id: GIVE_OTHER_ROLE_ACTION,
    options: otherRoles.map((other) => option(`Give ${renderRole(other)} instead`, `${id} ${other}`)),
  };
  const isConfirmed = role === 'owner' ? ` ${CONFIRMED}` : '';
  const approve = button('Approve', `${ANSWER_PREFIX}.${role}`, `${id}${isConfirmed}`, 'primary');
  return {
    text,
    blocks: [
      { ...section(text), accessory: menu },
      actions(
        role === 'owner' ? withConfirmation(approve, OWNER_DIALOG) : approve,
        button('Decline', DECLINE_ACTION, id),
      ),
    ],
  };
}

/** Handles an owner's answer: a role, or [Decline]. Only the first answer counts. */
export async function answerAccessRequest(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const { id, answer, isConfirmed } = readAnswer(call.action);
  const requestKey = { workspace: actor.workspace, id, now: call.now() };
  const request = await findAccessRequest(context.db, requestKey);
  if (!request || !(answer === 'no' || isRole(answer))) return showResult(call, NOT_AVAILABLE);
  const { person } = request;
  const project = await readProjectName(call, request.project);
  const projectSuffix = renderProjectSuffix(project);
  const requested = `request for the ${renderRole(request.role)} role${projectSuffix}`;
  /** Replaces the pressed request by its answer. The others follow. */
  const showAnswer = async (answered: Pick<AccessRequest, 'answer' | 'answeredBy'>) => {
    const text = renderAnswer({ ...request, ...answered }, await readProjectNames(call));
    if (text !== undefined) await call.reply({ text }, { replace: true });
  };
  if (answer !== 'no' && request.answer === undefined) {
    const subject = { workspace: actor.workspace, user: person };
    const access = await context.access.findAccess(subject, call.client, 'everything');
    // They may have become a guest, or left, since they asked.
    if (access.kind === 'outsider') {
      const text = `Not given. ${renderNoRolePossible(access.reason, `<@${person}>`)}`;
      return showResult(call, { text });
    }
  }
  if (answer === 'owner' && request.answer === undefined && !isConfirmed)
    return showResult(call, renderOwnerQuestion(request));
  const storeAnswer = (db: Kysely<AccessTables>) =>
    answerRequest(db, { ...requestKey, answer, by: actor.user });
  const requestedProject = { id: request.project, ...(project !== undefined && { name: project }) };
  // The owner role always applies to the whole workspace.
  const assignedProject = answer === 'owner' ? { id: '' } : requestedProject;
  const isAnswered =
    answer === 'no'
      ? await storeAnswer(context.db)
      : await raiseRole(call, { person, project: assignedProject, role: answer }, storeAnswer);
  if (!isAnswered) {
    const current = await findAccessRequest(context.db, requestKey);
    if (!current) return showResult(call, NOT_AVAILABLE);
    if (current.answer !== undefined) return showAnswer(current);
    const text = `<@${person}> already has this role or a higher one, so nothing changed.`;
    // Another role can still be an answer.
    return showResult(call, { text }, { replace: answer === request.role });
  }
  if (answer === 'no') {
    await recordRequest(call, 'roles decline', request, request.role);
    await sendMessage(call, person, { text: `<@${actor.user}> declined your ${requested}.` });
  }
  await showAnswer({ answer, answeredBy: actor.user });
  await showAnswers(call, [id]);
}

/** Renders the question of the dialog for a press on an older message, whose button shows no dialog. */
function renderOwnerQuestion({ id, person }: Pick<AccessRequest, 'id' | 'person'>): Message {
  const text = `Make <@${person}> an Owner? ${OWNER_WARNING}`;
  const give = button('Give', `${ANSWER_PREFIX}.owner`, `${id} ${CONFIRMED}`, 'danger');
  return { text, blocks: [section(text), actions(give)] };
}

/** Reads the id of the request, the answer (a role, or 'no'), and whether the person was asked about it. */
function readAnswer(action: ActionCall['action']): { id: string; answer: string; isConfirmed: boolean } {
  const isOther = action.id === GIVE_OTHER_ROLE_ACTION;
  const [id = '', second = ''] = ((isOther ? action.selectedValue : action.value) ?? '').split(' ');
  const answer = isOther ? second : action.id.slice(ANSWER_PREFIX.length + 1);
  return { id, answer, isConfirmed: !isOther && second === CONFIRMED };
}

async function recordRequest(call: Call, action: AuditAction, request: AccessRequest, role: string) {
  const target = `person ${request.person} ${role}`;
  await call.context.record.add(buildDoneEntry(call, { project: request.project, action, target }));
}

async function readProjectName(call: Call, project: string): Promise<string | undefined> {
  return project === '' ? undefined : ((await readProjectNames(call)).get(project) ?? getServiceId(project));
}

function sendMessage(call: Call, user: string, message: Message) {
  return sendOrLog(call, user, message, 'could not deliver a message about a role request');
}

/** Shows the message in the modal that the button is in. Without a modal, replies to the actor only. */
async function showResult(call: ActionCall, message: Message, options = { replace: false }): Promise<void> {
  if (!call.view) return call.reply(message, options);
  const update = { view_id: call.view.id, view: buildMessageView(message) };
  // The person may have closed the modal.
  await call.client.views.update(update).catch(() => call.reply(message));
}
