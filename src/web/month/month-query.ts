import { PLATFORMS } from '../../api/platforms.ts';
import type { Project } from '../../api/projects.ts';
import { isTone, type Tone } from '../state.ts';
import { isMonth, type Month } from '../time.ts';

/** What the address of a month says: '' stands for all. */
export interface MonthQuery {
  month: Month;
  /** The id of a project, or 'all'. */
  project: string;
  platform: string;
  state: Tone | '';
  /** Slack's id. */
  author: string;
  /** The day that is shown alone: "17", or '' for the month. */
  day: string;
  page: number;
}

export const ALL_PROJECTS = 'all';

/** Reads the address of a month. What it can't mean is left out. The first project is the default. */
export function readMonthQuery(
  month: string,
  parameters: URLSearchParams,
  projects: readonly Project[],
): MonthQuery | undefined {
  if (!isMonth(month)) return undefined;
  const get = (name: string) => parameters.get(name) ?? '';
  const project = get('project');
  const isProject =
    projects.some(({ id }) => id === project) || (project === ALL_PROJECTS && projects.length > 1);
  const state = get('state');
  return {
    month,
    project: isProject ? project : (projects[0]?.id ?? ALL_PROJECTS),
    platform: PLATFORMS.find((name) => name === get('platform')) ?? '',
    state: isTone(state) ? state : '',
    author: /^[UW][A-Z0-9]{1,30}$/.test(get('author')) ? get('author') : '',
    day: /^\d\d$/.test(get('day')) ? get('day') : '',
    page: /^\d{1,3}$/.test(get('page')) ? Number(get('page')) : 0,
  };
}

/** The address of a month, relative to any other page of the link. */
export function buildMonthAddress({ month, page, ...filters }: MonthQuery): string {
  const entries = Object.entries({ ...filters, page: page === 0 ? '' : String(page) });
  const search = new URLSearchParams(entries.filter(([, value]) => value !== ''));
  return `${month}?${search}`;
}
