import type { Button } from '@slack/types';
import type { Project } from '../../../api/projects.ts';
import { NEW_POST_ACTION, newPostButton } from '../../../posts/new-post-button.ts';
import { renderPlatformNames, renderSlotPlatforms } from '../../../posts/platforms.ts';
import { encodeSlotTarget } from '../../../posts/slot-phrase.ts';
import { button, clipLine } from '../../../slack/blocks.ts';
import { renderCount } from '../../../words.ts';
import type { Digest, Section } from '../../digest.ts';
import type { PlanChange } from '../changes.ts';
import { renderDay, renderTime, renderWeekday } from '../days.ts';
import type { Findings } from '../findings.ts';
import { getPublicationStatus, type Plan, type PlannedPost } from '../plan.ts';
import {
  buildDetail,
  type Detail,
  type RenderOptions,
  renderDayAndTime,
  renderExcerpt,
  renderPostLine,
} from './lines.ts';

/** What a digest is rendered from. */
export interface DigestContent extends RenderOptions {
  kind: Digest['kind'];
  /** The scheduled moment if the message is noticeably late. */
  delayedFrom?: Date | undefined;
  plan: Plan;
  findings: Findings;
  sections: readonly Section[];
  /** Undefined if the plan couldn't be compared with that of the last digest. */
  changes: readonly PlanChange[] | undefined;
  stops: readonly { project: Project; since: Date }[];
}

/** A change or a warning in one sentence of plain text. */
export interface Note {
  line: string;
  /** Several findings of the same kind, for the thread. */
  details?: Detail;
  /** Acts on the finding. */
  button?: Button;
}

/** Maximum number of days without a post, or of free slots, that have their own sentence and button. */
const MAX_GAP_NOTES = 3;

/** Builds a note for each stopped project, because nobody should rely on its plan. */
export function buildStopNotes(content: DigestContent): Note[] {
  return content.stops.map(({ project, since }) => ({
    line: `🛑 ${clipLine(project.name)} has been stopped since ${renderDayAndTime(since, content)}, so nothing new goes out.`,
  }));
}

/** The sections with notes, in the order in which a digest shows them. */
const NOTES: readonly [Section, (content: DigestContent) => readonly Note[]][] = [
  ['changes', buildChangeNotes],
  ['late', buildOverdueNotes],
  ['collisions', (content) => [...buildCollisionNotes(content), ...buildBlackoutNotes(content)]],
  ['gaps', (content) => [...buildGapNotes(content), ...buildSlotNotes(content)]],
  ['drafts', buildDraftNotes],
];

/** Builds the notes of the content's sections. */
export function buildNotes(content: DigestContent): Note[] {
  return NOTES.flatMap(([section, build]) => (content.sections.includes(section) ? build(content) : []));
}

/** Renders the button that opens the form for a new post. If the digest has several projects, the form asks for one. */
export function renderScheduleButton({ projects }: Pick<Plan, 'projects'>): Button {
  const [first] = projects;
  return newPostButton('Schedule a post', projects.length === 1 ? { project: first?.id } : {});
}

/** Builds a note about the only item, or one with the COUNT of several, and a list of them for the thread. */
function buildListNote<Item>(
  items: readonly Item[],
  words: { one: string; many: string; title: string },
  renderItem: (item: Item) => string,
): Note[] {
  const [first] = items;
  if (first === undefined) return [];
  if (items.length === 1) return [{ line: `${words.one}: ${renderItem(first)}` }];
  const line = `${words.many.replace('COUNT', items.length.toLocaleString('en-GB'))}.`;
  return [{ line, details: buildDetail(words.title, items, renderItem) }];
}

function buildOverdueNotes({ findings, ...options }: DigestContent): Note[] {
  const render = (planned: PlannedPost) =>
    renderPostLine(keepLatePlatforms(planned), options, 'day and time');
  const { failed = [], late = [] } = Object.groupBy(findings.overdue, (planned) =>
    getPublicationStatus(planned) === 'failed' ? 'failed' : 'late',
  );
  const failedWords = { one: '⚠️ One post failed', many: '⚠️ COUNT posts failed', title: 'Failed' };
  const lateWords = {
    one: '⚠️ One post is overdue',
    many: '⚠️ COUNT posts are overdue',
    title: 'Not out yet',
  };
  return [...buildListNote(failed, failedWords, render), ...buildListNote(late, lateWords, render)];
}

/** Leaves out the platforms that have, or may have, their text of a post: it is late only on the others. */
function keepLatePlatforms(planned: PlannedPost): PlannedPost {
  const { sent = [], unsure = [] } = planned.facts?.parts ?? {};
  const platforms = planned.post.platforms.filter((platform) => ![...sent, ...unsure].includes(platform));
  return platforms.length === 0 ? planned : { ...planned, post: { ...planned.post, platforms } };
}

function buildCollisionNotes({ findings: { collisions }, ...options }: DigestContent): Note[] {
  const [firstCollision] = collisions;
  if (!firstCollision) return [];
  if (collisions.length === 1) {
    const { platform, first, second } = firstCollision;
    const posts = `Two ${renderPlatformNames([platform])} posts${renderForProject(first, options)}`;
    const times = `${renderDayAndTime(first.scheduledAt, options)} and ${renderTime(second.scheduledAt, options.zone)}`;
    return [{ line: `⚠️ ${posts} are under 30 minutes apart: ${times}.` }];
  }
  const line = `⚠️ ${collisions.length.toLocaleString('en-GB')} pairs of posts are under 30 minutes apart.`;
  const details = buildDetail('Close together', collisions, ({ platform, first, second }) => {
    const project = options.hasSeveralProjects ? ` (${clipLine(first.project.name)})` : '';
    const moments = [first, second].map((planned) => renderDayAndTime(planned.scheduledAt, options));
    return `${renderPlatformNames([platform])}${project}, ${moments.join(' and ')}`;
  });
  return [{ line, details }];
}

