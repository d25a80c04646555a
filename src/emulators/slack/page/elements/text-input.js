import { useLayoutEffect, useRef } from 'preact/hooks';
import { useControl } from '../block-container.js';
import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { createRichText, readRichText } from '../rich-text-string.js';

/**
 * Converts the state of a text field to plain text, and back.
 * @import { EmailInput, NumberInput, PlainTextInput, RichTextInput, URLInput } from '@slack/types'
 * @import { ElementState } from '../../protocol.ts'
 * @typedef {PlainTextInput | EmailInput | URLInput | NumberInput | RichTextInput} TypedElement
 */

/** @param {ElementState | undefined} state */
function readTypedText(state) {
  return state?.type === 'rich_text_input' ? readRichText(state.rich_text_value) : String(state?.value ?? '');
}

/**
 * @param {TypedElement['type']} type
 * @param {string} text
 * @returns {ElementState}
 */
function createTypedState(type, text) {
  if (type === 'rich_text_input') return { type, rich_text_value: createRichText(text) };
  return { type, value: text === '' ? null : text };
}

/** Pause in typing, ms, after which `on_character_entered` is dispatched. */
const TYPING_PAUSE_MS = 300;

/** Attributes of each type, with which the browser chooses its keyboard and suggestions. */
const BROWSER_TYPES = {
  plain_text_input: { type: 'text' },
  email_text_input: { type: 'email', autocomplete: 'off' },
  url_text_input: { type: 'url' },
  number_input: { type: 'text', inputmode: 'decimal' },
  rich_text_input: {},
};

/** @param {{ element: TypedElement, settings: import('../block-container.js').BlockSettings }} props */
export function TextInput({ element, settings }) {
  const control = useControl(element, settings);
  /** @type {{ current: ReturnType<typeof setTimeout> | undefined }} */
  const pause = useRef(undefined);
  // The submission contains the typed text. A later action could make the app update the view and remove its errors.
  useLayoutEffect(() => {
    if (control.isInert) clearTimeout(pause.current);
  }, [control.isInert]);
  const value = readTypedText(control.state);
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  // The page has no formatting, so an app gets the text as rich text without formatting.
  const isRich = element.type === 'rich_text_input';
  const isMultiline = isRich || (element.type === 'plain_text_input' && element.multiline === true);

  /** @param {InputEvent & { currentTarget: HTMLInputElement }} event */
  const onInput = (event) => {
    const state = createTypedState(element.type, event.currentTarget.value);
    control.change(state);
    clearTimeout(pause.current);
    if (!settings.dispatches || !triggers.includes('on_character_entered')) return;
    pause.current = setTimeout(() => void control.dispatch(state), TYPING_PAUSE_MS);
  };
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (
      event.key !== 'Enter' ||
      event.isComposing ||
      !settings.dispatches ||
      !triggers.includes('on_enter_pressed')
    )
      return;
    if (isMultiline && event.shiftKey) return;
    event.preventDefault();
    clearTimeout(pause.current);
    void control.dispatch(createTypedState(element.type, value));
  };

  const attributes = {
    ...control.ariaAttributes,
    id: control.id,
    value,
    placeholder: replaceEmojiCodes(element.placeholder?.text ?? ''),
    readonly: control.isInert,
    'data-focus-on-load': element.focus_on_load ? 'true' : undefined,
    onInput,
    onKeyDown,
  };
  const max = element.type === 'plain_text_input' ? element.max_length : undefined;
  return html`<div class="text-input">
    ${
      isMultiline
        ? html`<textarea ...${attributes} class="field" rows=${isRich ? (element.min_lines ?? 4) : 4}></textarea>`
        : html`<input ...${attributes} ...${BROWSER_TYPES[element.type]} class="field" />`
    }
    ${max === undefined || (!isMultiline && value.length < max / 2) ? null : html`<${Counter} used=${value.length} max=${max} />`}
  </div>`;
}

/**
 * The number of characters. Screen readers announce it only near the limit.
 * @param {{ used: number, max: number }} props
 */
function Counter({ used, max }) {
  const left = max - used;
  const isNear = left <= Math.max(10, max / 10);
  return html`<span class=${`counter ${left < 0 ? 'counter-over' : ''}`} aria-live=${isNear ? 'polite' : 'off'}>
    ${left < 0 ? `${-left} too many` : `${used} / ${max}`}
  </span>`;
}
