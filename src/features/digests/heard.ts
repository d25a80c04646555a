import type { ActionCall } from '../../app/call.ts';
import { RESUME } from '../../digests/action-ids.ts';
import { asAllowed, type Digest } from '../../digests/digest.ts';
import { DIGEST_EVENTS } from '../../digests/heard.ts';
import { DIGEST_ACTIONS, resumeNoticed } from '../../digests/presses.ts';
import { occurrenceOf } from '../../digests/sql/occurrences.ts';
import { sharedId } from '../../slack/share-outside.ts';
import { checkResume, RESUME_OUTSIDE } from './check-resume.ts';
import { ownOrChannels } from './digest-facts.ts';
import { GONE } from './digest-messages.ts';
import { permitRunning } from './may-show.ts';

/** What happens to channels. */
export const events = DIGEST_EVENTS;

/** The buttons of what owners are told: of a channel's digest they are for who runs it still. */
export const toldActions = {
  ...Object.fromEntries(Object.entries(DIGEST_ACTIONS).map(([id, press]) => [id, permitted(press)])),
  [RESUME]: permitted(resume),
  [RESUME_OUTSIDE]: permitted(resume),
};

function permitted(press: (call: ActionCall, digest: Digest) => Promise<void>) {
  return async (call: ActionCall): Promise<void> => {
    const { context, who } = call;
    const value = sharedId(call) ?? '';
    const row = await occurrenceOf(context.db, { workspace: who.workspace, id: value });
    const digest = await ownOrChannels(call, row?.digest ?? value);
    if (!digest) return call.reply(GONE);
    await permitRunning(call, digest, 'digests told');
    await press(call, digest);
  };
}

async function resume(call: ActionCall, digest: Digest): Promise<void> {
  const checked = await checkResume(call, digest);
  if (checked === 'asked') return;
  if ('trouble' in checked) return call.reply({ text: checked.trouble });
  await resumeNoticed(call, asAllowed(digest), checked.sharedWith);
}
