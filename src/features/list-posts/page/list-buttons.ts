import type { Button, KnownBlock } from '@slack/types';
import { DateTime } from 'luxon';
import type { Project } from '../../../api/projects.ts';
import { newPostButton } from '../../../posts/new-post-button.ts';
import type { FreeSlot } from '../../../preferences/posting-times.ts';
import { actions, buildButtonRow } from '../../../slack/blocks.ts';
import { runLineButton } from '../../../slack/catalogue.ts';
import { buildPageButtons, buildStateButton, type Page } from '../../../slack/list-pages.ts';
import type { Range } from '../../../when/range.ts';
import {
  addRange,
  countWholeDays,
  isNarrowed,
  type ListState,
  MATCH_ALL,
  type PostFilter,
  shiftDays,
} from '../post-filter.ts';

/** The beginning of the action ids. */
export const PREFIX = 'list-posts';
export const FILTER_ACTION = `${PREFIX}.filter`;
/** The names of the buttons that show the list. */
export const LIST_BUTTONS = [
  'list',
  'previous',
  'next',
  'earlier',
  'later',
  'all',
  'suggestion',
  'slots',
] as const;

/** The page below which the buttons are. */
interface ListedPage {
  project: Project;
  filter: PostFilter;
  page: Page<unknown>;
  freeSlots?: readonly FreeSlot[] | 'unknown' | undefined;
  /** Whether the plan can be opened as a page. */
  hasPages: boolean;
}

/** Renders the buttons below a list. */
export function renderListButtons(
  { project, filter, page, freeSlots = [], hasPages }: ListedPage,
  { hasUnsentPosts = false } = {},
): KnownBlock {
  const createState = (number: number): ListState => ({ project: project.id, filter, page: number });
  return actions(
    ...(hasUnsentPosts ? [runLineButton('Open outbox', '/upnext outbox')] : []),
    ...buildPageButtons(PREFIX, page, createState),
    ...renderStepButtons(project, filter),
    ...(freeSlots !== 'unknown' && freeSlots.length > 1
      ? renderListButton('Free slots', 'slots', { ...createState(page.number), showsSlots: true })
      : []),
    ...renderFilterButton(project, filter),
    ...(isNarrowed(filter) ? renderAllPostsButton(project) : []),
    ...renderListButton('Export as CSV', 'export', createState(0)),
    ...(hasPages ? [runLineButton('Open as page', `/upnext plan ${project.id}`, 1)] : []),
    newPostButton('New post', { project: project.id }, 'primary'),
  );
}

/** Renders [Previous week] and [Next week] for a list of one whole week, and likewise for a day or a month. */
function renderStepButtons(project: Project, filter: PostFilter): Button[] {
  const { from, to, zone } = filter;
  if (from === undefined || to === undefined || zone === undefined) return [];
  const range = { from, to, zone };
  const dayCount = countWholeDays(range);
  const first = DateTime.fromJSDate(from, { zone });
  const isMonth = first.day === 1 && dayCount === first.daysInMonth;
  if (dayCount === undefined || (dayCount !== 1 && dayCount !== 7 && !isMonth)) return [];
  const unit = isMonth ? 'month' : dayCount === 1 ? 'day' : 'week';
  const shift = (steps: 1 | -1): Range => {
    if (!isMonth) return shiftDays(range, steps * dayCount);
    const month = first.plus({ months: steps });
    return { zone, from: month.toJSDate(), to: month.endOf('month').toJSDate() };
  };
  const renderStep = (label: string, name: 'earlier' | 'later', steps: 1 | -1) =>
    renderListButton(label, name, {
      project: project.id,
      filter: addRange(filter, shift(steps)),
      page: 0,
    });
  return [...renderStep(`Previous ${unit}`, 'earlier', -1), ...renderStep(`Next ${unit}`, 'later', 1)];
}

export function renderFilterButton(project: Project, filter: PostFilter): Button[] {
  return renderListButton('Filter', 'filter', { project: project.id, filter, page: 0 });
}

export function renderWeekButton(project: Project, filter: PostFilter): Button[] {
  return renderListButton('Show the week', 'list', { project: project.id, filter, page: 0 });
}

export function renderAllPostsButton(project: Project): Button[] {
  return renderListButton('All posts', 'all', {
    project: project.id,
    filter: MATCH_ALL,
    page: 0,
  });
}

export function renderSuggestion(project: Project, suggestion: string): KnownBlock[] {
  const state = { project: project.id, words: suggestion, page: 0 };
  return buildButtonRow(renderListButton(`Show “${suggestion}”`, 'suggestion', state));
}

/** Renders a button that shows, filters or exports a list. */
function renderListButton(
  label: string,
  name: (typeof LIST_BUTTONS)[number] | 'export' | 'filter',
  state: ListState,
): Button[] {
  return buildStateButton(label, `${PREFIX}.${name}`, state);
}
