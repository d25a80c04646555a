import type { MultiSelect, Select } from '@slack/types';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Control, type ElementProps, useBlockContainer, useControl } from '../block-container.ts';
import { useDirectory } from '../directory.ts';
import { replaceEmojiCodes } from '../emoji.ts';
import { html } from '../html.ts';
import { CloseButton, Icon } from '../icon.ts';
import { getItemId, Listbox } from '../listbox.ts';
import { searchItems } from '../search-items.ts';
import { getActionId } from '../slack-json.ts';
import { type Choice, createValue, isMultiple, listOwnChoices, readChoices, readChosen } from './choices.ts';

type LoadedChoices = { choices: readonly Choice[]; status: string | undefined };

/** `isPending` while the choices are still those of an earlier query. */
type CurrentChoices = LoadedChoices & { isPending: boolean };

/** Pause in typing, ms, after which the app is asked. */
const TYPING_PAUSE_MS = 250;

/** Slack's default of `min_query_length`. */
const MIN_QUERY_LENGTH = 3;

/** The options of a select menu that match the query. External options come from the app. */
function useChoices(
  props: ElementProps<Select | MultiSelect>,
  query: string,
  isOpen: boolean,
): CurrentChoices {
  const { element } = props;
  const directory = useDirectory();
  const isExternal = element.type === 'external_select' || element.type === 'multi_external_select';
  const own = useMemo(() => listOwnChoices(element, directory), [element, directory]);
  const minLength = isExternal ? (element.min_query_length ?? MIN_QUERY_LENGTH) : 0;
  const external = useExternalChoices(props, query, isOpen && isExternal && query.length >= minLength);
  if (isExternal && query.length < minLength) {
    const amount = minLength === 1 ? 'a letter' : `at least ${minLength} letters`;
    return { choices: [], isPending: false, status: `Type ${amount} to search.` };
  }
  if (isExternal) return external;
  const choices = searchItems(own, query, (choice) => `${choice.label} ${choice.description ?? ''}`);
  return { choices, isPending: false, status: choices.length === 0 ? 'No results' : undefined };
}

function useExternalChoices(
  { element, settings: { blockId } }: ElementProps<Select | MultiSelect>,
  query: string,
  isNeeded: boolean,
): CurrentChoices {
  const container = useBlockContainer();
  const [loaded, setLoaded] = useState({ choices: [], status: LOADING } as LoadedChoices & {
    query?: string;
  });
  useEffect(() => {
    if (!isNeeded) return undefined;
    // The answer to an earlier query is ignored.
    let isCurrent = true;
    setLoaded((before) => ({ choices: before.choices, status: LOADING }));
    const timer = setTimeout(
      async () => {
        const answer = await container.loadOptions(blockId, getActionId(element), query);
        if (!isCurrent) return;
        const choices = answer.ok ? readChoices(answer.data) : [];
        const status = answer.ok ? 'No results' : 'The options couldn’t be loaded. Type again to retry.';
        setLoaded({ query, choices, status: choices.length === 0 ? status : undefined });
      },
      query === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isNeeded, query, blockId]);
  return { ...loaded, isPending: isNeeded && loaded.query !== query };
}

const LOADING = 'Loading…';

/**
 * The state and actions of a select menu. A closed menu shows the chosen options. In an open menu, typed text searches
 * the list, the arrow keys move, Enter chooses, and Escape closes.
 */
function useSelect({ element, settings }: ElementProps<Select | MultiSelect>, control: Control) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  /** Whether Enter was pressed before the options were loaded. */
  const [picksWhenLoaded, setPicksWhenLoaded] = useState(false);
  const { choices, status, isPending } = useChoices({ element, settings }, typed, isOpen);
  const chosen = readChosen(control.value, useDirectory());
  const isMultipleSelect = isMultiple(element);
  const maxItems = 'max_selected_items' in element ? (element.max_selected_items ?? Infinity) : Infinity;
  const listId = `${control.id}-list`;

  const isChosen = (choice: Choice) => chosen.some(({ key }) => key === choice.key);
  const set = (next: readonly Choice[]) => void control.set(createValue(element, next));
  const write = (text: string) => {
    setTyped(text);
    setActive(0);
    setPicksWhenLoaded(false);
  };
  const show = () => {
    if (isOpen || control.isInert) return;
    setOpen(true);
    setTyped('');
    setActive(isMultipleSelect ? 0 : Math.max(0, choices.findIndex(isChosen)));
  };
  const hide = () => {
    setOpen(false);
    setTyped('');
    setPicksWhenLoaded(false);
  };
  const remove = (choice: Choice) => set(chosen.filter(({ key }) => key !== choice.key));
  const pick = (choice: Choice) => {
    if (!isMultipleSelect) {
      hide();
      return set([choice]);
    }
    setTyped('');
    if (isChosen(choice)) return remove(choice);
    if (chosen.length < maxItems) set([...chosen, choice]);
  };
  const move = (step: number) =>
    choices.length > 0 && setActive((active + step + choices.length) % choices.length);
  const pickActive = () => {
    // The visible options are those of an earlier query, so the first option of this query is chosen when it is loaded.
    if (isPending) return setPicksWhenLoaded(typed !== '');
    const choice = choices[active];
    if (choice) pick(choice);
  };
  useEffect(() => {
    if (!picksWhenLoaded || isPending) return;
    setPicksWhenLoaded(false);
    pickActive();
  }, [picksWhenLoaded, isPending]);

  return {
    ...{ isOpen, typed, active, items: choices, chosen, isMultiple: isMultipleSelect, listId },
    status: isMultipleSelect && chosen.length >= maxItems ? `You can choose up to ${maxItems}.` : status,
    ...{ set, write, show, hide, remove, pick, setActive, move, pickActive },
  };
}

