import type { Button, KnownBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { actions, button } from '../../../slack/blocks.ts';
import { encodeButtonState } from '../../../slack/interaction-values.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { buildPageButtons, type Page } from '../../../slack/list-pages.ts';
import { withDays } from '../filter/parse-post-filter.ts';
import { EVERYTHING, isNarrowed, type ListState, type PostFilter } from '../filter/post-filter.ts';
import { countWholeDays, shiftDays } from '../filter/whole-days.ts';

// Slack needs a separate action id for each button of a block. Most buttons show the list that their value encodes.
export const LIST = 'list-posts.list';
export const PREVIOUS = 'list-posts.previous';
export const NEXT = 'list-posts.next';
export const EARLIER = 'list-posts.earlier';
export const LATER = 'list-posts.later';
export const ALL = 'list-posts.all';
export const FILTER = 'list-posts.filter';
export const SCHEDULE = 'list-posts.schedule';

/** The buttons under a page of posts. */
export function listButtons(project: Project, filter: PostFilter, page: Page<unknown>): KnownBlock {
  const state = (number: number): ListState => ({ project: project.id, filter, page: number });
  return actions(
    ...buildPageButtons(page, { previous: PREVIOUS, next: NEXT }, state),
    ...stepButtons(project, filter),
    ...filterButton(project, filter),
    ...(isNarrowed(filter) ? everythingButton(project) : []),
    scheduleButton(project),
  );
}

/** [Previous week] and [Next week], or the same for days, for a list of one whole week or day. */
function stepButtons(project: Project, filter: PostFilter): Button[] {
  const { from, to, zone } = filter;
  if (from === undefined || to === undefined || zone === undefined) return [];
  const range = { from: new Date(from), to: new Date(to), zone };
  const days = countWholeDays(range);
  if (days !== 1 && days !== 7) return [];
  const unit = days === 1 ? 'day' : 'week';
  const step = (label: string, action: string, by: number) =>
    stateButton(label, action, {
      project: project.id,
      filter: withDays(filter, shiftDays(range, by)),
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

/** A button with the state of a list; empty if the state is too long for a button's value. */
export function stateButton(label: string, action: string, state: ListState): Button[] {
  const value = encodeButtonState(state);
  return value === undefined ? [] : [button(label, action, value)];
}

/** If the project's id is too long for the button, the user chooses the project in the form. */
export function scheduleButton(project: Project): Button {
  const id = project.id.length <= LIMITS.optionValue ? project.id : undefined;
  return button('Schedule a post', SCHEDULE, id, 'primary');
}
