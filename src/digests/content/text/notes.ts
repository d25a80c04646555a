import type { Button } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { NEW_POST_ACTION, newPostButton } from '../../../posts/new-post-button.ts';
import { renderPlatformNames, renderSlotPlatforms } from '../../../posts/platforms.ts';
import { encodeSlotTarget } from '../../../posts/slot-phrase.ts';
import { button, clipLine } from '../../../slack/blocks.ts';
import { renderCount } from '../../../words.ts';
import type { Section } from '../../digest.ts';
import { type Changes, hasChanges } from '../changes.ts';
import { renderDay, renderTime, renderWeekday } from '../days.ts';
import type { Collision, Findings } from '../findings.ts';
import { getPublicationStatus, type Plan, type PlannedPost } from '../plan.ts';
import {
  buildDetail,
  type Detail,
  type RenderOptions,
  renderDayAndTime,
  renderExcerpt,
  renderPostLine,
} from './lines.ts';

/** A change or a warning in one sentence of plain text. */
export interface Note {
  line: string;
  /** Several findings of the same kind, for the thread. */
  details?: Detail;
  /** Acts on the finding. */
  button?: Button;
}

/** Maximum number of days without a post that have their own sentence and button. */
const MAX_GAP_NOTES = 3;

/** The sections with notes, in the order in which a digest shows them. */
const NOTE_SECTIONS = ['changes', 'late', 'collisions', 'gaps', 'drafts'] as const satisfies Section[];

export interface ProjectStop {
  project: Project;
  since: Date;
}

/** Builds a note for each stopped project, because nobody should rely on its plan. */
export function buildStopNotes(stops: readonly ProjectStop[], options: RenderOptions): Note[] {
  return stops.map(({ project, since }) => ({
    line: `🛑 ${clipLine(project.name)} has been stopped since ${renderDayAndTime(since, options)}, so nothing new goes out.`,
  }));
}

export function buildNotes(
  { findings, changes }: { findings: Findings; changes: Changes | undefined },
  sections: readonly Section[],
  options: RenderOptions,
): Note[] {
  const notes: Record<(typeof NOTE_SECTIONS)[number], readonly Note[]> = {
    changes: changes && hasChanges(changes) ? [buildChangeNote(changes, options)] : [],
    late: buildOverdueNotes(findings, options),
    collisions: [...buildCollisionNotes(findings, options), ...buildBlackoutNotes(findings, options)],
    gaps: [...buildGapNotes(findings, options), ...buildSlotNotes(findings, options)],
    drafts: buildDraftNotes(findings, options),
  };
  return NOTE_SECTIONS.flatMap((name) => (sections.includes(name) ? notes[name] : []));
}

/** Renders the button that opens the form for a new post. If the digest has several projects, the form asks for one. */
export function renderScheduleButton({ projects }: Pick<Plan, 'projects'>): Button {
  const [first] = projects;
  return newPostButton('Schedule a post', projects.length === 1 ? { project: first?.id } : {});
}

function buildOverdueNotes({ overdue }: Findings, options: RenderOptions): Note[] {
  const renderLine = (planned: PlannedPost) =>
    renderPostLine(keepLatePlatforms(planned), options, 'day and time');
  const { failed = [], late = [] } = Object.groupBy(overdue, (planned) =>
    getPublicationStatus(planned) === 'failed' ? 'failed' : 'late',
  );
  const build = (
    posts: readonly PlannedPost[],
    words: readonly [one: string, many: string, title: string],
  ) => {
    const [first] = posts;
    const [one, many, title] = words;
    if (!first) return [];
    if (posts.length === 1) return [{ line: `⚠️ One post ${one}: ${renderLine(first)}` }];
    const line = `⚠️ ${posts.length.toLocaleString('en-GB')} posts ${many}.`;
    return [{ line, details: buildDetail(title, posts, renderLine) }];
  };
  return [
    ...build(failed, ['failed', 'failed', 'Failed']),
    ...build(late, ['is overdue', 'are overdue', 'Not out yet']),
  ];
}

/** Leaves out the platforms that have, or may have, their text of a post: it is late only on the others. */
function keepLatePlatforms(planned: PlannedPost): PlannedPost {
  const { sent = [], unsure = [] } = planned.facts?.parts ?? {};
  const platforms = planned.post.platforms.filter((platform) => ![...sent, ...unsure].includes(platform));
  return platforms.length === 0 ? planned : { ...planned, post: { ...planned.post, platforms } };
}

function buildCollisionNotes({ collisions }: Findings, options: RenderOptions): Note[] {
  const [firstCollision] = collisions;
  if (!firstCollision) return [];
  if (collisions.length === 1) {
    const { platform, first, second } = firstCollision;
    const posts = `Two ${renderPlatformNames([platform])} posts${renderForProject(first, options)}`;
    const times = `${renderDayAndTime(first.scheduledAt, options)} and ${renderTime(second.scheduledAt, options.zone)}`;
    return [{ line: `⚠️ ${posts} are under 30 minutes apart: ${times}.` }];
  }
  const details = buildDetail('Close together', collisions, (collision) =>
    renderCollision(collision, options),
  );
  const count = collisions.length.toLocaleString('en-GB');
  return [{ line: `⚠️ ${count} pairs of posts are under 30 minutes apart.`, details }];
}

