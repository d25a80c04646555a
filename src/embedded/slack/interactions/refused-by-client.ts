import { isEmptyState } from '../blocks/element-state.ts';
import { elementsOf, type PlacedElement } from '../blocks/elements-of.ts';
import { recordsIn } from '../json.ts';
import type { ElementState } from '../protocol.ts';
import type { StoredView } from '../state/saved-state.ts';

function complaint({ element, type }: PlacedElement, state: ElementState): string | undefined {
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
export function refusedByClient(stored: StoredView): Record<string, string> {
  const refused: Record<string, string> = {};
  for (const placed of elementsOf(recordsIn(stored.view, 'blocks'))) {
    const state = stored.values[placed.blockId]?.[placed.actionId];
    if (!placed.input || !state) continue;
    const empty = isEmptyState(state);
    if (empty && placed.block.optional !== true) {
      refused[placed.blockId] = 'Please complete this required field.';
    }
    const wrong = empty ? undefined : complaint(placed, state);
    if (wrong !== undefined) refused[placed.blockId] = wrong;
  }
  return refused;
}
