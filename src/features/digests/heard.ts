import { RESUME } from '../../digests/action-ids.ts';
import { asAllowed, type Digest } from '../../digests/digest.ts';
import { DIGEST_EVENTS } from '../../digests/heard.ts';
import { DIGEST_ACTIONS, resumeNoticed } from '../../digests/presses.ts';
import { occurrenceOf } from '../../digests/sql/occurrences.ts';
import type { ActionCall, EventCall } from '../../slack/feature.ts';
import { sharedId } from '../../slack/share-outside.ts';
import type { Parts } from '../../submissions/parts.ts';
import { checkResume, RESUME_OUTSIDE } from './check-resume.ts';
import { ownOrChannels } from './digest-facts.ts';
import { GONE } from './digest-messages.ts';
import { withDigests } from './digests-of.ts';
import { permitRunning } from './may-show.ts';

/** What happens to channels. */
export const events = Object.fromEntries(
  Object.entries(DIGEST_EVENTS).map(([type, hear]) => [
    type,
    (call: EventCall<Parts>) => hear({ ...call, parts: withDigests(call.parts) }),
  ]),
);

/** The buttons of what owners are told: of a channel's digest they are for who runs it still. */
export const toldActions = {
  ...Object.fromEntries(
    Object.entries(DIGEST_ACTIONS).map(([id, press]) => [
      id,
      permitted((call) => press({ ...call, parts: withDigests(call.parts) })),
    ]),
  ),
  [RESUME]: permitted(resume),
  [RESUME_OUTSIDE]: permitted(resume),
};

function permitted(press: (call: ActionCall<Parts>, digest: Digest) => Promise<void>) {
  return async (call: ActionCall<Parts>): Promise<void> => {
    const { parts, who } = call;
    const value = sharedId(call) ?? '';
    const row = await occurrenceOf(parts.db, { workspace: who.workspace, id: value });
    const digest = await ownOrChannels(call, row?.digest ?? value);
    if (!digest) return call.reply(GONE);
    await permitRunning(call, digest, 'digests told');
    await press(call, digest);
  };
}

async function resume(call: ActionCall<Parts>, digest: Digest): Promise<void> {
  const checked = await checkResume(call, digest);
  if (checked === 'asked') return;
  if ('trouble' in checked) return call.reply({ text: checked.trouble });
  const withMachine = { ...call, parts: withDigests(call.parts) };
  await resumeNoticed(withMachine, asAllowed(digest), checked.sharedWith);
}
