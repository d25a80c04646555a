import { createRichText, readRichText } from '../rich-text-string.js';

/**
 * Converts the state of a text field to plain text, and back.
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
 * @param {string} text
 * @returns {ElementState}
 */
export function createTypedState(type, text) {
  if (type === 'rich_text_input') return { type, rich_text_value: createRichText(text) };
  return { type, value: text === '' ? null : text };
}
