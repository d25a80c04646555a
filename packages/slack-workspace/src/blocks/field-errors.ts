import type { ElementState } from '../protocol.ts';
import { type InteractiveElement, isEmptyState } from './element-values.ts';

/**
 * The error that Slack's client shows under a field without sending the form to the app. Only the text for an empty
 * field is Slack's own. The others aren't documented, so they are our own.
 */
export function findFieldError(
  { block, element, type }: InteractiveElement,
  state: ElementState,
): string | undefined {
  if (isEmptyState(state))
    return block.optional === true ? undefined : 'Please complete this required field.';
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
