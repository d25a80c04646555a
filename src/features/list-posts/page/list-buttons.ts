import type { Button, KnownBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { actions, button } from '../../../slack/blocks.ts';
import { encodeButtonState } from '../../../slack/interaction-values.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { buildPageButtons, type Page } from '../../../slack/list-pages.ts';
import { addRange } from '../filter/parse-post-filter.ts';
import { isNarrowed, type ListState, MATCH_ALL, type PostFilter } from '../filter/post-filter.ts';
import { countWholeDays, shiftDays } from '../filter/whole-days.ts';

// Action ids. Slack requires a separate one for each button of a block, although most buttons run the same handler.
export const LIST_ACTION = 'list-posts.list';
export const PREVIOUS_ACTION = 'list-posts.previous';
export const NEXT_ACTION = 'list-posts.next';
export const EARLIER_ACTION = 'list-posts.earlier';
export const LATER_ACTION = 'list-posts.later';
export const ALL_POSTS_ACTION = 'list-posts.all';
export const FILTER_ACTION = 'list-posts.filter';
export const SCHEDULE_ACTION = 'list-posts.schedule';
export const OUTBOX_ACTION = 'list-posts.outbox';
export const EXPORT_ACTION = 'list-posts.export';
export const SUGGESTION_ACTION = 'list-posts.suggestion';

/** Renders the buttons under a page of posts. */
export function renderListButtons(
  project: Project,
  filter: PostFilter,
  page: Page<unknown>,
  { hasUnsentPosts = false } = {},
): KnownBlock {
  const createState = (number: number): ListState => ({ project: project.id, filter, page: number });
  return actions(
    ...(hasUnsentPosts ? [button('Open outbox', OUTBOX_ACTION)] : []),
    ...buildPageButtons(page, { previous: PREVIOUS_ACTION, next: NEXT_ACTION }, createState),
    ...renderStepButtons(project, filter),
    ...renderFilterButton(project, filter),
    ...(isNarrowed(filter) ? renderAllPostsButton(project) : []),
    ...renderStateButton('Export as CSV', EXPORT_ACTION, createState(0)),
    renderScheduleButton(project),
  );
}

/** Renders [Previous week] and [Next week], or [Previous day] and [Next day], for a list of one whole week or day. */
function renderStepButtons(project: Project, filter: PostFilter): Button[] {
  const { from, to, zone } = filter;
  if (from === undefined || to === undefined || zone === undefined) return [];
  const range = { from: new Date(from), to: new Date(to), zone };
  const dayCount = countWholeDays(range);
  if (dayCount !== 1 && dayCount !== 7) return [];
  const unit = dayCount === 1 ? 'day' : 'week';
  const renderStep = (label: string, action: string, offsetDays: number) =>
    renderStateButton(label, action, {
      project: project.id,
      filter: addRange(filter, shiftDays(range, offsetDays)),
      page: 0,
    });
  return [
    ...renderStep(`Previous ${unit}`, EARLIER_ACTION, -dayCount),
    ...renderStep(`Next ${unit}`, LATER_ACTION, dayCount),
  ];
}

/** Renders [Filter], which opens the form with this filter. */
export function renderFilterButton(project: Project, filter: PostFilter): Button[] {
  return renderStateButton('Filter', FILTER_ACTION, { project: project.id, filter, page: 0 });
}

export function renderAllPostsButton(project: Project): Button[] {
  return renderStateButton('All posts', ALL_POSTS_ACTION, {
    project: project.id,
    filter: MATCH_ALL,
    page: 0,
  });
}

/** Renders a button that shows the list for the corrected filter. */
export function renderSuggestion(project: Project, suggestion: string): KnownBlock[] {
  const state = { project: project.id, words: suggestion, page: 0 };
  const buttons = renderStateButton(`Show “${suggestion}”`, SUGGESTION_ACTION, state);
  return buttons.length === 0 ? [] : [actions(...buttons)];
}

/** Renders a button whose value is the state of a list. Returns no button if the state is too long for a value. */
export function renderStateButton(label: string, action: string, state: ListState): Button[] {
  const value = encodeButtonState(state);
  return value === undefined ? [] : [button(label, action, value)];
}

/** Renders [New post]. If the project's id is too long for the button, the form opens without a project. */
export function renderScheduleButton(project: Project): Button {
  const id = project.id.length <= LIMITS.optionValue ? project.id : undefined;
  return button('New post', SCHEDULE_ACTION, id, 'primary');
}
