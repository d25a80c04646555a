import { computeValues } from '../blocks/element-values.ts';
import { listMessageBlocks } from '../blocks/list-message-blocks.ts';
import type { Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import type { Place } from './place.ts';
import { dispatch } from './use-element.ts';

/** What a person chose in messages, by ts. Slack sends it to the app again with the next press in that message. */
export type MessageChoices = Map<string, ViewValues>;

/** A message as a place whose buttons and menus a person uses. */
export function createMessagePlace(
  site: Site,
  person: Person,
  message: StoredMessage,
  choices: MessageChoices,
): Place {
  const blocks = listMessageBlocks(message);
  const place: Place = {
    site,
    person,
    container: { type: 'message', channel: message.channel, ts: message.ts },
    name: `the message “${message.text}”`,
    blocks: () => blocks,
    values: () => computeValues(blocks, choices.get(message.ts) ?? {}),
    setState: async (placed, state) => {
      const { blockId, actionId } = placed;
      const values = place.values();
      choices.set(message.ts, { ...values, [blockId]: { ...values[blockId], [actionId]: state } });
      await dispatch(place, placed, state);
    },
  };
  return place;
}
