import { listElements } from '../blocks/element-values.ts';
import { findFieldError } from '../blocks/field-errors.ts';
import type { Answer } from '../deliver/app-connection.ts';
import { getRecord, getRecords, getString, getStrings, isRecord, type Json } from '../json.ts';
import type { ElementState, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findFile, getExtension } from '../state/files.ts';
import type { StoredView } from '../state/saved-state.ts';
import { makeResponseUrl, makeTrigger } from '../state/triggers-and-response-urls.ts';
import {
  buildViewObject,
  clearModals,
  closeModal,
  getModalStack,
  pushModal,
  showErrors,
  storeValues,
  updateModal,
} from '../state/views.ts';
import { acceptView } from './accept-content.ts';
import { buildInteractionPart } from './payloads.ts';
import { buildStepPart } from './run-step.ts';

/** The default of `max_files` in a file_input (@slack/types). */
const DEFAULT_MAX_FILES = 10;

function findFileError(site: Site, element: Json, state: ElementState): string | undefined {
  const maxFiles = typeof element.max_files === 'number' ? element.max_files : DEFAULT_MAX_FILES;
  const files = getRecords(state, 'files').map((entry) => findFile(site, String(entry.id)));
  if (files.length > maxFiles)
    return `Please choose no more than ${maxFiles} ${maxFiles === 1 ? 'file' : 'files'}.`;
  const types = getStrings(element, 'filetypes');
  const wrong = files.find((file) => !file || (types.length > 0 && !types.includes(getExtension(file.name))));
  if (types.length > 0 && wrong) return `Please choose files of these types: ${types.join(', ')}.`;
  return files.includes(undefined) ? 'A file was deleted. Please choose it again.' : undefined;
}

/**
 * The errors that Slack's client shows under the fields of a modal without sending it to the app: block_id → text.
 */
function findClientErrors(site: Site, stored: StoredView): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const placed of listElements(getRecords(stored.view, 'blocks'))) {
    const state = stored.values[placed.blockId]?.[placed.actionId];
    if (!placed.isInput || !state) continue;
    const fileError = placed.type === 'file_input' ? findFileError(site, placed.element, state) : undefined;
    const error = findFieldError(placed, state) ?? fileError;
    if (error !== undefined) errors[placed.blockId] = error;
  }
  return errors;
}

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
  // A modal without a submit button can only be closed.
  if (open?.id !== viewId || !isRecord(open.view.submit)) throw new Refusal('not_found');
  const stored = storeValues(site, open, values);
  const errors = findClientErrors(site, stored);
  if (Object.keys(errors).length > 0) return showErrors(site, stored, errors);
  if (Object.keys(stored.errors).length > 0) showErrors(site, stored, {});
  const triggerId = makeTrigger(site, person, viewId);
  const payload = {
    ...buildInteractionPart(site, 'view_submission', person),
    trigger_id: triggerId,
    view: buildViewObject(site, stored),
    response_urls: makeResponseUrls(site, stored),
    ...buildStepPart(site, person, { run: stored.run, pointer: triggerId, isForm: true }),
  };
  const label = getString(stored.view, 'callback_id') ?? '';
  applyAnswer(site, stored, await site.connection.deliver(label, { type: 'interactive', payload }));
}
