import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Audience, type AudienceAnswer, audienceOf, outsiderNames } from './audience.ts';
import { actions, button } from './blocks.ts';
import { failureView } from './bolt/failure.ts';
import { carried, readCarried } from './carried.ts';
import { escapeText } from './escape.ts';
import type { ActionCall, Call } from './feature.ts';
import { type Message, quotingMessage } from './message.ts';
import { NotAllowed, notChecked } from './not-allowed.ts';

/** What people of another organisation read, an owner decides. */
const DECIDES = 'owner';

/** What a button that confirms carries: what is shared, and who its person has read will read it. */
const confirmed = z.object({ id: z.string(), readers: z.string() });

/**
 * Throws NotAllowed where this is not for them to show there: outsiders read the channel, or it could not be found out.
 * `only`: the end of a sentence, "so … by an owner".
 */
export async function permitOutside(
  call: Call<unknown>,
  { audience, what, only }: { audience: AudienceAnswer; what: string; only: string },
): Promise<void> {
  if (audience === 'not-checked' && !call.may(DECIDES)) throw new NotAllowed(notChecked(call.reference));
  const because =
    audience !== 'not-checked' && audience?.isShared
      ? `This channel is shared with ${escapeText(outsiderNames(audience))}, so ${only}.`
      : `Slack does not let me see who reads this channel, so ${only}; or invite me with \`/invite @Upnext\`.`;
  await call.permit(DECIDES, undefined, what, because);
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
  await permitOutside(call, { audience, what, only: 'only an owner shares plans here' });
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

/** Which outsiders a question named, in as little as a button can carry. */
function readersOf(audience: AudienceAnswer): string {
  if (!audience || audience === 'not-checked') return 'unknown';
  return createHash('sha256').update(audience.outsiders.join(' ')).digest('base64url');
}

function question(audience: AudienceAnswer, again: ReturnType<typeof button>): Message {
  const readers =
    audience && audience !== 'not-checked'
      ? `This channel is shared with ${outsiderNames(audience)}. People there will read what you share.`
      : "I couldn't find out who reads this channel. People of another organisation may be among them.";
  const message = quotingMessage(`${readers} Share it all the same?`, 'Nothing was shared yet.');
  return { ...message, blocks: [...(message.blocks ?? []), actions(again)] };
}
