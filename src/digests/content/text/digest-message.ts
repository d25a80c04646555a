import type { KnownBlock } from '@slack/types';
import { hasStatus } from '../../../posts/post-status.ts';
import { countAtSameTime, renderMoment, renderSameTimeNote } from '../../../posts/post-time.ts';
import {
  clipLine,
  context,
  divider,
  escapeText,
  header,
  plain,
  plainSection,
  section,
} from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import { clip, joinWithAnd, renderCount } from '../../../words.ts';
import type { ComposedMessage } from '../../digest-context.ts';
import { getLocalDate, renderDay } from '../days.ts';
import {
  DAYS_SEARCHED_FOR_NEXT,
  getPublicationStatus,
  isUpcoming,
  knowsAllPosts,
  type PlannedPost,
} from '../plan.ts';
import {
  buildDetail,
  type Detail,
  type RenderOptions,
  renderDayAndTime,
  renderDayHeading,
  renderPostLine,
  renderPostRow,
  renderProjectNames,
  renderThread,
  renderZone,
} from './lines.ts';
import {
  buildNotes,
  buildSlotNotes,
  buildStopNotes,
  type DigestContent,
  type Note,
  renderScheduleButton,
} from './notes.ts';

/** Shown above the posts that Upnext keeps, if the service doesn't answer. */
const SERVICE_DOWN =
  '⚠️ I couldn’t read the scheduling service’s posts. These are only the posts that I keep.';

const NOTHING_FOUND = `Nothing is scheduled in the next ${DAYS_SEARCHED_FOR_NEXT} days.`;

/** Maximum number of characters in the fallback text, which phones show in notifications. */
const MAX_TEXT_LENGTH = 600;

/**
 * Renders a digest: a heading, the posts by time, the changes, and one sentence for each warning. Details are in its
 * thread. The text, the thread and the picture show times in the digest's zone, which each of them states once.
 */
export function renderDigestMessage(content: DigestContent): ComposedMessage {
  const title = renderTitle(content);
  const notes = [...buildStopNotes(content), ...buildNotes(content)];
  const posts = renderPosts(content);
  const details = [...posts.details, ...notes.flatMap((note) => note.details ?? [])];
  const thread = renderThread({ heading: title, zone: renderZone(content) }, details);
  return {
    text: renderFallbackText(content, title, notes),
    blocks: [
      header(title),
      renderZoneAndDelay(content),
      ...(content.plan.isServiceDown ? [plainSection(SERVICE_DOWN)] : []),
      ...posts.blocks,
      ...(notes.length > 0 && posts.blocks.length > 0 ? [divider()] : []),
      ...notes.map(renderNote),
      ...renderFooter(content, thread.length > 0),
    ],
    ...(thread.length > 0 && { thread }),
  };
}

/** Whether a digest has nothing to show. Gaps of an empty plan don't count, because every day of it is one. */
export function isEmptyDigest(content: DigestContent): boolean {
  const hasPosts = content.findings.periodPosts.length > 0;
  const sections = content.sections.filter((section) => hasPosts || section !== 'gaps');
  const showsPosts = hasPosts && (sections.includes('next') || sections.includes('ahead'));
  return !showsPosts && buildNotes({ ...content, sections }).length === 0;
}

/** Renders a digest that has nothing to show: one sentence, and a button for a new post. */
export function renderEmptyDigest(content: DigestContent): Message {
  const { plan, findings } = content;
  const { next, end, periodPosts } = findings;
  const delay = renderDelay(content);
  const names = renderProjectNames(plan.projects);
  // A digest may show only warnings.
  const text =
    periodPosts.length > 0
      ? `Nothing to report for ${names}.`
      : `Nothing is scheduled for ${names} until ${renderDayAndTime(end, content)}.`;
  const nextText = next ? `Next: ${renderDayAndTime(next.scheduledAt, content)}.` : '';
  const stopNotes = buildStopNotes(content);
  return {
    text: escapeText(
      [text, nextText, ...stopNotes.map(({ line }) => line), delay, `${renderZone(content)}.`]
        .filter((part) => part !== '')
        .join(' '),
    ),
    blocks: [
      { ...plainSection(text), accessory: renderScheduleButton(plan) },
      ...(next ? [plainSection(nextText)] : []),
      ...stopNotes.map(renderNote),
      ...buildSlotNotes(content)
        .filter((note) => !note.details)
        .map(renderNote),
      renderZoneAndDelay(content),
    ],
  };
}

