import { listElements } from '../blocks/list-elements.ts';
import { listMessageBlocks } from '../blocks/list-message-blocks.ts';
import { type Json, recordsIn } from '../json.ts';
import type { PageRequest } from '../page-request.ts';
import type { Container } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppByUser } from '../state/apps.ts';
import { findChannel } from '../state/directory.ts';
import { findHome } from '../state/home-tabs.ts';
import { listMessages } from '../state/messages.ts';
import { getModalStack } from '../state/modals.ts';
import type { Place } from './recording.ts';

/** Something with blocks that a person can name by its position. */
interface Placed {
  id: string;
  blocks: readonly Json[];
}

/** What a request is about. Undefined for commands and others that name nothing that the app made. */
export function containerOf(request: PageRequest): Container | undefined {
  switch (request.act) {
    case 'press':
    case 'options':
      return request.container;
    case 'submit':
    case 'close':
      return { type: 'view', viewId: request.viewId };
    case 'react':
      return { type: 'message', channel: request.channel, ts: request.ts };
    case 'shortcut':
      return request.message && { type: 'message', ...request.message };
    case 'message':
      return request.threadTs === undefined
        ? undefined
        : { type: 'message', channel: request.channel, ts: request.threadTs };
    default:
      return undefined;
  }
}

/** All that a person sees of this kind, oldest first. */
function allOf(site: Site, person: string, container: Container): Placed[] {
  switch (container.type) {
    case 'view':
      return getModalStack(site, person).map(({ id, view }) => ({ id, blocks: recordsIn(view, 'blocks') }));
    case 'message':
      if (!findChannel(site, container.channel)) return [];
      return listMessages(site, container.channel, person).map((message) => ({
        id: message.ts,
        blocks: listMessageBlocks(message),
      }));
    case 'home': {
      const home = findHome(findAppByUser(site, container.app ?? '') ?? site, person);
      return home ? [{ id: home.id, blocks: recordsIn(home.view, 'blocks') }] : [];
    }
  }
}

function idsOf({ id, blocks }: Placed): string[] {
  const elements = listElements(blocks);
  return [id, ...elements.flatMap(({ blockId, actionId }) => [blockId, actionId])];
}

const idIn = (container: Container) =>
  container.type === 'view' ? container.viewId : container.type === 'message' ? container.ts : undefined;

/** Where a container stands. Undefined if the person doesn't see it. */
export function placeOf(site: Site, person: string, container: Container): Place | undefined {
  const all = allOf(site, person, container);
  const id = idIn(container);
  const index = id === undefined ? all.length - 1 : all.findIndex((each) => each.id === id);
  const found = all[index];
  return found && { fromEnd: all.length - 1 - index, ids: idsOf(found) };
}

/** The ids of the container at the same place: the one with the expected id, else the one at the same position. */
export function idsAt(site: Site, person: string, container: Container, place: Place): string[] | undefined {
  const all = allOf(site, person, container);
  const id = idIn(container);
  const found = all.find((each) => each.id === id) ?? all.at(-1 - place.fromEnd);
  return found && idsOf(found);
}
