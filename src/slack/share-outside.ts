import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ActionCall, Call } from '../app/call.ts';
import { type Audience, type AudienceAnswer, fetchAudience, outsiderNames } from './audience.ts';
import { actions, button } from './blocks.ts';
import { pushMessage } from './bolt/failure.ts';
import { escapeText } from './escape.ts';
import { quotingMessage } from './message.ts';
import { messageView } from './message-view.ts';
import { decodeButtonState, encodeButtonState } from './view-values.ts';

/** The role that may show plans to people of another organisation. */
const DECIDING_ROLE = 'owner';

/**
 * The state of a button that confirms. `id`: what the question is about. `readers`: a hash of the readers that the
 * question named. `below`: the modal below the question, if the question is in a modal.
 */
const confirmation = z.object({ id: z.string(), readers: z.string(), below: z.string().optional() });

/**
 * Throws NotAllowed if outsiders read the channel, or may read it, and the person isn't an owner. `can`: what an owner
 * can do, as the end of a sentence.
 */
export async function permitOutside(
  call: Call,
  { audience, what, can }: { audience: AudienceAnswer; what: string; can: string },
): Promise<void> {
  await call.permit(DECIDING_ROLE, undefined, what, `${ownerReason(audience)}, so only an owner can ${can}.`);
}

/** mrkdwn: why this needs an owner, as the beginning of a sentence. */
function ownerReason(audience: AudienceAnswer): string {
  if (audience === 'not-checked') return "Slack didn't tell me just now who reads this channel";
  if (!audience) return "I can't see who reads this channel (`/invite @Upnext` lets me)";
  return `This channel is shared with ${escapeText(outsiderNames(audience))}`;
}

/** Whether it is certain that only the workspace's own people read the channel. */
export function isInternal(audience: AudienceAnswer): audience is Audience {
  return audience !== undefined && audience !== 'not-checked' && !audience.isShared;
}

/**
 * Whether a press of [Share] may now share to the channel. If outsiders may read the channel, an owner is asked to
 * confirm first (see `confirmOutside`), and everybody else gets NotAllowed.
 */
export async function mayShare(
  call: ActionCall,
  share: { channel: string; id: string; confirm: string; what: string },
): Promise<boolean> {
  const { channel, id, confirm, what } = share;
  const audience = await fetchAudience(call, channel);
  if (!isInternal(audience)) {
    await permitOutside(call, { audience, what, can: 'share plans here' });
    if (!(await confirmOutside(call, { ...SHARING, audience, id, confirm }))) return false;
  }
  call.countCostlyAction();
  return true;
}

/** A question to an owner. `nothing` is mrkdwn, all other text is plain. */
interface Question {
  audience: AudienceAnswer;
  /** The id of what would be shared. */
  id: string;
  /** The action id of the button that confirms. Its handler calls `confirmOutside` again. */
  confirm: string;
  question: string;
  /** Says that nothing was done yet. */
  nothing: string;
  /** Label of the button that confirms. */
  yes: string;
  /** Label of the button that closes the question, if it is shown in a modal. */
  no: string;
}

const SHARING = {
  question: 'Its people would read what you share. Share it all the same?',
  nothing: 'Nothing was shared yet.',
  yes: 'Share all the same',
  no: "Don't share",
};

/**
 * Whether this press confirms exactly these readers. If not, the question is shown: on top of the modal, so that its
 * content is preserved, or to the person alone if there is no modal. If the readers have changed since an earlier
 * question, the new question replaces it.
 */
export async function confirmOutside(call: ActionCall, asked: Question): Promise<boolean> {
  const { audience, id, confirm, question, nothing, yes, no } = asked;
  const readers = hashReaders(audience);
  const answer = call.action.id === confirm ? decodeButtonState(confirmation, call.action.value) : undefined;
  if (answer?.id === id && answer.readers === readers) return true;
  const below = answer ? answer.below : call.view?.id;
  const value = encodeButtonState({ id, readers, ...(below !== undefined && { below }) });
  const message = quotingMessage(`${readersText(audience)} ${question}`, nothing);
  const withButton = {
    ...message,
    blocks: [...(message.blocks ?? []), actions(button(yes, confirm, value, 'danger'))],
  };
  if (!call.view) await call.reply(withButton, { replace: answer !== undefined });
  else if (!answer) await pushMessage(call, withButton, no);
  else
    await call.client.views.update({
      view_id: call.view.id,
      view: messageView(call.sealButtons(withButton), no),
    });
  return false;
}

/** The id of what a press of [Share], or of the button that confirms it, would share. */
export function sharedId({ action }: ActionCall): string | undefined {
  return decodeButtonState(confirmation, action.value)?.id ?? action.value;
}

/**
 * Shows the result (mrkdwn) in place of the question, and returns the call with the modal below the question as its
 * view. Undefined if the press wasn't in a question on top of a modal.
 */
export async function returnToModalBelow(call: ActionCall, result: string): Promise<ActionCall | undefined> {
  const below = decodeButtonState(confirmation, call.action.value)?.below;
  const { view } = call;
  if (!view || below === undefined) return undefined;
  await call.client.views.update({ view_id: view.id, view: messageView({ text: result }) });
  return { ...call, view: { ...view, id: below } };
}

/**
 * A hash of the readers that a question names, short enough for a button. An answer is valid only for the same readers.
 */
export function hashReaders(audience: AudienceAnswer): string {
  if (!audience || audience === 'not-checked') return 'unknown';
  return createHash('sha256').update(audience.outsiders.join(' ')).digest('base64url');
}

/** Plain text for the question to an owner: who else reads the channel. */
export function readersText(audience: AudienceAnswer): string {
  return audience && audience !== 'not-checked'
    ? `This channel is shared with ${outsiderNames(audience)}.`
    : "I couldn't find out who reads this channel. It may be shared with another organisation.";
}
