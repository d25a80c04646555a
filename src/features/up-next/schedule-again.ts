import type { ActionCall, Call } from '../../app/call.ts';
import { readPostCopy, storePostCopies, toPostCopy } from '../../forms/post-copies.ts';
import type { Next } from './up-next-messages.ts';

const TOO_OLD = {
  text: 'This card is too old, or somebody else’s. Type `/upnext` for a new one.',
};

/** Stores a copy of the card's only post for [Schedule again]. Undefined if the card has no post or several. */
export async function storeForScheduleAgain(call: Call, next: readonly Next[]): Promise<string | undefined> {
  const [only] = next.length === 1 ? next : [];
  if (only?.kind !== 'post') return undefined;
  const [id] = await storePostCopies(call, [
    toPostCopy(only.project, { post: only.post, authorName: only.by }),
  ]);
  return id;
}

/** [Schedule again] opens the form for posts with a copy of the post. */
export async function scheduleAgain(call: ActionCall): Promise<void> {
  const id = call.action.value ?? '';
  const copy = await readPostCopy(call, id);
  await (copy ? call.openFeature('schedule-post', { copy: id }) : call.reply(TOO_OLD));
}
