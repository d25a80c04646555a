import { createHash } from 'node:crypto';
import type { ChatPostMessageResponse } from '@slack/web-api';
import { z } from 'zod';
import { listKnownProjects } from '../api/cached-reads.ts';
import { isOnlyProject } from '../posts/project.ts';
import { listBoundProjects } from '../preferences/bindings.ts';
import { type AudienceResult, fetchAudience, isInternal, renderOutsiderNames } from '../slack/audience.ts';
import { actions, button, escapeText } from '../slack/blocks.ts';
import { decodeButtonState, encodeButtonState } from '../slack/interaction-values.ts';
import { addBlocks, buildQuotingMessage, disableParsing, type Message } from '../slack/message.ts';
import { buildMessageView } from '../slack/message-view.ts';
import { renderSendError } from '../slack/slack-errors.ts';
import { updateOpenView } from './answer-when-ready.ts';
import { pushMessage } from './bolt/failure.ts';
import type { ActionCall, Call } from './call.ts';
import { findGuestFault, findGuests } from './guests.ts';

/**
 * The roles that may share posts: in a channel that follows their project, in other channels, and with people of another
 * organisation. A Manager could choose the project for the channel too.
 */
export const SHARING_ROLES = { followed: 'contributor', elsewhere: 'manager', outside: 'owner' } as const;

type AuditAction = Parameters<Call['permit']>[2];

/** The state of the confirm button of a question. */
const confirmation = z.object({
  /** The id of the item that the question is about. */
  id: z.string(),
  /** A hash of the readers that the question names. */
  readers: z.string(),
  /** The id of the modal underneath, if the question is shown in a modal. */
  modalBelow: z.string().optional(),
});

/**
 * Throws NotAllowed if the actor isn't an owner. Call it if outsiders may read the channel. `subject` is the action in
 * the audit log. `ability` completes the sentence "only an Owner can …".
 */
export async function permitSharingWithOutsiders(
  call: Call,
  { audience, subject, ability }: { audience: AudienceResult; subject: AuditAction; ability: string },
): Promise<void> {
  await call.permit(
    SHARING_ROLES.outside,
    undefined,
    subject,
    `${renderOwnerReason(audience)}, so only an Owner can ${ability}.`,
  );
}

/** Renders in mrkdwn why only an owner may do this, as the beginning of a sentence. */
function renderOwnerReason(audience: AudienceResult): string {
  if (audience === 'not-checked') return 'Slack didn’t tell me just now who reads this channel';
  if (!audience) return 'I can’t see who reads this channel (`/invite @Upnext` lets me)';
  return `This channel is shared with ${escapeText(renderOutsiderNames(audience))}`;
}

/**
 * Throws NotAllowed if the actor may not share posts of these projects with the channel. The only project needs no choice,
 * unless another was chosen.
 */
async function permitSharing(
  call: Call,
  { channel, projects, subject }: { channel: string; projects: readonly string[]; subject: AuditAction },
): Promise<void> {
  const { context, actor } = call;
  const followedIds = await listBoundProjects(context.db, { workspace: actor.workspace, channel });
  for (const project of projects) {
    await call.permit(SHARING_ROLES.followed, project, subject);
    if (followedIds.includes(project)) continue;
    const known = followedIds.length === 0 ? await listKnownProjects(context) : undefined;
    if (known?.isComplete && isOnlyProject(known)) continue;
    const explanation =
      'This channel doesn’t follow this project (`/upnext use`), so only a Manager can share its posts here.';
    await call.permit(SHARING_ROLES.elsewhere, project, subject, explanation);
  }
}

/**
 * Returns for whom the actor may now share posts of the projects with the channel, and counts that as a costly request.
 * If guests are in it whom a policy keeps out, says so and returns undefined. If outsiders may read the channel, asks an
 * owner to confirm and returns undefined. Throws NotAllowed for everybody else.
 * `sharedWith`: see `areConfirmed`. If Slack didn't say who reads the channel, it was confirmed for nobody in particular.
 */
export async function authorizeShare(
  call: ActionCall,
  share: {
    channel: string;
    /** The ids of the projects of the posts. */
    projects: readonly string[];
    id: string;
    confirmAction: string;
    subject: AuditAction;
  },
): Promise<{ sharedWith: readonly string[] | null } | undefined> {
  const { channel, projects, id, confirmAction, subject } = share;
  await permitSharing(call, share);
  const guestFault = await findGuestFault(call, channel, projects);
  if (guestFault !== undefined) {
    call.recordOutcome?.('unchanged');
    await call.reply({ text: `:warning: Not shared. ${guestFault}.` });
    return undefined;
  }
  const audience = await fetchAudience(call, channel);
  if (!isInternal(audience)) {
    await permitSharingWithOutsiders(call, { audience, subject, ability: 'share posts here' });
    if (!(await confirmSharingWithOutsiders(call, { ...SHARE_QUESTION, audience, id, confirmAction })))
      return undefined;
  }
  call.countCostlyAction();
  const isConfirmed = typeof audience === 'object' && audience.isShared;
  return { sharedWith: isConfirmed ? audience.outsiders : null };
}

