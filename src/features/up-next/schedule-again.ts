import type { ActionCall, Call } from '../../app/call.ts';
import { readPostCopy, storePostCopies, toPostCopy } from '../../forms/post-copies.ts';
import type { Next } from './up-next-messages.ts';

const TOO_OLD = {
  text: 'This card is too old, or somebody else’s. Type `/upnext` for a new one.',
};

/** Keeps the one post of a card for [Schedule again]; undefined where there is none, or more than one. */
export async function keepForAgain(call: Call, next: readonly Next[]): Promise<string | undefined> {
  const [only] = next.length === 1 ? next : [];
  if (only?.kind !== 'post') return undefined;
  const [id] = await storePostCopies(call, [toPostCopy(only.project, only)]);
  return id;
}

/** Another post like it, in the form for posts. */
export async function scheduleAgain(call: ActionCall): Promise<void> {
  const id = call.action.value ?? '';
  const copy = await readPostCopy(call, id);
  await (copy ? call.openFeature('schedule-post', { copy: id }) : call.reply(TOO_OLD));
}
