import { isEmptyState } from '../blocks/element-values.ts';
import { type InteractiveElement, listElements } from '../blocks/list-elements.ts';
import { getRecords, getStrings, type Json } from '../json.ts';
import type { ElementState } from '../protocol.ts';
import type { Site } from '../site.ts';
import { getExtension } from '../state/file-types.ts';
import { findFile } from '../state/files.ts';
import type { StoredView } from '../state/saved-state.ts';

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

function findInputError({ element, type }: InteractiveElement, state: ElementState): string | undefined {
  const value = state.value;
  if (typeof value !== 'string') return undefined;
  const { min_length: minLength, max_length: maxLength, min_value: min, max_value: max } = element;
  if (typeof minLength === 'number' && value.length < minLength)
    return `Please enter at least ${minLength} characters.`;
  if (typeof maxLength === 'number' && value.length > maxLength)
    return `Please enter no more than ${maxLength} characters.`;
  if (type === 'email_text_input' && !/^\S+@\S+\.\S+$/.test(value))
    return 'Please enter a valid email address.';
  if (type === 'url_text_input' && !URL.canParse(value)) return 'Please enter a valid URL.';
  if (type !== 'number_input') return undefined;
  const number = Number(value);
  if (Number.isNaN(number)) return 'Please enter a number.';
  if (element.is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (min !== undefined && number < Number(min)) return `Please enter a number of at least ${min}.`;
  if (max !== undefined && number > Number(max)) return `Please enter a number of at most ${max}.`;
  return undefined;
}

/**
 * The errors that Slack's client shows under the fields of a modal without sending it to the app: block_id → text. Only
 * the text for an empty field is Slack's own. The others aren't documented, so they are our own.
 */
export function findClientErrors(site: Site, stored: StoredView): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const placed of listElements(getRecords(stored.view, 'blocks'))) {
    const state = stored.values[placed.blockId]?.[placed.actionId];
    if (!placed.isInput || !state) continue;
    const isEmpty = isEmptyState(state);
    if (isEmpty && placed.block.optional !== true) {
      errors[placed.blockId] = 'Please complete this required field.';
    }
    const error =
      placed.type === 'file_input'
        ? findFileError(site, placed.element, state)
        : findInputError(placed, state);
    if (!isEmpty && error !== undefined) errors[placed.blockId] = error;
  }
  return errors;
}