/**
 * Sends a message to the channel that it is shared with. Resolves with why Slack refused it (mrkdwn). Another failure is
 * thrown: the channel may have the message, so it stays marked as shared.
 */
export async function sendShared(
  { client, recordOutcome }: Call,
  channel: string,
  message: Message,
): Promise<{ response: ChatPostMessageResponse } | { refusal: string }> {
  try {
    return { response: await client.chat.postMessage({ channel, ...disableParsing(message) }) };
  } catch (error) {
    const errorText = renderSendError(error);
    if (errorText === undefined) throw error;
    recordOutcome?.('unchanged');
    return { refusal: `:warning: Not shared. ${errorText}` };
  }
}

/** Renders that something was shared with a channel, and whether guests read it there (mrkdwn). */
export async function renderShared(call: Call, channel: string): Promise<string> {
  const guests = await findGuests(call, channel);
  const note = guests === 'yes' ? ' Guests are in it, and can see it too.' : '';
  return `Shared with <#${channel}>.${note}`;
}

/** A question to an owner. Text is plain unless noted. */
interface Question {
  audience: AudienceResult;
  /** The id of the item that would be shared. */
  id: string;
  /** The action id of the confirm button. Its handler checks the readers again. */
  confirmAction: string;
  question: string;
  /** The statement that nothing was done yet; mrkdwn. */
  unchangedNote: string;
  confirmLabel: string;
  /** Label of the button that closes the question, if it is shown in a modal. */
  closeLabel: string;
}

const SHARE_QUESTION = {
  question: 'Its people would read what you share. Share it anyway?',
  unchangedNote: 'Nothing has been shared yet.',
  confirmLabel: 'Share anyway',
  closeLabel: 'Don’t share',
};

/**
 * Returns true if this press confirms sharing with exactly these readers. Otherwise shows the question: in a modal on
 * top of the current modal, which keeps its content, or as an ephemeral message if there is no modal. If the readers
 * have changed since the last question, the new question replaces it.
 */
export async function confirmSharingWithOutsiders(call: ActionCall, request: Question): Promise<boolean> {
  const { audience, id, confirmAction, closeLabel } = request;
  const readers = hashReaders(audience);
  const confirmedState = call.action.id === confirmAction ? readConfirmation(call) : undefined;
  if (confirmedState?.id === id && confirmedState.readers === readers) return true;
  call.recordOutcome?.('unchanged');
  const modalBelow = confirmedState ? confirmedState.modalBelow : call.view?.id;
  const value = encodeButtonState({ id, readers, ...(modalBelow !== undefined && { modalBelow }) });
  const message = addBlocks(
    buildQuotingMessage(`${renderReaders(audience)} ${request.question}`, request.unchangedNote),
    actions(button(request.confirmLabel, confirmAction, value, 'danger')),
  );
  if (!call.view) await call.reply(message, { replace: confirmedState !== undefined });
  else if (!confirmedState) await pushMessage(call, message, closeLabel);
  else
    await call.client.views.update({
      view_id: call.view.id,
      view: buildMessageView(call.sealButtons(message), closeLabel),
    });
  return false;
}

/** Reads which item and readers a press of a confirm button confirms. Undefined for another button. */
function readConfirmation({ action }: ActionCall): z.infer<typeof confirmation> | undefined {
  return decodeButtonState(confirmation, action.value);
}

/** Returns the id of the item to share, from the state of the [Share] button or of the confirm button. */
export function getSharedId(call: ActionCall): string | undefined {
  return readConfirmation(call)?.id ?? call.action.value;
}

/**
 * Replaces the question with the result (mrkdwn). Returns a call with the modal underneath. Undefined if there is none,
 * or the person has closed the question.
 */
export async function returnToModalBelow(call: ActionCall, result: string): Promise<ActionCall | undefined> {
  const modalBelow = readConfirmation(call)?.modalBelow;
  const { view } = call;
  if (!view || modalBelow === undefined) return undefined;
  if (!(await updateOpenView(call.client, view.id, buildMessageView({ text: result })))) return undefined;
  return { ...call, view: { ...view, id: modalBelow } };
}

/** Hashes the readers that a question names, for the state of a button: a confirmation is only for these. */
export function hashReaders(audience: AudienceResult): string {
  if (!audience || audience === 'not-checked') return 'unknown';
  return createHash('sha256').update(audience.outsiders.join(' ')).digest('base64url');
}

/** Renders as plain text who else reads the channel, for the question to an owner. */
export function renderReaders(audience: AudienceResult): string {
  return audience && audience !== 'not-checked'
    ? `This channel is shared with ${renderOutsiderNames(audience)}.`
    : 'I couldn’t find out who reads this channel. It may be shared with another organisation.';
}
