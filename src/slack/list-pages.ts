import type { Button } from '@slack/types';
import { button } from './blocks.ts';
import { encodeButtonState } from './view-values.ts';

/** Plain text below a list of which only the first `count` items can be read. `noun`: e.g. "projects". */
export function truncationNotice(count: number, noun: string): string {
  return `Showing the first ${count} ${noun}. There are more, which I can't read.`;
}

/** One page of a list. */
export interface Page<Item> {
  items: readonly Item[];
  /** Starts at 0. */
  number: number;
  /** Number of pages, at least 1. */
  count: number;
  /** Suffix for the title of the list: ", 11 to 20"; "" if there is only one page. */
  where: string;
}

/** The wanted page, or the nearest page that exists. */
export function paginate<Item>(all: readonly Item[], wanted: number, size: number): Page<Item> {
  const count = Math.max(1, Math.ceil(all.length / size));
  const number = Math.min(Math.max(wanted, 0), count - 1);
  const items = all.slice(number * size, (number + 1) * size);
  const first = number * size + 1;
  return { items, number, count, where: count === 1 ? '' : `, ${first} to ${first + items.length - 1}` };
}

/** [Previous] and [Next], if there are such pages. `state` returns the button state for a page. */
export function pageButtons(
  { number, count }: Page<unknown>,
  actions: { previous: string; next: string },
  state: (page: number) => object,
): Button[] {
  const turn = (label: string, action: string, page: number) => {
    const value = encodeButtonState(state(page));
    return value === undefined || page < 0 || page >= count ? [] : [button(label, action, value)];
  };
  return [...turn('Previous', actions.previous, number - 1), ...turn('Next', actions.next, number + 1)];
}