function renderTitle({ kind, date, plan }: DigestContent): string {
  const day = renderDay(date);
  return `${renderProjectNames(plan.projects)}, ${kind === 'weekly' ? `the week from ${day}` : day}`;
}

function renderDelay({ delayedFrom, ...options }: DigestContent): string {
  return delayedFrom ? `This digest is late. It was due ${renderDayAndTime(delayedFrom, options)}.` : '';
}

/** Renders the zone of the digest's times, and its delay if it is late. */
function renderZoneAndDelay(content: DigestContent): KnownBlock {
  const texts = [renderZone(content), renderDelay(content)].filter((text) => text !== '');
  return context(...texts.map((text) => plain(text)));
}

function renderNote({ line, button: noteButton }: Note): KnownBlock {
  return { ...plainSection(line), ...(noteButton && { accessory: noteButton }) };
}

/** What a digest looks for and can't rule out while it lacks posts, by the section that names it. */
const SEARCHES = [
  ['collisions', 'whether some are too close'],
  ['gaps', 'where gaps are'],
] as const;

function renderFooter({ plan, sections }: DigestContent, hasThread: boolean): KnownBlock[] {
  const { isComplete, isServiceDown, unreadableCount } = plan;
  const unchecked = SEARCHES.flatMap(([section, name]) => (sections.includes(section) ? [name] : []));
  const sentences = [
    ...(hasThread ? ['Details are in the thread.'] : []),
    ...(isComplete || isServiceDown
      ? []
      : ['There may be more posts than I could read, so the real numbers may be higher.']),
    ...(unreadableCount > 0 ? [`${renderCount(unreadableCount, 'record')} couldn’t be read.`] : []),
    ...(knowsAllPosts(plan) || unchecked.length === 0 ? [] : [`I couldn’t check ${joinWithAnd(unchecked)}.`]),
  ];
  return sentences.length === 0 ? [] : [context(...sentences.map((sentence) => plain(sentence)))];
}

/** Renders the fallback text for phones and screen readers: projects, next post and notes. */
function renderFallbackText(content: DigestContent, title: string, notes: readonly Note[]): string {
  const { findings, plan } = content;
  const { next } = findings;
  const nextText = next
    ? `Next: ${[
        // The text states no zone otherwise.
        renderMoment(next.scheduledAt, content.zone, content.now),
        ...(content.hasSeveralProjects ? [clipLine(next.project.name)] : []),
        ...renderOthersAtSameTime(next, content),
      ].join(', ')}.`
    : NOTHING_FOUND;
  const start = [
    ...(plan.isServiceDown ? [SERVICE_DOWN] : []),
    ...(next || knowsAllPosts(plan) ? [nextText] : []),
  ];
  return escapeText(
    clip([`${title}.`, ...start, ...notes.map(({ line }) => line)].join(' '), MAX_TEXT_LENGTH),
  );
}

/** Maximum number of posts in the message itself. The thread contains the full list. */
const MAX_ROWS = 5;

interface PostBlocks {
  blocks: KnownBlock[];
  details: Detail[];
}

/** Renders the next post, unless it is among the posts ahead, and the posts ahead. */
function renderPosts(content: DigestContent): PostBlocks {
  const { findings, sections, kind, plan } = content;
  const { next, periodPosts } = findings;
  const isDaily = kind === 'daily';
  const includesNext = sections.includes('next');
  const isNextListed =
    isDaily && sections.includes('ahead') && next !== undefined && periodPosts.includes(next);
  const nextBlocks = includesNext && !isNextListed ? renderNextPost(content) : [];
  // Without posts ahead, the time of the next post already shows that nothing comes earlier.
  const showsList = sections.includes('ahead') && !(isDaily && periodPosts.length === 0 && includesNext);
  const isUnclear = !knowsAllPosts(plan) && periodPosts.length === 0;
  if (!showsList || isUnclear) return { blocks: nextBlocks, details: [] };
  const list = isDaily ? renderDays(content) : renderWeek(content);
  return { ...list, blocks: [...nextBlocks, ...list.blocks] };
}

