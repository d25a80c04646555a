import { RESUME } from '../../digests/action-ids.ts';
import { DIGEST_EVENTS } from '../../digests/heard.ts';
import { DIGEST_ACTIONS } from '../../digests/presses.ts';
import type { ActionCall, EventCall } from '../../slack/feature.ts';
import { occurrenceOf } from '../../store/digest-occurrences.ts';
import type { Parts } from '../../submissions/parts.ts';
import { ownOrChannels } from './digest-facts.ts';
import { GONE } from './digest-messages.ts';
import { withDigests } from './digests-of.ts';
import { permitRunning } from './may-show.ts';
import { resumeTrouble } from './resume-trouble.ts';

/** What happens to channels. */
export const events = Object.fromEntries(
  Object.entries(DIGEST_EVENTS).map(([type, hear]) => [
    type,
    (call: EventCall<Parts>) => hear({ ...call, parts: withDigests(call.parts) }),
  ]),
);

/** The buttons of what owners are told: of a channel's digest they are for who runs it still. */
export const toldActions = Object.fromEntries(
  Object.entries(DIGEST_ACTIONS).map(([id, press]) => [
    id,
    async (call: ActionCall<Parts>) => {
      const { parts, who, action } = call;
      const value = action.value ?? '';
      const row = await occurrenceOf(parts.db, { workspace: who.workspace, id: value });
      const digest = await ownOrChannels(call, row?.digest ?? value);
      if (!digest) return call.reply(GONE);
      await permitRunning(call, digest, 'digests told');
      const trouble = action.id === RESUME ? await resumeTrouble(call, digest) : undefined;
      if (trouble !== undefined) return call.reply({ text: trouble });
      await press({ ...call, parts: withDigests(parts) });
    },
  ]),
);
