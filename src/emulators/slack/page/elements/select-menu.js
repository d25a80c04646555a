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

/** Keys that change the text: a character, the start of an input method, or a deletion. */
const TEXT_KEY = /^(?:.|Process|Backspace|Delete)$/u;

/**
 * A select menu for one or several options: a text field that searches a list.
 * @param {{ element: Select | MultiSelect, settings: import('../block-container.js').BlockSettings }} props
 */
export function SelectMenu({ element, settings }) {
  const control = useControl(element, settings);
  const select = useSelect(element, settings, control);
  const { isOpen, isMultiple, chosen, listId } = select;
  const { anchor, popup } = usePopup(isOpen);
  const label = isMultiple ? undefined : chosen[0]?.label;
  const placeholder = replaceEmojiCodes(
    element.placeholder?.text ?? (isMultiple ? 'Select options' : 'Select an option'),
  );
  const isClearable = settings.isOptional && label !== undefined && !control.isInert;
  return html`<div class=${`select ${isOpen ? 'is-open' : ''} ${control.isInert ? 'is-inert' : ''}`} ref=${anchor}>
    <div class="select-box field" onMouseDown=${focusInput}>
      ${isMultiple ? chosen.map((choice) => html`<${Token} key=${choice.key} choice=${choice} isInert=${control.isInert} onRemove=${select.remove} />`) : null}
      <input
        ...${control.ariaAttributes}
        id=${control.id}
        class="select-input"
        role="combobox"
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls=${listId}
        aria-autocomplete="list"
        aria-activedescendant=${isOpen && select.choices.length > 0 ? `${listId}-${select.active}` : undefined}
        autocomplete="off"
        spellcheck=${false}
        readonly=${control.isInert}
        data-focus-on-load=${element.focus_on_load ? 'true' : undefined}
        placeholder=${isMultiple && chosen.length > 0 ? '' : (label ?? placeholder)}
        value=${isOpen ? select.typed : (label ?? '')}
        onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ event) => {
          const { value } = event.currentTarget;
          select.show();
          select.write(value);
        }}
        onClick=${select.show}
        onBlur=${select.hide}
        onKeyDown=${(/** @type {KeyboardEvent & { currentTarget: HTMLInputElement }} */ event) => {
          if (control.isInert) return;
          // In a closed menu, typed text replaces the chosen option.
          if (!isOpen && TEXT_KEY.test(event.key)) event.currentTarget.select();
          handleSelectKey(select, event);
        }}
      />
      ${isClearable ? html`<button type="button" class="select-clear" aria-label=${`Clear ${label}`} onClick=${() => select.set([])}>×</button>` : null}
      <span class="select-arrow" aria-hidden="true"></span>
    </div>
    ${
      isOpen
        ? html`<div class="popup" ref=${popup} onMouseDown=${(/** @type {Event} */ event) => event.preventDefault()}>
            <${ChoiceList} ...${select} id=${listId} label=${settings.label ?? placeholder} onPick=${select.pick} onHover=${select.setActive} />
          </div>`
        : null
    }
  </div>`;
}

/** @param {{ choice: Choice, isInert: boolean, onRemove: (choice: Choice) => void }} props */
function Token({ choice, isInert, onRemove }) {
  return html`<span class="token">
    ${choice.label}
    <button type="button" disabled=${isInert} aria-label=${`Remove ${choice.label}`} onClick=${() => onRemove(choice)}>×</button>
  </span>`;
}

/**
 * Moves the focus to the text field after a press anywhere in the box.
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
