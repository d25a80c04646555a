import type { Button } from '@slack/types';
import { button } from './blocks.ts';
import { encodeButtonState } from './interaction-values.ts';

/** Renders the sentences below an incomplete list; none for others. `readCount`: readable records; `noun`: a plural. */
export function renderPartialNotes(
  list: { readCount: number; unreadableCount: number; isTruncated: boolean },
  noun: string,
): string[] {
  const { readCount, unreadableCount, isTruncated } = list;
  return [
    ...renderUnreadable(unreadableCount),
    ...(isTruncated
      ? [`I can read only the first ${readCount + unreadableCount} ${noun}. There are more.`]
      : []),
  ];
}

/** Renders the sentence about the records of a list that couldn't be read; none for 0. */
export function renderUnreadable(count: number): string[] {
  return count > 0 ? [`${count} more couldn’t be read.`] : [];
}

export interface Page<Item> {
  items: readonly Item[];
  /** Starts at 0. */
  number: number;
  /** Number of pages, at least 1. */
  count: number;
  /** The shown positions as a suffix for the title of the list: ", 11 to 20". '' if there is only one page. */
  titleSuffix: string;
}

/** Returns the requested page, or the nearest page that exists. */
export function paginate<Item>(all: readonly Item[], requestedNumber: number, size: number): Page<Item> {
  const count = Math.max(1, Math.ceil(all.length / size));
  const number = Math.min(Math.max(requestedNumber, 0), count - 1);
  const items = all.slice(number * size, (number + 1) * size);
  const firstPosition = number * size + 1;
  return {
    items,
    number,
    count,
    titleSuffix: count === 1 ? '' : `, ${firstPosition} to ${firstPosition + items.length - 1}`,
  };
}

/** Builds the buttons for existing pages before and after. `prefix` begins their ids; `getState`: a page's state. */
export function buildPageButtons(
  prefix: string,
  { number, count }: Pick<Page<unknown>, 'number' | 'count'>,
  getState: (page: number) => object,
): Button[] {
  return [
    ...(number > 0 ? buildStateButton('Previous page', `${prefix}.previous`, getState(number - 1)) : []),
    ...(number < count - 1 ? buildStateButton('Next page', `${prefix}.next`, getState(number + 1)) : []),
  ];
}

/** Builds a button that stores the state of a list. Returns no button if the state is too long for one. */
export function buildStateButton(label: string, action: string, state: object): Button[] {
  const value = encodeButtonState(state);
  return value === undefined ? [] : [button(label, action, value)];
}
