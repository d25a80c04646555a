import { randomUUID } from 'node:crypto';
import {
  type AccessRequest,
  type AuditAction,
  answerRequest,
  findAccessRequest,
  isRole,
  offerRequest,
  sendRequest,
} from '../../access/access.ts';
import type { ActionCall, Call } from '../../app/call.ts';
import { disableParsing, type Message } from '../../slack/message.ts';
import { buildMessageView } from '../../slack/message-view.ts';
import { raiseRole } from './give-role.ts';
import { readProjectNames } from './project-names.ts';
import {
  ANSWER_PREFIX,
  renderAccessRequest,
  renderAnsweredRequest,
  renderDeclinedRequest,
} from './role-notifications.ts';

/** Minimum interval between two equal requests of a person. */
const REPEAT_AFTER_MS = 24 * 60 * 60 * 1000;

const NOT_AVAILABLE: Message = {
  text: 'This button belongs to somebody else, or to something that is no longer kept. Type `/upnext roles`.',
};
const TOO_MANY_REQUESTS: Message = {
  text: 'The owners have been asked for many roles today, so I don’t ask them for this one. Write to one of them yourself, or try again tomorrow.',
};
const NOT_SENT_MESSAGES = {
  duplicate: { text: 'The owners have been asked already. You hear from them here.' },
  'too-many': TOO_MANY_REQUESTS,
  gone: NOT_AVAILABLE,
} as const;
const TOO_MANY_UNSENT_REQUESTS: Message = {
  text: 'You have too many requests that you haven’t sent, so I can’t make another. Press Ask for access on an earlier message, or write to an owner.',
};
const NO_OWNERS: Message = {
  text: 'Nobody owns Upnext in this workspace yet. An admin of the workspace can claim it: `/upnext roles`.',
};

/** [Ask for access]: sends the stored request to the owners. */
export async function askForAccess(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const key = { workspace: actor.workspace, id: call.action.value ?? '', now: call.now() };
  const request = await findAccessRequest(context.db, key);
  if (request?.person !== actor.user || request.answer !== undefined) return showResult(call, NOT_AVAILABLE);
  await showResult(call, await sendRoleRequest(call, request));
}

/** Requests the role that was chosen in the menu of `/upnext roles`. */
export async function askForChosenRole(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const { selectedValue: role } = call.action;
  if (!isRole(role)) return showResult(call, NOT_AVAILABLE);
  const { workspace, user: person } = actor;
  const request = { id: randomUUID(), workspace, person, role, project: '', createdAt: call.now() };
  const id = await offerRequest(context.db, request);
  await showResult(
    call,
    id === undefined ? TOO_MANY_UNSENT_REQUESTS : await sendRoleRequest(call, { ...request, id }),
  );
}

/** Sends a request to all owners, with a button for each role. Resolves with the message for the actor. */
async function sendRoleRequest(call: Call, request: AccessRequest): Promise<Message> {
  const { context, actor } = call;
  const { role } = request;
  if (!isRole(role)) return NOT_AVAILABLE;
  const now = call.now();
  const allOwners = await context.access.listOwners(actor.workspace);
  if (allOwners === 'unknown') {
    return { text: `I couldn't look up the owners. Try again. Reference: ${call.reference}` };
  }
  const owners = allOwners.filter((owner) => owner !== actor.user);
  if (owners.length === 0) return NO_OWNERS;
  const since = new Date(now.getTime() - REPEAT_AFTER_MS);
  const result = await sendRequest(context.db, { ...request, since, now });
  if (result !== 'sent') return NOT_SENT_MESSAGES[result];
  const project = await readProjectName(call, request.project);
  const message = renderAccessRequest({ id: request.id, person: actor.user, role, project });
  const deliveries = await Promise.all(owners.map((owner) => sendMessage(call, owner, message)));
  await recordRequest(call, 'roles ask', request, role);
  if (!deliveries.some(Boolean)) return { text: 'I could not reach an owner. Please ask one yourself.' };
  return { text: 'The owners have been asked. You hear from them here.' };
}

/** Handles an owner's answer: one of the roles, or [Not now]. Only the first answer counts. */
export async function answerAccessRequest(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const key = { workspace: actor.workspace, id: call.action.value ?? '', now: call.now() };
  const request = await findAccessRequest(context.db, key);
  const answer = call.action.id.slice(ANSWER_PREFIX.length + 1);
  if (!request || request.requestedAt === undefined || !(answer === 'no' || isRole(answer)))
    return showResult(call, NOT_AVAILABLE);
  const project = await readProjectName(call, request.project);
  const isFirst = await answerRequest(context.db, { ...key, answer, by: actor.user });
  if (!isFirst) {
    const { answer: firstAnswer = 'no', answeredBy: by = actor.user } =
      (await findAccessRequest(context.db, key)) ?? {};
    return call.reply(renderAnsweredRequest({ ...request, answer: firstAnswer, by, project }), {
      replace: true,
    });
  }
  if (answer === 'no') {
    await recordRequest(call, 'roles decline', request, request.role);
    const declined = renderDeclinedRequest({ role: request.role, by: actor.user, project });
    await sendMessage(call, request.person, declined);
  } else {
    const requestedProject = { id: request.project, ...(project !== undefined && { name: project }) };
    const subject = { kind: 'person', id: request.person } as const;
    // The owner role always applies to the whole workspace.
    const scope = answer === 'owner' ? { id: '' } : requestedProject;
    await raiseRole(call, { subject, project: scope, role: answer });
  }
  await call.reply(renderAnsweredRequest({ ...request, answer, by: actor.user, project }), { replace: true });
}

async function recordRequest(call: Call, action: AuditAction, request: AccessRequest, role: string) {
  const { context, actor, reference } = call;
  await context.record.add({
    workspace: actor.workspace,
    actor: actor.user,
    project: request.project,
    action,
    target: `person ${request.person} ${role}`,
    decision: 'done',
    reference,
  });
}

async function readProjectName(call: Call, project: string): Promise<string | undefined> {
  return project === '' ? undefined : ((await readProjectNames(call)).get(project) ?? project);
}

/** Sends a direct message. Resolves with false, and logs the error, if it could not be delivered. */
async function sendMessage(
  { client, log, reference }: Call,
  user: string,
  message: Message,
): Promise<boolean> {
  try {
    await client.chat.postMessage({ channel: user, ...disableParsing(message) });
    return true;
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'could not deliver a message about a role request');
    return false;
  }
}

/** Shows the message in the modal of the button, or sends it to the actor only. */
async function showResult(call: ActionCall, message: Message): Promise<void> {
  if (!call.view) return call.reply(message);
  try {
    await call.client.views.update({ view_id: call.view.id, view: buildMessageView(message) });
  } catch {
    // The modal was closed in the meantime, or the button is on Home, where `views.update` fails.
    await call.reply(message);
  }
}
