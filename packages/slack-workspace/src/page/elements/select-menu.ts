import type { MultiSelect, Select } from '@slack/types';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type BlockSettings, useControl } from '../block-container.ts';
import { replaceEmojiCodes } from '../emoji.ts';
import { html } from '../html.ts';
import type { Choice } from './choices.ts';
import { handleSelectKey, useSelect } from './use-select.ts';

/** With less space below, in px, the list opens upwards if there is more space above. */
const MIN_SPACE_BELOW = 280;

/**
 * Positions a popup below or above its anchor. Its position is fixed to the window, because the scrolling body of a
 * modal would cut it off.
 */
function usePopup(isOpen: boolean) {
  const anchor = useRef<HTMLElement>(null);
  const popup = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const position = () => anchor.current && popup.current && positionPopup(anchor.current, popup.current);
    position();
    window.addEventListener('resize', position);
    document.addEventListener('scroll', position, true);
    return () => {
      window.removeEventListener('resize', position);
      document.removeEventListener('scroll', position, true);
    };
  }, [isOpen]);
  return { anchor, popup };
}

function positionPopup(anchor: HTMLElement, popup: HTMLElement) {
  const box = anchor.getBoundingClientRect();
  const spaceBelow = window.innerHeight - box.bottom;
  const isUpwards = spaceBelow < MIN_SPACE_BELOW && box.top > spaceBelow;
  popup.style.width = `${box.width}px`;
  popup.style.left = `${box.left}px`;
  popup.style.top = isUpwards ? '' : `${box.bottom + 4}px`;
  popup.style.bottom = isUpwards ? `${window.innerHeight - box.top + 4}px` : '';
  popup.style.maxHeight = `${Math.max(120, Math.min(320, (isUpwards ? box.top : spaceBelow) - 16))}px`;
}

/** The open list of a select menu. The focus stays in the text field, which names the active option. */
function ChoiceList({
  id,
  label,
  choices,
  status,
  active,
  isMultiple,
  isChosen,
  onPick,
  onHover,
}: {
  id: string;
  label: string;
  choices: readonly Choice[];
  /** Words instead of options, or below them. */
  status: string | undefined;
  active: number;
  isMultiple: boolean;
  isChosen: (choice: Choice) => boolean;
  onPick: (choice: Choice) => void;
  onHover: (index: number) => void;
}) {
  return html`<ul
      id=${id}
      role="listbox"
      aria-label=${label}
      aria-multiselectable=${isMultiple ? 'true' : undefined}
      class="choices"
      hidden=${choices.length === 0}
    >
      ${choices.map(
        (choice, index) => html`
          ${
            choice.group !== undefined && choice.group !== choices[index - 1]?.group
              ? html`<li role="presentation" class="choice-group">${choice.group}</li>`
              : null
          }
          <li
            key=${choice.key}
            id=${`${id}-${index}`}
            role="option"
            aria-selected=${isChosen(choice) ? 'true' : 'false'}
            class=${`choice ${index === active ? 'is-active' : ''}`}
            onMouseMove=${() => index !== active && onHover(index)}
            onClick=${() => onPick(choice)}
          >
            <span class="choice-check" aria-hidden="true">${isChosen(choice) ? '✓' : ''}</span>
            <span>
              ${choice.label}
              ${choice.description === undefined ? null : html`<span class="choice-description">${choice.description}</span>`}
            </span>
          </li>
        `,
      )}
    </ul>
    <div role="status" class="choices-status">${status}</div>`;
}

/** Keys that change the text: a character, the start of an input method, or a deletion. */
const TEXT_KEY = /^(?:.|Process|Backspace|Delete)$/u;

/** A select menu for one or several options: a text field that searches a list. */
export function SelectMenu({
  element,
  settings,
}: {
  element: Select | MultiSelect;
  settings: BlockSettings;
}) {
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
        onInput=${(event: { currentTarget: HTMLInputElement }) => {
          const { value } = event.currentTarget;
          select.show();
          select.write(value);
        }}
        onClick=${select.show}
        onBlur=${select.hide}
        onKeyDown=${(event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
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
        ? html`<div class="popup" ref=${popup} onMouseDown=${(event: Event) => event.preventDefault()}>
            <${ChoiceList} ...${select} id=${listId} label=${settings.label ?? placeholder} onPick=${select.pick} onHover=${select.setActive} />
          </div>`
        : null
    }
  </div>`;
}

function Token({
  choice,
  isInert,
  onRemove,
}: {
  choice: Choice;
  isInert: boolean;
  onRemove: (choice: Choice) => void;
}) {
  return html`<span class="token">
    ${choice.label}
    <button type="button" disabled=${isInert} aria-label=${`Remove ${choice.label}`} onClick=${() => onRemove(choice)}>×</button>
  </span>`;
}

/** Moves the focus to the text field after a press anywhere in the box. */
function focusInput(event: MouseEvent) {
  const { target, currentTarget } = event;
  if (!(target instanceof Element) || !(currentTarget instanceof Element) || target.closest('button, input'))
    return;
  event.preventDefault();
  const input = currentTarget.querySelector('input');
  input?.focus();
  input?.click();
}
