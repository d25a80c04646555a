import type { Button, KnownBlock } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { readDays } from '../../../forms/list.ts';
import { encodeSlotTarget } from '../../../posts/slot-phrase.ts';
import type { FreeSlot } from '../../../preferences/posting-times.ts';
import { actions, addAccessibilityLabel, buildButtonRow, button } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { buildPageButtons, buildStateButton, type Page } from '../../../slack/list-pages.ts';
import { addRange } from '../filter/parse-post-filter.ts';
import {
  countWholeDays,
  isNarrowed,
  type ListState,
  MATCH_ALL,
  type PostFilter,
  shiftDays,
} from '../filter/post-filter.ts';

/** The beginning of the action ids. */
export const PREFIX = 'list-posts';
export const FILTER_ACTION = `${PREFIX}.filter`;
export const SCHEDULE_ACTION = `${PREFIX}.schedule`;
export const OUTBOX_ACTION = `${PREFIX}.outbox`;
/** The names of the buttons that show the list. */
export const LIST_BUTTONS = ['list', 'previous', 'next', 'earlier', 'later', 'all', 'suggestion'] as const;

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
    ...buildPageButtons(PREFIX, page, createState),
    ...renderStepButtons(project, filter),
    ...renderFilterButton(project, filter),
    ...(isNarrowed(filter) ? renderAllPostsButton(project) : []),
    ...renderListButton('Export as CSV', 'export', createState(0)),
    renderScheduleButton(project),
  );
}

/** Renders [Previous week] and [Next week], or [Previous day] and [Next day], for a list of one whole week or day. */
function renderStepButtons(project: Project, filter: PostFilter): Button[] {
  const { from, to, zone } = filter;
  if (from === undefined || to === undefined || zone === undefined) return [];
  const range = readDays({ from, to }, zone);
  const dayCount = countWholeDays(range);
  if (dayCount !== 1 && dayCount !== 7) return [];
  const unit = dayCount === 1 ? 'day' : 'week';
  const renderStep = (label: string, name: 'earlier' | 'later', offsetDays: number) =>
    renderListButton(label, name, {
      project: project.id,
      filter: addRange(filter, shiftDays(range, offsetDays)),
      page: 0,
    });
  return [
    ...renderStep(`Previous ${unit}`, 'earlier', -dayCount),
    ...renderStep(`Next ${unit}`, 'later', dayCount),
  ];
}

/** Renders [Filter], which opens the form with this filter. */
export function renderFilterButton(project: Project, filter: PostFilter): Button[] {
  return renderListButton('Filter', 'filter', { project: project.id, filter, page: 0 });
}

export function renderAllPostsButton(project: Project): Button[] {
  return renderListButton('All posts', 'all', {
    project: project.id,
    filter: MATCH_ALL,
    page: 0,
  });
}

/** Renders a button that shows the list for the corrected filter. */
export function renderSuggestion(project: Project, suggestion: string): KnownBlock[] {
  const state = { project: project.id, words: suggestion, page: 0 };
  return buildButtonRow(renderListButton(`Show “${suggestion}”`, 'suggestion', state));
}

function renderListButton(
  label: string,
  name: (typeof LIST_BUTTONS)[number] | 'export' | 'filter',
  state: ListState,
): Button[] {
  return buildStateButton(label, `${PREFIX}.${name}`, state);
}

/** Renders [Fill], which opens the form for a free slot. */
export function renderFillButton({ id: project }: Project, slot: FreeSlot, label: string): Button {
  return addAccessibilityLabel(
    button('Fill', SCHEDULE_ACTION, encodeSlotTarget({ ...slot, project })),
    label,
  );
}

/** Renders [New post]. If the project's id is too long for the button, the form opens without a project. */
export function renderScheduleButton(project: Project): Button {
  const id = project.id.length <= LIMITS.optionValue ? project.id : undefined;
  return button('New post', SCHEDULE_ACTION, id, 'primary');
}
