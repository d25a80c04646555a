import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ActionCall, Call } from '../app/call.ts';
import { type Audience, type AudienceAnswer, fetchAudience, outsiderNames } from './audience.ts';
import { actions, button } from './blocks.ts';
import { pushMessage } from './bolt/failure.ts';
import { decodeButtonState, encodeButtonState } from './carried.ts';
import { escapeText } from './escape.ts';
import { messageView } from './failure-view.ts';
import { quotingMessage } from './message.ts';

/** What people of another organisation read, an owner decides. */
const DECIDES = 'owner';

/**
 * What a button that confirms carries: what it is about, which readers its question named, and the modal below the
 * question, where it stands in one.
 */
const confirmed = z.object({ id: z.string(), readers: z.string(), below: z.string().optional() });

/**
 * Throws NotAllowed where outsiders read the channel, or may, and this person is no owner. `can`: what an owner can do,
 * the end of a sentence.
 */
export async function permitOutside(
  call: Call,
  { audience, what, can }: { audience: AudienceAnswer; what: string; can: string },
): Promise<void> {
  await call.permit(DECIDES, undefined, what, `${whyOwner(audience)}, so only an owner can ${can}.`);
}

/** mrkdwn, the beginning of a sentence. */
function whyOwner(audience: AudienceAnswer): string {
  if (audience === 'not-checked') return "Slack didn't tell me just now who reads this channel";
  if (!audience) return "I can't see who reads this channel (`/invite @Upnext` lets me)";
  return `This channel is shared with ${escapeText(outsiderNames(audience))}`;
}

/** Whether nobody but the workspace's own people reads a channel, for certain. */
export function isInternal(audience: AudienceAnswer): audience is Audience {
  return audience !== undefined && audience !== 'not-checked' && !audience.isShared;
}

/**
 * Whether what [Share] stands for may be posted in a channel now. Where outsiders may read there, an owner is asked
 * first (see `confirmOutside`); everybody else is refused (NotAllowed).
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
  call.countCostly();
  return true;
}

/** What an owner is asked: mrkdwn is `nothing` alone, which says that nothing was done yet. */
interface Question {
  audience: AudienceAnswer;
  /** What it is about. */
  id: string;
  /** The action of the button that confirms, which comes here again. */
  confirm: string;
  question: string;
  nothing: string;
  /** Of the button that confirms. */
  yes: string;
  /** Of the one that closes the question, where it stands in a modal. */
  no: string;
}

const SHARING = {
  question: 'Its people would read what you share. Share it all the same?',
  nothing: 'Nothing was shared yet.',
  yes: 'Share all the same',
  no: "Don't share",
};

/**
 * Whether this press confirms just these readers. If not, the question is shown: on top of a modal, so that nothing of
 * it is lost, else to the person alone. In the place of an earlier question where the readers have changed since.
 */
export async function confirmOutside(call: ActionCall, about: Question): Promise<boolean> {
  const { audience, id, confirm, question, nothing, yes, no } = about;
  const readers = hashReaders(audience);
  const said = call.action.id === confirm ? decodeButtonState(confirmed, call.action.value) : undefined;
  if (said?.id === id && said.readers === readers) return true;
  const below = said ? said.below : call.view?.id;
  const value = encodeButtonState({ id, readers, ...(below !== undefined && { below }) });
  const message = quotingMessage(`${readersText(audience)} ${question}`, nothing);
  const asked = {
    ...message,
    blocks: [...(message.blocks ?? []), actions(button(yes, confirm, value, 'danger'))],
  };
  if (!call.view) await call.reply(asked, { replace: said !== undefined });
  else if (!said) await pushMessage(call, asked, no);
  else await call.client.views.update({ view_id: call.view.id, view: messageView(call.sealed(asked), no) });
  return false;
}

/** What a press of [Share], or of the button that confirms it, is about. */
export function sharedId({ action }: ActionCall): string | undefined {
  return decodeButtonState(confirmed, action.value)?.id ?? action.value;
}

/**
 * The same press as one in the modal below the question, once the question says what came of it (`said`, mrkdwn).
 * Undefined where the press was in no such question.
 */
export async function returnToModalBelow(call: ActionCall, said: string): Promise<ActionCall | undefined> {
  const below = decodeButtonState(confirmed, call.action.value)?.below;
  const { view } = call;
  if (!view || below === undefined) return undefined;
  await call.client.views.update({ view_id: view.id, view: messageView({ text: said }) });
  return { ...call, view: { ...view, id: below } };
}

/** The readers that a question names, in as little as a button can carry: an answer holds for these alone. */
export function hashReaders(audience: AudienceAnswer): string {
  if (!audience || audience === 'not-checked') return 'unknown';
  return createHash('sha256').update(audience.outsiders.join(' ')).digest('base64url');
}

/** Plain text: who else reads a channel, before an owner decides. */
export function readersText(audience: AudienceAnswer): string {
  return audience && audience !== 'not-checked'
    ? `This channel is shared with ${outsiderNames(audience)}.`
    : "I couldn't find out who reads this channel. It may be shared with another organisation.";
}
