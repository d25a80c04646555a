import type { KnownBlock } from '@slack/types';
import { countAtSameTime, renderSameTimeNote } from '../../../posts/post-order.ts';
import {
  clip,
  context,
  divider,
  escapeText,
  header,
  plain,
  plainSection,
  section,
} from '../../../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../../../slack/emulator-notice.ts';
import type { Message } from '../../../slack/message.ts';
import { zoneName } from '../../../when/when.ts';
import type { ComposedMessage, ComposeRequest } from '../../composer.ts';
import type { Digest } from '../../digest.ts';
import type { Changes } from '../changes.ts';
import { getLocalDate, renderDay } from '../days.ts';
import type { Findings } from '../findings.ts';
import { isUpcoming, type Plan, type PlannedPost } from '../plan.ts';
import type { Section } from '../sections.ts';
import {
  formatCount,
  type RenderOptions,
  renderDayHeading,
  renderFullMoment,
  renderPostLine,
  renderPostRow,
  renderProjectName,
  renderProjectNames,
  renderShortMoment,
} from './lines.ts';
import { buildNotes, type Note, renderFillButton } from './notes.ts';
import { buildDetail, type Detail, renderThread } from './thread.ts';

/** The content of a digest. */
export interface DigestContent {
  digest: Pick<Digest, 'kind' | 'zone'>;
  request: Pick<ComposeRequest, 'now' | 'date' | 'delayedFrom'>;
  plan: Plan;
  findings: Findings;
  changes: Changes | undefined;
  sections: readonly Section[];
  isEmulated: boolean;
}

/** Maximum number of posts in the message itself. The thread contains the full list. */
const MAX_ROWS = 5;
/** Maximum number of characters in the fallback text, which phones show in notifications. */
const MAX_TEXT_LENGTH = 600;

/**
 * Renders a digest: a heading, the posts by time, what changed, and one sentence for each warning. Details are in its
 * thread. Times are shown in each reader's zone, days and the thread are in the digest's zone.
 */
export function renderDigestMessage(content: DigestContent): ComposedMessage {
  const options = buildRenderOptions(content);
  const title = renderTitle(content);
  const notes = buildNotes(content, content.sections, options);
  const posts = renderPosts(content, options);
  const details = [...posts.details, ...notes.flatMap((note) => note.details ?? [])];
  const thread = renderThread(title, details);
  return {
    text: renderFallbackText(content, title, notes, options),
    blocks: [
      header(title),
      ...renderDelayBlocks(content, options),
      ...posts.blocks,
      ...(notes.length > 0 && posts.blocks.length > 0 ? [divider()] : []),
      ...notes.map(renderNote),
      ...renderFoot(content, thread.length > 0),
    ],
    ...(thread.length > 0 && { thread }),
  };
}

/** Renders a digest without posts: one sentence, and a button for a new post. */
export function renderEmptyDigest(content: DigestContent): Message {
  const options = buildRenderOptions(content);
  const { plan, findings } = content;
  const { next, end } = findings;
  const delay = renderDelay(content, options);
  const text = `Nothing is scheduled for ${renderProjectNames(plan.projects)} until ${renderFullMoment(end, options)}.`;
  const nextText = next ? `Next: ${renderFullMoment(next.scheduledAt, options)}.` : '';
  return {
    text: escapeText([text, nextText, delay].filter((part) => part !== '').join(' ')),
    blocks: [
      {
        ...plainSection(text),
        accessory: renderFillButton('Schedule a post', getOnlyProject(plan)),
      },
      ...(next ? [plainSection(nextText)] : []),
      ...renderDelayBlocks(content, options),
      ...(content.isEmulated ? [context(EMULATOR_NOTICE)] : []),
    ],
  };
}

/** Returns the prefill for a post of the digest's project. Empty if the digest has several projects. */
function getOnlyProject({ projects }: Plan): { project?: string } {
  const [first] = projects;
  return first && projects.length === 1 ? { project: first.id } : {};
}

function buildRenderOptions({ digest, request, plan }: DigestContent): RenderOptions {
  return {
    zone: digest.zone,
    now: request.now,
    date: request.date,
    hasSeveralProjects: plan.projects.length > 1,
  };
}

function renderTitle({ digest, request, plan }: DigestContent): string {
  const day = renderDay(request.date);
  return `${renderProjectNames(plan.projects)}, ${digest.kind === 'weekly' ? `the week from ${day}` : day}`;
}

function renderDelay({ request }: DigestContent, options: RenderOptions): string {
  const { delayedFrom } = request;
  return delayedFrom ? `This digest is late. It was due ${renderFullMoment(delayedFrom, options)}.` : '';
}

function renderDelayBlocks(content: DigestContent, options: RenderOptions): KnownBlock[] {
  const text = renderDelay(content, options);
  return text === '' ? [] : [context(plain(text))];
}

function renderNote({ line, button: noteButton }: Note): KnownBlock {
  return { ...plainSection(line), ...(noteButton && { accessory: noteButton }) };
}

interface PostBlocks {
  blocks: KnownBlock[];
  details: Detail[];
}

