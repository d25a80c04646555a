import { listElements } from '../blocks/list-elements.ts';
import { listMessageBlocks } from '../blocks/list-message-blocks.ts';
import { getRecords, type Json } from '../json.ts';
import type { PageRequest } from '../page-request.ts';
import type { Container } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppByUser } from '../state/apps.ts';
import { findChannel } from '../state/directory.ts';
import { findHome } from '../state/home-tabs.ts';
import { listMessages } from '../state/messages.ts';
import { getModalStack } from '../state/modals.ts';
import type { ContainerPosition } from './recording.ts';

/** The blocks of a message, modal or Home tab, and its id. */
interface IdentifiedBlocks {
  id: string;
  blocks: readonly Json[];
}

/** Returns the message or view of a request. Undefined for commands and other requests without one. */
export function getContainer(request: PageRequest): Container | undefined {
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

/** Lists the messages or views that a person sees where the container is, oldest first. */
function listVisible(site: Site, person: string, container: Container): IdentifiedBlocks[] {
  switch (container.type) {
    case 'view':
      return getModalStack(site, person).map(({ id, view }) => ({ id, blocks: getRecords(view, 'blocks') }));
    case 'message':
      if (!findChannel(site, container.channel)) return [];
      return listMessages(site, container.channel, person).map((message) => ({
        id: message.ts,
        blocks: listMessageBlocks(message),
      }));
    case 'home': {
      const home = findHome(findAppByUser(site, container.app ?? '') ?? site, person);
      return home ? [{ id: home.id, blocks: getRecords(home.view, 'blocks') }] : [];
    }
  }
}

function listIds({ id, blocks }: IdentifiedBlocks): string[] {
  const elements = listElements(blocks);
  return [id, ...elements.flatMap(({ blockId, actionId }) => [blockId, actionId])];
}

const getContainerId = (container: Container) =>
  container.type === 'view' ? container.viewId : container.type === 'message' ? container.ts : undefined;

/** Returns undefined if the person doesn't see the container. */
export function findPosition(
  site: Site,
  person: string,
  container: Container,
): ContainerPosition | undefined {
  const all = listVisible(site, person, container);
  const id = getContainerId(container);
  const index = id === undefined ? all.length - 1 : all.findIndex((each) => each.id === id);
  const found = all[index];
  return found && { fromEnd: all.length - 1 - index, ids: listIds(found) };
}

/** Lists the ids of the container if the person sees it, or else of the one at the same position. */
export function findIdsAtPosition(
  site: Site,
  person: string,
  container: Container,
  position: ContainerPosition,
): string[] | undefined {
  const all = listVisible(site, person, container);
  const id = getContainerId(container);
  const found = all.find((each) => each.id === id) ?? all.at(-1 - position.fromEnd);
  return found && listIds(found);
}
