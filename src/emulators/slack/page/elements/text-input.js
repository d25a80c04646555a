import { useLayoutEffect, useRef } from 'preact/hooks';
import { useControl } from '../block-container.js';
import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { createTypedState, readTypedText } from './text-state.js';

/**
 * @import { TypedElement } from './text-state.js'
 */

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

/** @param {{ element: TypedElement, place: import('../block-container.js').BlockSettings }} props */
export function TextInput({ element, place }) {
  const control = useControl(element, place);
  /** @type {{ current: ReturnType<typeof setTimeout> | undefined }} */
  const rest = useRef(undefined);
  // What was not told yet goes with the form when it is sent; told after that, it would be answered over the errors.
  useLayoutEffect(() => {
    if (control.inert) clearTimeout(rest.current);
  }, [control.inert]);
  const value = readTypedText(control.state);
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  // The page has no formatting, so an app gets the text as rich text without formatting.
  const rich = element.type === 'rich_text_input';
  const multiline = rich || (element.type === 'plain_text_input' && element.multiline === true);

  /** @param {InputEvent & { currentTarget: HTMLInputElement }} event */
  const typed = (event) => {
    const state = createTypedState(element.type, event.currentTarget.value);
    control.type(state);
    clearTimeout(rest.current);
    if (!place.dispatches || !triggers.includes('on_character_entered')) return;
    rest.current = setTimeout(() => void control.dispatch(state), TYPING_PAUSE_MS);
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (
      event.key !== 'Enter' ||
      event.isComposing ||
      !place.dispatches ||
      !triggers.includes('on_enter_pressed')
    )
      return;
    if (multiline && event.shiftKey) return;
    event.preventDefault();
    clearTimeout(rest.current);
    void control.dispatch(createTypedState(element.type, value));
  };

  const attributes = {
    ...control.described,
    id: control.id,
    value,
    placeholder: replaceEmojiCodes(element.placeholder?.text ?? ''),
    readonly: control.inert,
    'data-focus-on-load': element.focus_on_load ? 'true' : undefined,
    onInput: typed,
    onKeyDown: pressed,
  };
  const max = element.type === 'plain_text_input' ? element.max_length : undefined;
  return html`<div class="text-input">
    ${
      multiline
        ? html`<textarea ...${attributes} class="field" rows=${rich ? (element.min_lines ?? 4) : 4}></textarea>`
        : html`<input ...${attributes} ...${BROWSER_TYPES[element.type]} class="field" />`
    }
    ${max === undefined || (!multiline && value.length < max / 2) ? null : html`<${Counter} used=${value.length} max=${max} />`}
  </div>`;
}

/**
 * Announced only near the limit. Otherwise a screen reader would speak after every letter.
 * @param {{ used: number, max: number }} props
 */
function Counter({ used, max }) {
  const left = max - used;
  const near = left <= Math.max(10, max / 10);
  return html`<span class=${`counter ${left < 0 ? 'counter-over' : ''}`} aria-live=${near ? 'polite' : 'off'}>
    ${left < 0 ? `${-left} too many` : `${used} / ${max}`}
  </span>`;
}
