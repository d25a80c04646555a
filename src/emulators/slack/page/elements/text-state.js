import { createRichText, readRichText } from '../rich-text-string.js';

/**
 * What a field that is typed into holds, as words, and back.
 * @import { EmailInput, NumberInput, PlainTextInput, RichTextInput, URLInput } from '@slack/types'
 * @import { ElementState } from '../../protocol.ts'
 * @typedef {PlainTextInput | EmailInput | URLInput | NumberInput | RichTextInput} TypedElement
 */

/** @param {ElementState | undefined} state */
export function readTypedText(state) {
  return state?.type === 'rich_text_input' ? readRichText(state.rich_text_value) : String(state?.value ?? '');
}

/**
 * @param {TypedElement['type']} type
 * @param {string} words
 * @returns {ElementState}
 */
export function createTypedState(type, words) {
  if (type === 'rich_text_input') return { type, rich_text_value: createRichText(words) };
  return { type, value: words === '' ? null : words };
}
