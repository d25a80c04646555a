import { listElements } from '../blocks/list-elements.ts';
import type { Answer } from '../deliver/courier.ts';
import { isRecord, type Json, recordIn, recordsIn, stringIn } from '../json.ts';
import type { ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import {
  clearModals,
  closeModal,
  getModalStack,
  pushModal,
  showErrors,
  storeValues,
  updateModal,
} from '../state/modals.ts';
import { makeResponseUrl } from '../state/response-urls.ts';
import type { StoredView } from '../state/saved-state.ts';
import { viewObject } from '../state/view-object.ts';
import { acceptView } from './accept.ts';
import { interaction } from './payload-parts.ts';
import { refusedByClient } from './refused-by-client.ts';
import { stepPart } from './steps.ts';

/** What Slack writes into a modal whose submission was not, or not properly, acknowledged. */
const TROUBLE = 'We had some trouble connecting. Try again?';

/** response_urls for conversation menus that ask for them. */
function responseUrls(site: Site, stored: StoredView): Json[] {
  return listElements(recordsIn(stored.view, 'blocks')).flatMap(({ element, blockId, actionId }) => {
    const state = stored.values[blockId]?.[actionId];
    const channel =
      state && (stringIn(state, 'selected_conversation') ?? stringIn(state, 'selected_channel'));
    if (element.response_url_enabled !== true || channel === undefined) return [];
    return [
      {
        block_id: blockId,
        action_id: actionId,
        channel_id: channel,
        response_url: makeResponseUrl(site, { channel, person: stored.person }),
      },
    ];
  });
}

function errorsFor(stored: StoredView, given: Json | undefined): Record<string, string> {
  const inputs = new Set(
    listElements(recordsIn(stored.view, 'blocks'))
      .filter((placed) => placed.isInput)
      .map((placed) => placed.blockId),
  );
  const errors = Object.entries(given ?? {});
  const proper = errors.every(([blockId, text]) => inputs.has(blockId) && typeof text === 'string');
  if (errors.length === 0 || !proper) throw new Refusal(TROUBLE);
  return Object.fromEntries(errors.map(([blockId, text]) => [blockId, String(text)]));
}

/** Empty: the modal closes. Otherwise what `response_action` says; anything else is trouble. */
function follow(site: Site, stored: StoredView, payload: unknown): void {
  // An app may have changed or closed the modal before it acknowledged.
  const current = getModalStack(site, stored.person).find((entry) => entry.id === stored.id) ?? stored;
  const said = payload === undefined || payload === '' ? {} : payload;
  if (!isRecord(said)) throw new Refusal(TROUBLE);
  switch (said.response_action) {
    case undefined:
      closeModal(site, current);
      break;
    case 'clear':
      clearModals(site, stored.person);
      break;
    case 'errors':
      showErrors(site, current, errorsFor(current, recordIn(said, 'errors')));
      break;
    case 'update':
      updateModal(site, current, acceptView(site, said.view, 'modal'));
      break;
    case 'push':
      pushModal(site, stored.person, acceptView(site, said.view, 'modal'));
      break;
    default:
      throw new Refusal(TROUBLE);
  }
}

function follows(site: Site, stored: StoredView, answer: Answer): void {
  if (answer.kind !== 'acknowledged') throw new Refusal(TROUBLE);
  try {
    follow(site, stored, answer.payload);
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(TROUBLE);
    throw error;
  }
}

/**
 * A modal is submitted. What Slack's own client refuses (a required field left empty) never reaches the app.
 * Refuses with {@link TROUBLE} when the app did not acknowledge, or not in a way that Slack takes.
 */
export async function submit(site: Site, person: string, viewId: string, values: ViewValues): Promise<void> {
  const open = getModalStack(site, person).at(-1);
  if (open?.id !== viewId) throw new Refusal('not_found');
  const stored = storeValues(site, open, values);
  const refused = refusedByClient(site, stored);
  if (Object.keys(refused).length > 0) return showErrors(site, stored, refused);
  if (Object.keys(stored.errors).length > 0) showErrors(site, stored, {});
  const trigger = site.triggers.make(person, viewId);
  const payload = {
    ...interaction(site, 'view_submission', person),
    trigger_id: trigger,
    view: viewObject(site, stored),
    response_urls: responseUrls(site, stored),
    ...stepPart(site, person, { run: stored.run, pointer: trigger, isForm: true }),
  };
  const answer = await site.courier.deliver(
    { kind: 'view_submission', label: stringIn(stored.view, 'callback_id') ?? '' },
    { type: 'interactive', payload, acceptsResponse: true },
  );
  follows(site, stored, answer);
}
