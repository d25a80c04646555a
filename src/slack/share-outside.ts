import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Audience, type AudienceAnswer, audienceOf, outsiderNames } from './audience.ts';
import { actions, button } from './blocks.ts';
import { failureView } from './bolt/failure.ts';
import { carried, readCarried } from './carried.ts';
import { escapeText } from './escape.ts';
import type { ActionCall, Call } from './feature.ts';
import { type Message, quotingMessage } from './message.ts';

/** What people of another organisation read, an owner decides. */
const DECIDES = 'owner';

/** What a button that confirms carries: what it is about, and which readers its question named. */
const confirmed = z.object({ id: z.string(), readers: z.string() });

/**
 * Throws NotAllowed where outsiders read the channel, or may, and this person is no owner. `can`: what an owner can do,
 * the end of a sentence.
 */
export async function permitOutside(
  call: Call<unknown>,
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
 * first, with a button of the action `confirm`, which comes here again; everybody else is refused (NotAllowed). What
 * was confirmed holds for the outsiders that the question named, and for no others.
 */
export async function mayShare(
  call: ActionCall<unknown>,
  share: { channel: string; id: string; confirm: string; what: string },
): Promise<boolean> {
  const { channel, id, confirm, what } = share;
  const audience = await audienceOf(call, channel);
  if (isInternal(audience)) {
    call.countCostly();
    return true;
  }
  await permitOutside(call, { audience, what, can: 'share plans here' });
  const readers = readersOf(audience);
  const said = call.action.id === confirm ? readCarried(confirmed, call.action.value) : undefined;
  if (said?.id === id && said.readers === readers) {
    call.countCostly();
    return true;
  }
  const again = button('Share all the same', confirm, carried({ id, readers }), 'danger');
  const asked = question(audience, again);
  if (!call.view) await call.reply(asked, { replace: said !== undefined });
  else await call.client.views.update({ view_id: call.view.id, view: failureView(call.sealed(asked)) });
  return false;
}

/** What a press of [Share], or of the button that confirms it, is about. */
export function sharedId({ action }: ActionCall<unknown>): string | undefined {
  return readCarried(confirmed, action.value)?.id ?? action.value;
}

/** The readers that a question names, in as little as a button can carry: an answer holds for these alone. */
export function readersOf(audience: AudienceAnswer): string {
  if (!audience || audience === 'not-checked') return 'unknown';
  return createHash('sha256').update(audience.outsiders.join(' ')).digest('base64url');
}

/** Plain text: who else reads a channel, before an owner decides. */
export function readersWords(audience: AudienceAnswer): string {
  return audience && audience !== 'not-checked'
    ? `This channel is shared with ${outsiderNames(audience)}.`
    : "I couldn't find out who reads this channel. It may be shared with another organisation.";
}

function question(audience: AudienceAnswer, again: ReturnType<typeof button>): Message {
  const line = `${readersWords(audience)} Its people would read what you share. Share it all the same?`;
  const message = quotingMessage(line, 'Nothing was shared yet.');
  return { ...message, blocks: [...(message.blocks ?? []), actions(again)] };
}