function buildBlackoutNotes({ findings: { onBlackouts }, ...options }: DigestContent): Note[] {
  const name = onBlackouts[0]?.blackout.name ?? '';
  const words = {
    one: `⚠️ One post is on a blackout day${name === '' ? '' : ` (${clipLine(name)})`}`,
    many: '⚠️ COUNT posts are on blackout days',
    title: 'On blackout days',
  };
  return buildListNote(onBlackouts, words, ({ planned }) => renderPostLine(planned, options, 'day and time'));
}

/** Renders " for Harbour Coffee" in a digest of several projects. */
function renderForProject({ project }: { project: Project }, options: RenderOptions): string {
  return options.hasSeveralProjects ? ` for ${clipLine(project.name)}` : '';
}

/** Builds a note with a button for each of the first days without a post, and one that counts the others. */
function buildGapNotes(content: DigestContent): Note[] {
  const { gaps } = content.findings;
  const days = gaps.flatMap(({ project, dates }) => dates.map((date) => ({ project, date })));
  const notes = days.slice(0, MAX_GAP_NOTES).map(({ project, date }) => ({
    line: `Nothing ${date === content.date ? 'today' : `on ${renderWeekday(date)}`}${renderForProject({ project }, content)}.`,
    button: newPostButton(`Fill ${date === content.date ? 'today' : renderWeekday(date)}`, {
      project: project.id,
      // Without its year, a day that has passed would be read as one of next year.
      when: `${renderDay(date)} ${date.slice(0, 4)}`,
    }),
  }));
  const hiddenCount = days.length - notes.length;
  if (hiddenCount === 0) return notes;
  const each = content.hasSeveralProjects ? ', counted for each project' : '';
  const line = `${renderCount(hiddenCount, 'more weekday has', 'more weekdays have')} no post${each}.`;
  const details = buildDetail('No post yet on', gaps, ({ project, dates }) => {
    const name = content.hasSeveralProjects ? `${clipLine(project.name)}: ` : '';
    return `${name}${dates.map(renderDay).join(', ')}`;
  });
  return [...notes, { line, details }];
}

/** Builds a note with a button for each of the next free slots, and one that counts the others. */
export function buildSlotNotes(content: DigestContent): Note[] {
  const { freeSlots } = content.findings;
  const render = ({ project, slot }: Findings['freeSlots'][number]) =>
    `${renderDayAndTime(slot.instant, content)} · ${renderSlotPlatforms(slot.platforms)}${content.hasSeveralProjects ? ` · ${clipLine(project.name)}` : ''}`;
  const notes = freeSlots.slice(0, MAX_GAP_NOTES).map((free) => ({
    line: `Free slot: ${render(free)}`,
    button: button(
      `Fill ${renderDayAndTime(free.slot.instant, content)}`,
      NEW_POST_ACTION,
      encodeSlotTarget({ ...free.slot, project: free.project.id }),
    ),
  }));
  const hiddenCount = freeSlots.length - notes.length;
  if (hiddenCount === 0) return notes;
  const line = `${renderCount(hiddenCount, 'more slot is', 'more slots are')} free.`;
  return [...notes, { line, details: buildDetail('Free slots', freeSlots, render) }];
}

function buildDraftNotes({ findings, ...options }: DigestContent): Note[] {
  const words = { one: 'One draft is due soon', many: 'COUNT drafts are due soon', title: 'Still drafts' };
  return buildListNote(findings.drafts, words, (draft) => renderPostLine(draft, options, 'day and time'));
}

/** The kinds of changes as a digest counts them, in the order in which it shows them. */
const CHANGE_NAMES = [
  ['published', 'went out'],
  ['added', 'new'],
  ['rescheduled', 'moved'],
  ['rewritten', 'rewritten'],
  ['removed', 'removed'],
] as const satisfies readonly [PlanChange['kind'], string][];

function buildChangeNotes(content: DigestContent): Note[] {
  const { changes = [] } = content;
  if (changes.length === 0) return [];
  const groups = CHANGE_NAMES.map(([kind, name]) => ({
    name,
    ofKind: changes.filter((change) => change.kind === kind),
  })).filter(({ ofKind }) => ofKind.length > 0);
  const totals = groups.map(({ name, ofKind }) => `${ofKind.length.toLocaleString('en-GB')} ${name}`);
  const lines = groups.flatMap(({ ofKind }) => ofKind.flatMap((change) => renderChange(change, content)));
  const line = `Since the last digest: ${totals.join(', ')}.`;
  if (lines.length < 2) return [{ line: [line, ...lines].join(' ') }];
  return [{ line, details: buildDetail('Since the last digest', lines, (text) => text) }];
}

/** Renders a change as a line. Posts that went out are only counted. */
function renderChange(change: PlanChange, options: RenderOptions): string[] {
  switch (change.kind) {
    case 'published':
      return [];
    case 'added':
      return [`New: ${renderPostLine(change.planned, options, 'day and time')}`];
    case 'rewritten':
      return [`Rewritten: ${renderPostLine(change.planned, options, 'day and time')}`];
    case 'removed':
      return [`Removed: a post for ${renderDayAndTime(change.previousAt, options)}`];
    case 'rescheduled': {
      const { planned, previousAt } = change;
      const [from, to] = [previousAt, planned.scheduledAt].map((at) => renderDayAndTime(at, options));
      return [`Moved: from ${from} to ${to} · ${renderExcerpt(planned)}`];
    }
  }
}