function renderNextPost(content: DigestContent): KnownBlock[] {
  const { findings, plan } = content;
  const { next } = findings;
  if (!next) {
    // Posts that couldn't be read may be scheduled.
    if (!knowsAllPosts(plan)) return [];
    return [{ ...section(NOTHING_FOUND), accessory: renderScheduleButton(plan) }];
  }
  const notes = renderOthersAtSameTime(next, content);
  return [renderPostRow(next, content, { heading: 'Next: ', format: 'day and time', notes })];
}

/** Renders "+1 at the same time" if the next post isn't the only one. */
function renderOthersAtSameTime(next: PlannedPost, { plan, now }: DigestContent): string[] {
  const upcomingPosts = plan.posts.filter((planned) => isUpcoming(planned, now));
  return renderSameTimeNote(countAtSameTime(next, upcomingPosts));
}

/** Renders the posts of a daily digest below their days, so that no line repeats its date. */
function renderDays({ findings, ...options }: DigestContent): PostBlocks {
  const { periodPosts, next, end } = findings;
  const endText = renderDayAndTime(end, options);
  if (periodPosts.length === 0) return { blocks: [section(`Nothing until ${endText}.`)], details: [] };
  // Posts that went out this morning make room for the coming ones.
  const firstShown = Math.min(Math.max(next ? periodPosts.indexOf(next) : 0, 0), periodPosts.length - 1);
  const start = Math.min(firstShown, Math.max(0, periodPosts.length - MAX_ROWS));
  const shownPosts = periodPosts.slice(start, start + MAX_ROWS);
  const [earlierCount, laterCount] = [start, periodPosts.length - start - shownPosts.length];
  const hiddenCounts = [
    ...(laterCount > 0 ? [`${laterCount.toLocaleString('en-GB')} more until ${endText}`] : []),
    ...(earlierCount > 0 ? [`${earlierCount.toLocaleString('en-GB')} earlier`] : []),
  ];
  return {
    blocks: [
      ...[...groupByDay(shownPosts, options)].flatMap(([date, posts]) => [
        section(`*${renderDayHeading(date, options)}*`),
        ...posts.map((planned) =>
          renderPostRow(planned, options, { format: 'time', notes: planned === next ? ['Next'] : [] }),
        ),
      ]),
      ...(hiddenCounts.length > 0 ? [section(`${hiddenCounts.join(', and ')}.`)] : []),
    ],
    details: hiddenCounts.length > 0 ? buildDayDetails(periodPosts, options) : [],
  };
}

/** Renders the numbers of the week's posts: "5 posts to go, 1 published." The picture and the thread show the posts. */
function renderWeek({ findings, ...options }: DigestContent): PostBlocks {
  const { periodPosts, overdue } = findings;
  const getCount = (planned: PlannedPost): string => {
    const status = getPublicationStatus(planned);
    if (status === 'published' || status === 'failed') return status;
    if (overdue.includes(planned)) return 'overdue';
    if (hasStatus(planned.post, 'DECISION')) return 'undecided';
    return status === 'unpublished' || planned.scheduledAt > options.now ? 'to go' : 'unclear';
  };
  const posts = Map.groupBy(periodPosts, getCount);
  const counts = ['to go', 'undecided', 'published', 'failed', 'overdue'].flatMap((name) => {
    const count = posts.get(name)?.length ?? 0;
    if (count === 0) return [];
    if (name === 'to go') return [`${renderCount(count, 'post')} to go`];
    if (name === 'undecided') return [renderCount(count, 'needs a decision', 'need a decision')];
    return [`${count.toLocaleString('en-GB')} ${name}`];
  });
  const text = periodPosts.length === 0 ? 'No posts this week.' : `${counts.join(', ')}.`;
  return {
    blocks: counts.length === 0 && periodPosts.length > 0 ? [] : [section(text)],
    details: buildDayDetails(periodPosts, options),
  };
}

function groupByDay(posts: readonly PlannedPost[], { zone }: RenderOptions) {
  return Map.groupBy(posts, ({ scheduledAt }) => getLocalDate(scheduledAt, zone));
}

function buildDayDetails(posts: readonly PlannedPost[], options: RenderOptions): Detail[] {
  return [...groupByDay(posts, options)].map(([date, dayPosts]) =>
    buildDetail(renderDay(date), dayPosts, (planned) => renderPostLine(planned, options, 'time')),
  );
}
