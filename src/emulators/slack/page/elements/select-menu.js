import { useControl } from '../block-container.js';
import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { ChoiceList } from './choice-list.js';
import { usePopup } from './use-popup.js';
import { handleSelectKey, useSelect } from './use-select.js';

/**
 * @import { MultiSelect, Select } from '@slack/types'
 * @import { Choice } from './choices.js'
 */

/** One sign, a method of input that begins, or signs taken away. */
const TEXT_KEY = /^(?:.|Process|Backspace|Delete)$/u;

/**
 * Every select of Slack's, single and multiple: a text box that searches a list.
 * @param {{ element: Select | MultiSelect, place: import('../block-container.js').BlockSettings }} props
 */
export function SelectMenu({ element, place }) {
  const control = useControl(element, place);
  const select = useSelect(element, place, control);
  const { open, multiple, chosen, listId } = select;
  const { anchor, popup } = usePopup(open);
  const label = multiple ? undefined : chosen[0]?.label;
  const placeholder = replaceEmojiCodes(
    element.placeholder?.text ?? (multiple ? 'Select options' : 'Select an option'),
  );
  const clearable = place.optional && label !== undefined && !control.inert;
  return html`<div class=${`select ${open ? 'is-open' : ''} ${control.inert ? 'is-inert' : ''}`} ref=${anchor}>
    <div class="select-box field" onMouseDown=${focusInput}>
      ${multiple ? chosen.map((choice) => html`<${Token} key=${choice.key} choice=${choice} inert=${control.inert} onRemove=${select.remove} />`) : null}
      <input
        ...${control.described}
        id=${control.id}
        class="select-input"
        role="combobox"
        aria-expanded=${open ? 'true' : 'false'}
        aria-controls=${listId}
        aria-autocomplete="list"
        aria-activedescendant=${open && select.choices.length > 0 ? `${listId}-${select.active}` : undefined}
        autocomplete="off"
        spellcheck=${false}
        readonly=${control.inert}
        data-focus-on-load=${element.focus_on_load ? 'true' : undefined}
        placeholder=${multiple && chosen.length > 0 ? '' : (label ?? placeholder)}
        value=${open ? select.typed : (label ?? '')}
        onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => {
          const words = event.currentTarget.value;
          select.show();
          select.write(words);
        }}
        onClick=${select.show}
        onBlur=${select.hide}
        onKeyDown=${(/** @type {KeyboardEvent & { currentTarget: HTMLInputElement }} */ event) => {
          if (control.inert) return;
          // A closed select shows the chosen option, which typed text replaces.
          if (!open && TEXT_KEY.test(event.key)) event.currentTarget.select();
          handleSelectKey(select, event);
        }}
      />
      ${clearable ? html`<button type="button" class="select-clear" aria-label=${`Clear ${label}`} onClick=${() => select.set([])}>×</button>` : null}
      <span class="select-arrow" aria-hidden="true"></span>
    </div>
    ${
      open
        ? html`<div class="popup" ref=${popup} onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}>
            <${ChoiceList} ...${select} id=${listId} label=${place.label ?? placeholder} onPick=${select.pick} onHover=${select.setActive} />
          </div>`
        : null
    }
  </div>`;
}

/** @param {{ choice: Choice, inert: boolean, onRemove: (choice: Choice) => void }} props */
function Token({ choice, inert, onRemove }) {
  return html`<span class="token">
    ${choice.label}
    <button type="button" disabled=${inert} aria-label=${`Remove ${choice.label}`} onClick=${() => onRemove(choice)}>×</button>
  </span>`;
}

/**
 * A press anywhere in the box is a press on its text.
 * @param {MouseEvent} event
 */
function focusInput(event) {
  const { target, currentTarget } = event;
  if (!(target instanceof Element) || !(currentTarget instanceof Element) || target.closest('button, input'))
    return;
  event.preventDefault();
  const input = currentTarget.querySelector('input');
  input?.focus();
  input?.click();
}