function buildBlackoutNotes({ onBlackouts }: Findings, options: RenderOptions): Note[] {
  const [first] = onBlackouts;
  if (!first) return [];
  const renderLine = ({ planned }: (typeof onBlackouts)[number]) =>
    renderPostLine(planned, options, 'day and time');
  if (onBlackouts.length === 1) {
    const name = first.blackout.name === '' ? '' : ` (${clipLine(first.blackout.name)})`;
    return [{ line: `⚠️ One post is on a blackout day${name}: ${renderLine(first)}` }];
  }
  const line = `⚠️ ${onBlackouts.length.toLocaleString('en-GB')} posts are on blackout days.`;
  return [{ line, details: buildDetail('On blackout days', onBlackouts, renderLine) }];
}

function renderCollision({ platform, first, second }: Collision, options: RenderOptions): string {
  const place = `${renderPlatformNames([platform])}${options.hasSeveralProjects ? ` (${clipLine(first.project.name)})` : ''}`;
  const moments = [first, second].map((planned) => renderDayAndTime(planned.scheduledAt, options));
  return `${place}, ${moments.join(' and ')}`;
}

/** Renders " for Harbour Coffee" in a digest of several projects. */
function renderForProject({ project }: Pick<Collision['first'], 'project'>, options: RenderOptions): string {
  return options.hasSeveralProjects ? ` for ${clipLine(project.name)}` : '';
}

/** Builds a note with a button for each of the first days without a post, and one that counts the others. */
function buildGapNotes({ gaps }: Findings, options: RenderOptions): Note[] {
  const days = gaps.flatMap(({ project, dates }) => dates.map((date) => ({ project, date })));
  const notes = days.slice(0, MAX_GAP_NOTES).map(({ project, date }) => ({
    line: `Nothing ${date === options.date ? 'today' : `on ${renderWeekday(date)}`}${renderForProject({ project }, options)}.`,
    button: newPostButton(`Fill ${date === options.date ? 'today' : renderWeekday(date)}`, {
      project: project.id,
      // Without its year, a day that has passed would be read as one of next year.
      when: `${renderDay(date)} ${date.slice(0, 4)}`,
    }),
  }));
  const hiddenCount = days.length - notes.length;
  if (hiddenCount === 0) return notes;
  const each = options.hasSeveralProjects ? ', counted for each project' : '';
  const line = `${renderCount(hiddenCount, 'more weekday has', 'more weekdays have')} no post${each}.`;
  const details = buildDetail(
    'No post yet on',
    gaps,
    ({ project, dates }) =>
      `${options.hasSeveralProjects ? `${clipLine(project.name)}: ` : ''}${dates.map(renderDay).join(', ')}`,
  );
  return [...notes, { line, details }];
}

/** Builds a note with a button for each of the next free slots, and one that counts the others. */
export function buildSlotNotes({ freeSlots }: Pick<Findings, 'freeSlots'>, options: RenderOptions): Note[] {
  const render = ({ project, slot }: Findings['freeSlots'][number]) =>
    `${renderDayAndTime(slot.instant, options)} · ${renderSlotPlatforms(slot.platforms)}${options.hasSeveralProjects ? ` · ${clipLine(project.name)}` : ''}`;
  const notes = freeSlots.slice(0, MAX_GAP_NOTES).map((free) => ({
    line: `Free slot: ${render(free)}`,
    button: button(
      `Fill ${renderDayAndTime(free.slot.instant, options)}`,
      NEW_POST_ACTION,
      encodeSlotTarget({ ...free.slot, project: free.project.id }),
    ),
  }));
  const hiddenCount = freeSlots.length - notes.length;
  if (hiddenCount === 0) return notes;
  const line = `${renderCount(hiddenCount, 'more slot is', 'more slots are')} free.`;
  return [...notes, { line, details: buildDetail('Free slots', freeSlots, render) }];
}

function buildDraftNotes({ drafts }: Findings, options: RenderOptions): Note[] {
  const [firstDraft] = drafts;
  if (!firstDraft) return [];
  if (drafts.length === 1)
    return [{ line: `One draft is due soon: ${renderPostLine(firstDraft, options, 'day and time')}` }];
  const details = buildDetail('Still drafts', drafts, (planned) =>
    renderPostLine(planned, options, 'day and time'),
  );
  return [{ line: `${drafts.length.toLocaleString('en-GB')} drafts are due soon.`, details }];
}

function buildChangeNote(
  { publishedCount, added, rescheduled, rewritten, removed }: Changes,
  options: RenderOptions,
): Note {
  const counts: [number, string][] = [
    [publishedCount, 'went out'],
    [added.length, 'new'],
    [rescheduled.length, 'moved'],
    [rewritten.length, 'rewritten'],
    [removed.length, 'removed'],
  ];
  const totals = counts
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count.toLocaleString('en-GB')} ${label}`);
  const lines = [
    ...added.map((planned) => `New: ${renderPostLine(planned, options, 'day and time')}`),
    ...rescheduled.map(
      ({ planned, previousAt }) =>
        `Moved: from ${renderDayAndTime(previousAt, options)} to ${renderDayAndTime(planned.scheduledAt, options)} · ${renderExcerpt(planned)}`,
    ),
    ...rewritten.map((planned) => `Rewritten: ${renderPostLine(planned, options, 'day and time')}`),
    ...removed.map((at) => `Removed: a post for ${renderDayAndTime(at, options)}`),
  ];
  const line = `Since the last digest: ${totals.join(', ')}.`;
  if (lines.length < 2) return { line: [line, ...lines].join(' ') };
  return { line, details: buildDetail('Since the last digest', lines, (changeLine) => changeLine) };
}
