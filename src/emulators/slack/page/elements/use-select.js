import { useEffect, useState } from 'preact/hooks';
import { useDirectory } from '../use-directory.js';
import { createState, isMultiple, readChosen } from './choices.js';
import { useChoices } from './use-choices.js';

/**
 * @import { MultiSelect, Select } from '@slack/types'
 * @import { Control, BlockSettings } from '../block-container.js'
 * @import { Choice } from './choices.js'
 */

/**
 * What a select shows and does. Closed: it shows what is chosen. Open: what is typed searches the list, arrows move in
 * it, Enter takes, Escape closes.
 * @param {Select | MultiSelect} element
 * @param {BlockSettings} place
 * @param {Control} control
 */
export function useSelect(element, place, control) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const [eager, setEager] = useState(false);
  const { choices, status, pending } = useChoices(element, place.blockId, typed, open);
  const chosen = readChosen(element, control.state, useDirectory());
  const multiple = isMultiple(element);
  const most = 'max_selected_items' in element ? (element.max_selected_items ?? Infinity) : Infinity;
  const listId = `${control.id}-list`;
  useEffect(() => {
    if (open) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [open, active]);

  /** @param {Choice} choice */
  const isChosen = (choice) => chosen.some(({ key }) => key === choice.key);
  /** @param {readonly Choice[]} next */
  const set = (next) => void control.set(createState(element, next));
  /** @param {string} words */
  const write = (words) => {
    setTyped(words);
    setActive(0);
    setEager(false);
  };
  const show = () => {
    if (open || control.inert) return;
    setOpen(true);
    setTyped('');
    setActive(multiple ? 0 : Math.max(0, choices.findIndex(isChosen)));
  };
  const hide = () => {
    setOpen(false);
    setTyped('');
    setEager(false);
  };
  /** @param {Choice} choice */
  const remove = (choice) => set(chosen.filter(({ key }) => key !== choice.key));
  /** @param {Choice} choice */
  const pick = (choice) => {
    if (!multiple) {
      hide();
      return set([choice]);
    }
    setTyped('');
    if (isChosen(choice)) return remove(choice);
    if (chosen.length < most) set([...chosen, choice]);
  };
  /** @param {number} step */
  const move = (step) => choices.length > 0 && setActive((active + step + choices.length) % choices.length);
  const pickActive = () => {
    // What is in sight answers other words: the first answer to these is taken once it is there.
    if (pending) return setEager(typed !== '');
    const choice = choices[active];
    if (choice) pick(choice);
  };
  useEffect(() => {
    if (!eager || pending) return;
    setEager(false);
    pickActive();
  }, [eager, pending]);

  return {
    ...{ open, typed, active, choices, chosen, multiple, listId },
    status: multiple && chosen.length >= most ? `At most ${most} can be chosen.` : status,
    ...{ isChosen, set, write, show, hide, remove, pick, setActive, move, pickActive },
  };
}

/**
 * @param {ReturnType<typeof useSelect>} select
 * @param {KeyboardEvent} event
 */
export function handleSelectKey(select, event) {
  if (event.isComposing) return;
  const last = select.chosen.at(-1);
  if (event.key === 'Backspace' && select.multiple && select.typed === '' && last) return select.remove(last);
  if (event.key === 'Tab') return select.hide();
  const keys = {
    ArrowDown: () => select.move(1),
    ArrowUp: () => select.move(-1),
    Enter: select.pickActive,
    Escape: select.hide,
  };
  const act = Object.entries(keys).find(([key]) => key === event.key)?.[1];
  if (act === undefined || (event.key === 'Escape' && !select.open)) return;
  // These keys are the list's own: nothing of them reaches the modal.
  event.preventDefault();
  event.stopPropagation();
  if (select.open) act();
  else select.show();
}
