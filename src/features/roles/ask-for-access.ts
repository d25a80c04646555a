import { randomUUID } from 'node:crypto';
import {
  type AccessRequest,
  accessRequest,
  answerRequest,
  isRole,
  offerRequest,
  sendRequest,
} from '../../access/access.ts';
import type { ActionCall, Call } from '../../app/call.ts';
import { disableParsing, type Message } from '../../slack/message.ts';
import { buildMessageView } from '../../slack/message-view.ts';
import { raiseRole } from './give-role.ts';
import { projectNames } from './project-names.ts';
import { ANSWER, answeredMessage, askedMessage, declinedMessage } from './told-messages.ts';

/** Until then nobody asks for the same again. */
const ASK_AGAIN_MS = 24 * 60 * 60 * 1000;

const GONE: Message = {
  text: 'This button belongs to somebody else, or to something that is no longer kept. Type `/upnext roles`.',
};
const TOO_MANY: Message = {
  text: 'The owners have been asked for many roles today, so I don’t ask them for this one. Write to one of them yourself, or try again tomorrow.',
};
const NOT_SENT_CAUSES = {
  already: { text: 'The owners have been asked already. You hear from them here.' },
  'too-many': TOO_MANY,
  gone: GONE,
} as const;
const TOO_MANY_OFFERS: Message = {
  text: 'You have too many requests that you haven’t sent, so I can’t make another. Press Ask for access on an earlier message, or write to an owner.',
};
const NOBODY: Message = {
  text: 'Nobody owns Upnext in this workspace yet. An admin of the workspace can claim it: `/upnext roles`.',
};

/** [Ask for access]: the owners are told, with the roles as buttons. */
export async function askForAccess(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const at = { workspace: actor.workspace, id: call.action.value ?? '', now: call.now() };
  const request = await accessRequest(context.db, at);
  if (request?.person !== actor.user || request.answer !== undefined) return say(call, GONE);
  await say(call, await ask(call, request));
}

/** The menu of roles in `/upnext roles`. */
export async function askForChosen(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const { chosen } = call.action;
  if (!isRole(chosen)) return say(call, GONE);
  const { workspace, user: person } = actor;
  const request = { id: randomUUID(), workspace, person, role: chosen, project: '', madeAt: call.now() };
  const id = await offerRequest(context.db, request);
  await say(call, id === undefined ? TOO_MANY_OFFERS : await ask(call, { ...request, id }));
}

async function ask(call: Call, request: AccessRequest): Promise<Message> {
  const { context, actor } = call;
  const { role } = request;
  if (!isRole(role)) return GONE;
  const now = call.now();
  const found = await context.access.ownersOf(actor.workspace);
  if (found === 'unknown') {
    return { text: `I couldn't look up the owners. Try again. Reference: ${call.reference}` };
  }
  const owners = found.filter((owner) => owner !== actor.user);
  if (owners.length === 0) return NOBODY;
  const since = new Date(now.getTime() - ASK_AGAIN_MS);
  const asked = await sendRequest(context.db, { ...request, since, now });
  if (asked !== 'asked') return NOT_SENT_CAUSES[asked];
  const project = await nameOf(call, request.project);
  const message = askedMessage({ id: request.id, person: actor.user, role, project });
  const told = await Promise.all(owners.map((owner) => tellOwner(call, owner, message)));
  await record(call, 'roles ask', request, role);
  if (!told.some(Boolean)) return { text: 'I could not reach an owner. Please ask one yourself.' };
  return { text: 'The owners have been asked. You hear from them here.' };
}

/** An owner presses one of the roles, or [Not now]. The first answer holds. */
export async function answerAsked(call: ActionCall): Promise<void> {
  const { context, actor } = call;
  const at = { workspace: actor.workspace, id: call.action.value ?? '', now: call.now() };
  const request = await accessRequest(context.db, at);
  const answer = call.action.id.slice(ANSWER.length + 1);
  if (!request || request.askedAt === undefined || !(answer === 'no' || isRole(answer)))
    return say(call, GONE);
  const project = await nameOf(call, request.project);
  const isFirst = await answerRequest(context.db, { ...at, answer, by: actor.user });
  if (!isFirst) {
    const { answer: said = 'no', answeredBy: by = actor.user } = (await accessRequest(context.db, at)) ?? {};
    return call.reply(answeredMessage({ ...request, answer: said, by, project }), { replace: true });
  }
  if (answer === 'no') {
    await record(call, 'roles decline', request, request.role);
    const declined = declinedMessage({ role: request.role, by: actor.user, project });
    await tellOwner(call, request.person, declined);
  } else {
    const about = { id: request.project, ...(project !== undefined && { name: project }) };
    const subject = { kind: 'person', id: request.person } as const;
    // An owner is one of the whole workspace.
    const where = answer === 'owner' ? { id: '' } : about;
    await raiseRole(call, { subject, project: where, role: answer });
  }
  await call.reply(answeredMessage({ ...request, answer, by: actor.user, project }), { replace: true });
}

async function record(call: Call, action: string, request: AccessRequest, role: string) {
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

async function nameOf(call: Call, project: string): Promise<string | undefined> {
  return project === '' ? undefined : ((await projectNames(call)).get(project) ?? project);
}

async function tellOwner({ client, log, reference }: Call, user: string, message: Message) {
  try {
    await client.chat.postMessage({ channel: user, ...disableParsing(message) });
    return true;
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'an owner was not told');
    return false;
  }
}

/** Where the button stands: in the modal that holds it, else to the person alone. */
async function say(call: ActionCall, message: Message): Promise<void> {
  if (!call.view) return call.reply(message);
  try {
    await call.client.views.update({ view_id: call.view.id, view: buildMessageView(message) });
  } catch {
    // It was closed meanwhile, or it is Home, which is no modal.
    await call.reply(message);
  }
}
