import { blocksOfMessage } from '../blocks/blocks-of-message.ts';
import { valuesOf } from '../blocks/element-state.ts';
import type { Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { findByName, isButton, type Place } from './place.ts';
import { until } from './until.ts';

/** A person in front of a channel. */
export interface Scene {
  site: Site;
  person: Person;
  /** Its name, for what is said when nothing is found. */
  channel: string;
  /** What was chosen in messages so far, by their ts. */
  chosen: ReadonlyMap<string, ViewValues>;
}

function placeOf({ site, person, chosen }: Scene, message: StoredMessage): Place {
  const blocks = blocksOfMessage(message);
  return {
    site,
    person,
    container: { type: 'message', channel: message.channel, ts: message.ts },
    name: `the message “${message.text}”`,
    blocks: () => blocks,
    values: () => valuesOf(blocks, chosen.get(message.ts) ?? {}),
  };
}

/** Waits for a message with this button or menu; the newest one that has it. */
export function messageWith(
  scene: Scene,
  { name, button }: { name: string; button: boolean },
  visible: () => readonly StoredMessage[],
  shown: () => string,
): Promise<Place> {
  return until(scene.site, scene.person.id, {
    for: `a message with ${button ? `[${name}]` : `“${name}”`} in #${scene.channel}`,
    look: () =>
      visible()
        .map((message) => placeOf(scene, message))
        .findLast((place) => findByName(place, name, (placed) => isButton(placed) === button)),
    shown,
  });
}