/** Renders the next post, unless it is among the posts ahead, and the posts ahead. */
function renderPosts(content: DigestContent, options: RenderOptions): PostBlocks {
  const { findings, sections, digest, plan } = content;
  const { next, ahead } = findings;
  const showsDayList = sections.includes('ahead') && digest.kind === 'daily';
  const isNextListed = next !== undefined && showsDayList && ahead.includes(next);
  const list = !sections.includes('ahead')
    ? { blocks: [], details: [] }
    : digest.kind === 'weekly'
      ? renderWeek(findings, options)
      : renderDays(findings, options);
  return {
    blocks: [
      ...(sections.includes('next') && !isNextListed ? renderNextPost(next, plan, options) : []),
      ...list.blocks,
    ],
    details: list.details,
  };
}

function renderNextPost(next: PlannedPost | undefined, plan: Plan, options: RenderOptions): KnownBlock[] {
  if (!next) {
    const accessory = renderFillButton('Schedule a post', getOnlyProject(plan));
    return [{ ...section('Nothing is scheduled.'), accessory }];
  }
  const notes = renderOthersAtSameTime(next, plan, options);
  return renderPostRow(next, options, { heading: 'Next: ', format: '{date_short_pretty}, {time}', notes });
}

/** Renders "+1 at the same time" if the next post isn't the only one. */
function renderOthersAtSameTime(next: PlannedPost, { posts }: Plan, { now }: RenderOptions): string[] {
  const upcomingPosts = posts.filter((planned) => isUpcoming(planned, now)).map(({ post }) => post);
  return renderSameTimeNote(countAtSameTime(next.post, upcomingPosts));
}

/** Renders the posts of a daily digest below their days, so that no line repeats its date. */
function renderDays({ ahead, next, end }: Findings, options: RenderOptions): PostBlocks {
  const endText = renderShortMoment(end, options);
  if (ahead.length === 0) return { blocks: [section(`Nothing until ${endText}.`)], details: [] };
  // Posts that went out this morning make room for the coming ones.
  const firstShown = Math.min(Math.max(next ? ahead.indexOf(next) : 0, 0), ahead.length - 1);
  const start = Math.min(firstShown, Math.max(0, ahead.length - MAX_ROWS));
  const shownPosts = ahead.slice(start, start + MAX_ROWS);
  const hiddenCount = ahead.length - shownPosts.length;
  const moreText = `…and ${hiddenCount.toLocaleString('en-GB')} more until ${endText}.`;
  return {
    blocks: [
      ...[...groupByDay(shownPosts, options)].flatMap(([date, posts]) => [
        section(`*${renderDayHeading(date, options)}*`),
        ...posts.flatMap((planned) =>
          renderPostRow(planned, options, { format: '{time}', notes: planned === next ? ['Next'] : [] }),
        ),
      ]),
      ...(hiddenCount > 0 ? [section(moreText)] : []),
    ],
    details: hiddenCount > 0 ? buildDayDetails(ahead, options) : [],
  };
}

/** Renders the number of the week's posts. The picture and the thread show them. */
function renderWeek({ ahead, end }: Findings, options: RenderOptions): PostBlocks {
  const lastDay = renderDay(getLocalDate(new Date(end.getTime() - 1), options.zone));
  const text =
    ahead.length === 0
      ? `No post until ${lastDay}.`
      : `${formatCount(ahead.length, 'One post', 'posts')} until ${lastDay}.`;
  return { blocks: [section(text)], details: buildDayDetails(ahead, options) };
}

function groupByDay(posts: readonly PlannedPost[], { zone }: RenderOptions) {
  return Map.groupBy(posts, ({ scheduledAt }) => getLocalDate(scheduledAt, zone));
}

function buildDayDetails(posts: readonly PlannedPost[], options: RenderOptions): Detail[] {
  return [...groupByDay(posts, options)].map(([date, dayPosts]) =>
    buildDetail(`${renderDay(date)} (${zoneName(options.zone)})`, dayPosts, (planned) =>
      renderPostLine(planned, options, 'time'),
    ),
  );
}

function renderFoot({ plan, isEmulated }: DigestContent, hasThread: boolean): KnownBlock[] {
  const { isComplete, unreadableCount } = plan;
  const sentences = [
    ...(hasThread ? ['Details are in the thread.'] : []),
    ...(isComplete ? [] : ['There are more posts than I can read, so the real numbers may be higher.']),
    ...(unreadableCount > 0
      ? [`${formatCount(unreadableCount, 'One record', 'records')} couldn’t be read.`]
      : []),
    ...(isEmulated ? [EMULATOR_NOTICE] : []),
  ];
  return sentences.length === 0 ? [] : [context(...sentences.map((sentence) => plain(sentence)))];
}

/** Renders the fallback text for phones and screen readers: projects, next post and notes. */
function renderFallbackText(
  { findings, plan }: DigestContent,
  title: string,
  notes: readonly Note[],
  options: RenderOptions,
): string {
  const { next } = findings;
  const nextText = next
    ? `Next: ${[
        renderFullMoment(next.scheduledAt, options),
        ...(options.hasSeveralProjects ? [renderProjectName(next.project)] : []),
        ...renderOthersAtSameTime(next, plan, options),
      ].join(', ')}.`
    : 'Nothing is scheduled.';
  return escapeText(
    clip([`${title}.`, nextText, ...notes.map(({ line }) => line)].join(' '), MAX_TEXT_LENGTH),
  );
}