function handleSelectKey(select: ReturnType<typeof useSelect>, event: KeyboardEvent) {
  if (event.isComposing) return;
  const last = select.chosen.at(-1);
  if (event.key === 'Backspace' && select.isMultiple && select.typed === '' && last)
    return select.remove(last);
  if (event.key === 'Tab') return select.hide();
  const keys = {
    ArrowDown: () => select.move(1),
    ArrowUp: () => select.move(-1),
    Enter: select.pickActive,
    Escape: select.hide,
  };
  const act = Object.entries(keys).find(([key]) => key === event.key)?.[1];
  if (act === undefined || (event.key === 'Escape' && !select.isOpen)) return;
  // The modal must not handle these keys as well.
  event.preventDefault();
  event.stopPropagation();
  if (select.isOpen) act();
  else select.show();
}

/** Keys that change the text: a character, the start of an input method, or a deletion. */
const TEXT_KEY = /^(?:.|Process|Backspace|Delete)$/u;

/** A select menu for one or several options: a text field that searches a list. */
export function SelectMenu({ element, settings }: ElementProps<Select | MultiSelect>) {
  const control = useControl(element, settings);
  const select = useSelect({ element, settings }, control);
  const { isOpen, isMultiple, chosen, listId } = select;
  const label = isMultiple ? undefined : chosen[0]?.label;
  const placeholder = replaceEmojiCodes(
    element.placeholder?.text ?? (isMultiple ? 'Select options' : 'Select an option'),
  );
  const isClearable = settings.isOptional && label !== undefined && !control.isInert;
  return html`<div class=${`select ${isOpen ? 'is-open' : ''} ${control.isInert ? 'is-inert' : ''}`}>
    <div class="select-box field" onMouseDown=${focusInput}>
      ${
        isMultiple
          ? chosen.map(
              (choice) => html`<span key=${choice.key} class="token">
                ${choice.label}
                <${CloseButton} label=${`Remove ${choice.label}`} disabled=${control.isInert} onClick=${() => select.remove(choice)} />
              </span>`,
            )
          : null
      }
      <input
        ...${control.ariaAttributes}
        id=${control.id}
        class="select-input"
        role="combobox"
        aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls=${listId}
        aria-autocomplete="list"
        aria-activedescendant=${isOpen && select.items.length > 0 ? getItemId(listId, select.active) : undefined}
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
      ${isClearable ? html`<${CloseButton} label=${`Clear ${label}`} onClick=${() => select.set([])} />` : null}
      <${Icon} name="arrow" />
    </div>
    ${
      isOpen
        ? html`<div class="popup" onMouseDown=${(event: Event) => event.preventDefault()}>
            <${Listbox} ...${select} id=${listId} label=${settings.label ?? placeholder} onPick=${select.pick} onHover=${select.setActive} />
            <div role="status" class="popup-title quiet">${select.status}</div>
          </div>`
        : null
    }
  </div>`;
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
