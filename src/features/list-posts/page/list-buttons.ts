import type { Button, KnownBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { actions, button } from '../../../slack/blocks.ts';
import { encodeButtonState } from '../../../slack/carried.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { type Page, pageButtons } from '../../../slack/list-pages.ts';
import { EVERYTHING, isNarrowed, type ListState, type PostFilter } from '../filter/post-filter.ts';
import { within } from '../filter/read-post-words.ts';
import { daysLater, wholeDays } from '../filter/whole-days.ts';

/** Shows what its value says, as the others do that are named for what they say. */
export const LIST = 'list-posts.list';
export const PREVIOUS = 'list-posts.previous';
export const NEXT = 'list-posts.next';
export const EARLIER = 'list-posts.earlier';
export const LATER = 'list-posts.later';
export const ALL = 'list-posts.all';
export const FILTER = 'list-posts.filter';
export const SCHEDULE = 'list-posts.schedule';

/** Where one goes from a page of posts. */
export function listButtons(project: Project, filter: PostFilter, page: Page<unknown>): KnownBlock {
  const state = (number: number): ListState => ({ project: project.id, filter, page: number });
  return actions(
    ...pageButtons(page, { previous: PREVIOUS, next: NEXT }, state),
    ...steps(project, filter),
    ...filterButton(project, filter),
    ...(isNarrowed(filter) ? everythingButton(project) : []),
    scheduleButton(project),
  );
}

/** From week to week, and from day to day. */
function steps(project: Project, filter: PostFilter): Button[] {
  const { from, to, zone } = filter;
  if (from === undefined || to === undefined || zone === undefined) return [];
  const range = { from: new Date(from), to: new Date(to), zone };
  const days = wholeDays(range);
  if (days !== 1 && days !== 7) return [];
  const unit = days === 1 ? 'day' : 'week';
  const step = (label: string, action: string, by: number) =>
    stateButton(label, action, {
      project: project.id,
      filter: within(filter, daysLater(range, by)),
      page: 0,
    });
  return [...step(`Previous ${unit}`, EARLIER, -days), ...step(`Next ${unit}`, LATER, days)];
}

/** Opens the form with this filter. */
export function filterButton(project: Project, filter: PostFilter): Button[] {
  return stateButton('Filter', FILTER, { project: project.id, filter, page: 0 });
}

export function everythingButton(project: Project): Button[] {
  return stateButton('All posts', ALL, { project: project.id, filter: EVERYTHING, page: 0 });
}

/** None where a button cannot carry so much. */
export function stateButton(label: string, action: string, state: ListState): Button[] {
  const value = encodeButtonState(state);
  return value === undefined ? [] : [button(label, action, value)];
}

/** A project whose id a button cannot carry is chosen in the form. */
export function scheduleButton(project: Project): Button {
  const id = project.id.length <= LIMITS.optionValue ? project.id : undefined;
  return button('Schedule a post', SCHEDULE, id, 'primary');
}
