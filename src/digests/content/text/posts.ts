import type { KnownBlock } from '@slack/types';
import { countAtSameTime, renderSameTimeNote } from '../../../posts/post-order.ts';
import { readPublicationStatus } from '../../../posts/post-status.ts';
import { section } from '../../../slack/blocks.ts';
import type { Digest } from '../../digest.ts';
import { getLocalDate, renderDay } from '../days.ts';
import type { Findings } from '../findings.ts';
import { getStatus, isUpcoming, type Plan, type PlannedPost } from '../plan.ts';
import type { Section } from '../sections.ts';
import {
  formatCount,
  type RenderOptions,
  renderDayAndTime,
  renderDayHeading,
  renderPostLine,
  renderPostRow,
} from './lines.ts';
import { renderScheduleButton } from './notes.ts';
import { buildDetail, type Detail } from './thread.ts';

/** The input for rendering the posts of a digest. */
export interface PostContent {
  digest: Pick<Digest, 'kind' | 'zone'>;
  plan: Plan;
  findings: Findings;
  sections: readonly Section[];
}

/** Maximum number of posts in the message itself. The thread contains the full list. */
const MAX_ROWS = 5;

interface PostBlocks {
  blocks: KnownBlock[];
  details: Detail[];
}

/** Renders the next post, unless it is among the posts ahead, and the posts ahead. */
export function renderPosts(content: PostContent, options: RenderOptions): PostBlocks {
  const { findings, sections, digest, plan } = content;
  const { next, periodPosts } = findings;
  const isDaily = digest.kind === 'daily';
  const includesNext = sections.includes('next');
  const isNextListed =
    isDaily && sections.includes('ahead') && next !== undefined && periodPosts.includes(next);
  const nextBlocks = includesNext && !isNextListed ? renderNextPost(next, plan, options) : [];
  // Without posts ahead, the time of the next post already shows that nothing comes earlier.
  const showsList = sections.includes('ahead') && !(isDaily && periodPosts.length === 0 && includesNext);
  if (!showsList) return { blocks: nextBlocks, details: [] };
  const list = isDaily ? renderDays(findings, options) : renderWeek(findings, options);
  return { ...list, blocks: [...nextBlocks, ...list.blocks] };
}

function renderNextPost(next: PlannedPost | undefined, plan: Plan, options: RenderOptions): KnownBlock[] {
  if (!next) {
    const accessory = renderScheduleButton(plan);
    return [{ ...section('Nothing is scheduled.'), accessory }];
  }
  const notes = renderOthersAtSameTime(next, plan, options);
  return [renderPostRow(next, options, { heading: 'Next: ', format: 'day and time', notes })];
}

/** Renders "+1 at the same time" if the next post isn't the only one. */
export function renderOthersAtSameTime(next: PlannedPost, { posts }: Plan, { now }: RenderOptions): string[] {
  const upcomingPosts = posts.filter((planned) => isUpcoming(planned, now)).map(({ post }) => post);
  return renderSameTimeNote(countAtSameTime(next.post, upcomingPosts));
}

/** Renders the posts of a daily digest below their days, so that no line repeats its date. */
function renderDays({ periodPosts, next, end }: Findings, options: RenderOptions): PostBlocks {
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
function renderWeek({ periodPosts, overdue }: Findings, options: RenderOptions): PostBlocks {
  const publishedCount = periodPosts.filter((planned) => getStatus(planned) === 'PUBLISHED').length;
  const overdueCount = periodPosts.filter((planned) => overdue.includes(planned)).length;
  const countToGo = periodPosts.filter((planned) => {
    const status = readPublicationStatus(getStatus(planned));
    const isToGo = status === 'unpublished' || (status === 'unclear' && planned.scheduledAt > options.now);
    return isToGo && !overdue.includes(planned);
  }).length;
  const counts = [
    ...(countToGo > 0 ? [`${formatCount(countToGo, '1 post', 'posts')} to go`] : []),
    ...(publishedCount > 0 ? [`${publishedCount.toLocaleString('en-GB')} published`] : []),
    ...(overdueCount > 0 ? [`${overdueCount.toLocaleString('en-GB')} overdue`] : []),
  ];
  const text = counts.length === 0 ? 'No posts this week.' : `${counts.join(', ')}.`;
  return { blocks: [section(text)], details: buildDayDetails(periodPosts, options) };
}

function groupByDay(posts: readonly PlannedPost[], { zone }: RenderOptions) {
  return Map.groupBy(posts, ({ scheduledAt }) => getLocalDate(scheduledAt, zone));
}

function buildDayDetails(posts: readonly PlannedPost[], options: RenderOptions): Detail[] {
  return [...groupByDay(posts, options)].map(([date, dayPosts]) =>
    buildDetail(renderDay(date), dayPosts, (planned) => renderPostLine(planned, options, 'time')),
  );
}
