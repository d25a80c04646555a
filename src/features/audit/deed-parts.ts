import type { Deed, RecordRow } from '../../access/access.ts';
import { DAY_MS } from '../../durations.ts';
import type { Reader } from '../../forms/form-context.ts';
import { renderMoment, toLocalClock } from '../../posts/post-time.ts';
import { clipEscaped, escapeText, sanitizeLine } from '../../slack/blocks.ts';
import type { State } from '../../submissions/submission.ts';
import { wallClockAt } from '../../when/when.ts';

/** A recorded submission, as a sentence describes it. Plain text. */
export interface RecordedSubmission {
  state: State;
  /** The name of its project. */
  projectName?: string | undefined;
  /** The invited address, the changed user, or the title of the prompt. */
  subject?: string | undefined;
  /** The time of a post: "Tue 1 Dec, 09:00". */
  time?: string | undefined;
  isDraft: boolean;
  /** The beginning of a post’s text. '' if it was purged, and for other submissions. */
  excerpt: string;
  retryCount: number;
}

/** The names behind the ids in the record. */
export interface AuditNames {
  /** Project names by id. */
  projects: ReadonlyMap<string, string>;
  /** Whether `projects` has all projects, so that other projects don't exist any more. */
  areProjectsComplete: boolean;
  /** Submissions by id. */
  submissions: ReadonlyMap<string, RecordedSubmission>;
  /** See `AppContext`. */
  deeds: ReadonlyMap<string, Deed>;
}

/** Maximum length of an escaped name or excerpt in a sentence. */
const MAX_NAME_LENGTH = 60;

/** The parts of an entry that describe the deed. */
export type DeedRow = Pick<RecordRow, 'action' | 'target' | 'project'>;

/** Renders " in Harbour Coffee" (mrkdwn), or an empty text if the entry is about no project. */
export function renderPlace(
  row: DeedRow,
  names: AuditNames,
  preposition: string,
  knownName?: string,
): string {
  return row.project === '' ? '' : ` ${preposition} ${renderProject(row, names, knownName)}`;
}

export function renderProject({ project }: DeedRow, names: AuditNames, knownName?: string): string {
  const name = names.projects.get(project) ?? knownName;
  if (name !== undefined) return renderName(name);
  return names.areProjectsComplete
    ? 'a project that no longer exists'
    : 'a project whose name I couldn’t look up';
}

export function renderName(name: string): string {
  return clipEscaped(escapeText(sanitizeLine(name)), MAX_NAME_LENGTH);
}

/** Renders a day in the reader's zone: "Fri 20 Nov", with the year unless it is the current one. */
export function renderDate(instant: Date, { zone, now }: Reader): string {
  return renderMoment(instant, zone, now).split(', ')[0] ?? '';
}

/** Renders a day in the reader's zone as a heading: "Today", "Yesterday" or "Fri 20 Nov". */
export function renderDayHeading(instant: Date, reader: Reader): string {
  const toDay = (time: Date) => Math.floor(wallClockAt(time.getTime(), reader.zone) / DAY_MS);
  const daysAgo = toDay(reader.now) - toDay(instant);
  if (daysAgo === 0) return 'Today';
  return daysAgo === 1 ? 'Yesterday' : renderDate(instant, reader);
}

/** Renders a time in the reader's zone, by the clock of the reader's locale: "9:05 AM" or "09:05". */
export function renderClockTime(instant: Date, { zone, locale }: Reader): string {
  const wall = new Date(wallClockAt(instant.getTime(), zone));
  return toLocalClock(wall.toISOString().slice(11, 16), locale);
}
