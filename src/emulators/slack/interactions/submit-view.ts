import { listElements } from '../blocks/list-elements.ts';
import type { Answer } from '../deliver/app-connection.ts';
import { getRecord, getRecords, getString, isRecord, type Json } from '../json.ts';
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
import { buildViewObject } from '../state/view-object.ts';
import { acceptView } from './accept-content.ts';
import { findClientErrors } from './client-errors.ts';
import { buildInteractionPart } from './payload-parts.ts';
import { buildStepPart } from './run-step.ts';

/** Slack shows this in a modal if the app didn't acknowledge its submission, or returned an invalid response. */
const CONNECTION_ERROR = 'We had some trouble connecting. Try again?';

/** `response_urls` for conversation menus with `response_url_enabled`. */
function makeResponseUrls(site: Site, stored: StoredView): Json[] {
  return listElements(getRecords(stored.view, 'blocks')).flatMap(({ element, blockId, actionId }) => {
    const state = stored.values[blockId]?.[actionId];
    const channel =
      state && (getString(state, 'selected_conversation') ?? getString(state, 'selected_channel'));
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

function readErrors(stored: StoredView, given: Json | undefined): Record<string, string> {
  const inputs = new Set(
    listElements(getRecords(stored.view, 'blocks'))
      .filter((placed) => placed.isInput)
      .map((placed) => placed.blockId),
  );
  const errors = Object.entries(given ?? {});
  const areValid = errors.every(([blockId, text]) => inputs.has(blockId) && typeof text === 'string');
  if (errors.length === 0 || !areValid) throw new Refusal(CONNECTION_ERROR);
  return Object.fromEntries(errors.map(([blockId, text]) => [blockId, String(text)]));
}

/** Applies the `response_action` of an acknowledgement. An empty acknowledgement closes the modal. */
function applyResponseAction(site: Site, stored: StoredView, payload: unknown): void {
  // An app may have changed or closed the modal before it acknowledged.
  const current = getModalStack(site, stored.person).find((entry) => entry.id === stored.id) ?? stored;
  const response = payload === undefined || payload === '' ? {} : payload;
  if (!isRecord(response)) throw new Refusal(CONNECTION_ERROR);
  switch (response.response_action) {
    case undefined:
      closeModal(site, current);
      break;
    case 'clear':
      clearModals(site, stored.person);
      break;
    case 'errors':
      showErrors(site, current, readErrors(current, getRecord(response, 'errors')));
      break;
    case 'update':
      updateModal(site, current, acceptView(site, response.view, 'modal'));
      break;
    case 'push':
      pushModal(site, stored.person, acceptView(site, response.view, 'modal'));
      break;
    default:
      throw new Refusal(CONNECTION_ERROR);
  }
}

function applyAnswer(site: Site, stored: StoredView, answer: Answer): void {
  if (answer.kind !== 'acknowledged') throw new Refusal(CONNECTION_ERROR);
  try {
    applyResponseAction(site, stored, answer.payload);
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(CONNECTION_ERROR);
    throw error;
  }
}

/**
 * Submits a modal. If Slack's client finds an error, such as an empty required field, it shows the error and doesn't
 * send the view to the app. Throws {@link CONNECTION_ERROR} if the app didn't acknowledge, or returned an invalid
 * response.
 */
export async function submitView(
  site: Site,
  person: string,
  viewId: string,
  values: ViewValues,
): Promise<void> {
  const open = getModalStack(site, person).at(-1);
  if (open?.id !== viewId) throw new Refusal('not_found');
  const stored = storeValues(site, open, values);
  const errors = findClientErrors(site, stored);
  if (Object.keys(errors).length > 0) return showErrors(site, stored, errors);
  if (Object.keys(stored.errors).length > 0) showErrors(site, stored, {});
  const triggerId = site.triggers.make(person, viewId);
  const payload = {
    ...buildInteractionPart(site, 'view_submission', person),
    trigger_id: triggerId,
    view: buildViewObject(site, stored),
    response_urls: makeResponseUrls(site, stored),
    ...buildStepPart(site, person, { run: stored.run, pointer: triggerId, isForm: true }),
  };
  const answer = await site.connection.deliver(
    { kind: 'view_submission', label: getString(stored.view, 'callback_id') ?? '' },
    { type: 'interactive', payload, acceptsResponse: true },
  );
  applyAnswer(site, stored, answer);
}
