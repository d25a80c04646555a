import { isEmptyState } from '../blocks/element-values.ts';
import { type InteractiveElement, listElements } from '../blocks/list-elements.ts';
import { type Json, recordsIn, stringsIn } from '../json.ts';
import type { ElementState } from '../protocol.ts';
import type { Site } from '../site.ts';
import { getExtension } from '../state/file-types.ts';
import { findFile } from '../state/files.ts';
import type { StoredView } from '../state/saved-state.ts';

/** Files that one file_input takes unless it says otherwise (@slack/types). */
const FILES = 10;

function fileComplaint(site: Site, element: Json, state: ElementState): string | undefined {
  const most = typeof element.max_files === 'number' ? element.max_files : FILES;
  const files = recordsIn(state, 'files').map((entry) => findFile(site, String(entry.id)));
  if (files.length > most) return `Please choose no more than ${most} ${most === 1 ? 'file' : 'files'}.`;
  const types = stringsIn(element, 'filetypes');
  const wrong = files.find((file) => !file || (types.length > 0 && !types.includes(getExtension(file.name))));
  if (types.length > 0 && wrong) return `Please choose files of these types: ${types.join(', ')}.`;
  return files.includes(undefined) ? 'A file is no longer there. Please choose it again.' : undefined;
}

function complaint({ element, type }: InteractiveElement, state: ElementState): string | undefined {
  const value = state.value;
  if (typeof value !== 'string') return undefined;
  const { min_length: least, max_length: most, min_value: low, max_value: high } = element;
  if (typeof least === 'number' && value.length < least) return `Please enter at least ${least} characters.`;
  if (typeof most === 'number' && value.length > most) return `Please enter no more than ${most} characters.`;
  if (type === 'email_text_input' && !/^\S+@\S+\.\S+$/.test(value))
    return 'Please enter a valid email address.';
  if (type === 'url_text_input' && !URL.canParse(value)) return 'Please enter a valid URL.';
  if (type !== 'number_input') return undefined;
  const number = Number(value);
  if (Number.isNaN(number)) return 'Please enter a number.';
  if (element.is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (low !== undefined && number < Number(low)) return `Please enter a number of at least ${low}.`;
  if (high !== undefined && number > Number(high)) return `Please enter a number of at most ${high}.`;
  return undefined;
}

/**
 * block_id → what Slack's client says before it sends anything. The words for an empty field are Slack's; those
 * for the others are not documented and chosen here.
 */
export function refusedByClient(site: Site, stored: StoredView): Record<string, string> {
  const refused: Record<string, string> = {};
  for (const placed of listElements(recordsIn(stored.view, 'blocks'))) {
    const state = stored.values[placed.blockId]?.[placed.actionId];
    if (!placed.isInput || !state) continue;
    const empty = isEmptyState(state);
    if (empty && placed.block.optional !== true) {
      refused[placed.blockId] = 'Please complete this required field.';
    }
    const said =
      placed.type === 'file_input' ? fileComplaint(site, placed.element, state) : complaint(placed, state);
    const wrong = empty ? undefined : said;
    if (wrong !== undefined) refused[placed.blockId] = wrong;
  }
  return refused;
}
