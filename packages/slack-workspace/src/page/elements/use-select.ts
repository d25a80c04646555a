import type { MultiSelect, Select } from '@slack/types';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type BlockSettings, type Control, useBlockContainer } from '../block-container.ts';
import { searchItems } from '../search-items.ts';
import { getActionId } from '../slack-json.ts';
import { useDirectory } from '../use-directory.ts';
import { type Choice, createState, isMultiple, listOwnChoices, readChoices, readChosen } from './choices.ts';

type LoadedChoices = { choices: readonly Choice[]; status: string | undefined };

/** `isPending` while the choices are still those of an earlier query. */
type CurrentChoices = LoadedChoices & { isPending: boolean };

/** Pause in typing, ms, after which the app is asked. */
const TYPING_PAUSE_MS = 250;

/** Slack's default of `min_query_length`. */
const MIN_QUERY_LENGTH = 3;

/** The options of a select menu that match the query. External options come from the app. */
function useChoices(
  element: Select | MultiSelect,
  blockId: string,
  query: string,
  isOpen: boolean,
): CurrentChoices {
  const directory = useDirectory();
  const isExternal = element.type === 'external_select' || element.type === 'multi_external_select';
  const own = useMemo(() => listOwnChoices(element, directory), [element, directory]);
  const minLength = isExternal ? (element.min_query_length ?? MIN_QUERY_LENGTH) : 0;
  const external = useExternalChoices(
    element,
    blockId,
    query,
    isOpen && isExternal && query.length >= minLength,
  );
  if (isExternal && query.length < minLength) {
    return {
      choices: [],
      isPending: false,
      status: `Type ${minLength === 1 ? 'a letter' : `at least ${minLength} letters`} to search.`,
    };
  }
  if (isExternal) return external;
  const choices = searchItems(own, query, (choice) => `${choice.label} ${choice.description ?? ''}`);
  return { choices, isPending: false, status: choices.length === 0 ? 'No results' : undefined };
}

function useExternalChoices(
  element: Select | MultiSelect,
  blockId: string,
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
        if (!answer.ok)
          return setLoaded({
            query,
            choices: [],
            status: 'The options couldn’t be loaded. Type again to retry.',
          });
        const choices = readChoices(answer.data);
        setLoaded({ query, choices, status: choices.length === 0 ? 'No results' : undefined });
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
export function useSelect(element: Select | MultiSelect, settings: BlockSettings, control: Control) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  /** Whether Enter was pressed before the options were loaded. */
  const [picksWhenLoaded, setPicksWhenLoaded] = useState(false);
  const { choices, status, isPending } = useChoices(element, settings.blockId, typed, isOpen);
  const chosen = readChosen(element, control.state, useDirectory());
  const isMultipleSelect = isMultiple(element);
  const maxItems = 'max_selected_items' in element ? (element.max_selected_items ?? Infinity) : Infinity;
  const listId = `${control.id}-list`;
  useEffect(() => {
    if (isOpen) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active]);

  const isChosen = (choice: Choice) => chosen.some(({ key }) => key === choice.key);
  const set = (next: readonly Choice[]) => void control.set(createState(element, next));
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
    ...{ isOpen, typed, active, choices, chosen, isMultiple: isMultipleSelect, listId },
    status: isMultipleSelect && chosen.length >= maxItems ? `You can choose up to ${maxItems}.` : status,
    ...{ isChosen, set, write, show, hide, remove, pick, setActive, move, pickActive },
  };
}

export function handleSelectKey(select: ReturnType<typeof useSelect>, event: KeyboardEvent) {
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
