import type { Button, KnownBlock, Overflow } from '@slack/types';
import { DateTime } from 'luxon';
import type { Post } from '../../../api/posts.ts';
import type { Project } from '../../../api/projects.ts';
import type { Reader } from '../../../forms/form-context.ts';
import { storePostCopies, toPostCopy } from '../../../forms/post-copies.ts';
import type { Call } from '../../../handlers/call.ts';
import { listMenuButtons } from '../../../held-posts/text/held-post-buttons.ts';
import { renderPostRow } from '../../../posts/post-card.ts';
import { hasStatus, readPublicationStatus } from '../../../posts/post-status.ts';
import { renderExcerpt } from '../../../posts/post-text.ts';
import { comparePosts, renderPostTime } from '../../../posts/post-time.ts';
import { HELD, PUBLICATION } from '../../../posts/state-copy.ts';
import { within } from '../../../promises.ts';
import { addAccessibilityLabel, buildButtonMenu, button } from '../../../slack/blocks.ts';
import { UNSENT_STATUSES } from '../../../submissions/unsent-posts.ts';
import { formatMomentDay } from '../../../when/format-moment.ts';
import { isWholeWeek, MATCH_ALL, type PostFilter } from '../post-filter.ts';
import type { FoundPosts, ListedPost } from './read-list.ts';

/** The action id of [Open] on a row. The button's value is the opaque id of the stored post. */
export const OPEN_ACTION = 'list-posts.row';

export interface Row extends ListedPost {
  /** The opaque id of the stored post. */
  copyId: string;
  /** The text of the post's template, or else its name. Absent if the post has its own text. */
  templateText?: string | undefined;
}

/**
 * Renders a post under the heading of its day, with [Open]. In a week, a post that can be edited has a menu instead. Posts
 * in the outbox have their buttons there.
 */
export function renderRow(row: Row, filter: PostFilter, viewer: ListViewer): KnownBlock {
  const { day, status } = getGroup(row.post, filter, viewer);
  const [onlyStatus] = filter.statuses.length === 1 ? filter.statuses : [];
  return renderPostRow({
    ...toShownPost(row, viewer),
    heading: { day, status: onlyStatus ?? status },
    ...(!row.isUnsent && { accessory: renderAccessory(row, filter) }),
  });
}

function renderAccessory(row: Row, filter: PostFilter): Button | Overflow {
  const open = button('Open', OPEN_ACTION, row.copyId);
  const others = isWholeWeek(filter) && row.held ? listMenuButtons(row.held) : [];
  if (others.length > 0) return buildButtonMenu(OPEN_ACTION, [open, ...others]);
  return addAccessibilityLabel(open, `Open: ${renderExcerpt(row.post, row.templateText)}`);
}

export function toShownPost(
  { post, author, duplicate, templateText, held, facts }: Omit<Row, 'copyId'>,
  viewer: ListViewer,
) {
  return {
    post,
    now: viewer.now,
    viewers: { zone: viewer.knownZone, locale: viewer.locale },
    author: author === undefined ? undefined : { id: author },
    facts: held?.facts ?? facts,
    statusNotes: duplicate ? [renderDuplicate(duplicate, viewer)] : [],
    templateText,
  };
}

/** Renders a row as plain text, for notifications and screen readers. */
export function renderRowText({ post, templateText }: Row, viewer: ListViewer): string {
  const { scheduleDate: instant, timezone: zone } = post;
  const time =
    instant &&
    renderPostTime({ instant, zone }, { zone: viewer.knownZone, locale: viewer.locale }, viewer.now);
  return `${time?.plain ?? getGroup(post, MATCH_ALL, viewer).title}: ${renderExcerpt(post, templateText)}`;
}

/** Renders the duplicate of a draft: "scheduled as Tue 1 Dec, 09:00 (Berlin)", or "copied as another draft". */
function renderDuplicate(
  { scheduledAt: instant, zone }: NonNullable<ListedPost['duplicate']>,
  { now, knownZone, locale }: ListViewer,
): string {
  if (instant === undefined) return 'copied as another draft';
  return `scheduled as ${renderPostTime({ instant, zone }, { zone: knownZone, locale }, now).plain}`;
}

/** Creates rows. Stores a copy of each post, so that [Open] needs no request to the service. */
export async function createRows(
  call: Call,
  project: Project,
  listedPosts: readonly ListedPost[],
): Promise<readonly Row[]> {
  const templateTexts = await findTemplateTexts(call, project, listedPosts);
  const posts = listedPosts.map((listedPost) => ({
    ...listedPost,
    templateText: templateTexts.get(listedPost.post.templateId ?? ''),
  }));
  const copyIds = await storePostCopies(
    call,
    posts.map((post) => toPostCopy(project, post)),
  );
  return posts.map((post, index) => ({ ...post, copyId: copyIds[index] ?? '' }));
}

/** How long a list waits for the templates. After that, it shows no text for posts from a template. */
const TEMPLATES_TIMEOUT_MS = 1_500;

async function findTemplateTexts(
  { context: { reads, api } }: Call,
  project: Project,
  listedPosts: readonly ListedPost[],
): Promise<ReadonlyMap<string, string>> {
  const needsTemplate = ({ post }: ListedPost) => post.templateId !== undefined && !post.content?.trim();
  if (!listedPosts.some(needsTemplate)) return new Map();
  const outcome = await within(TEMPLATES_TIMEOUT_MS, reads.listTemplates(api, project.id));
  const templates = outcome?.kind === 'done' ? outcome.data.items : [];
  return new Map(templates.map(({ id, name, content }) => [id, content ?? name]));
}

/** The person who reads a list. `zone` is the zone of the days by which the list is grouped. */
export type ListViewer = Pick<Reader, 'user' | 'now' | 'zone' | 'knownZone' | 'locale'>;

export function hasDateRange({ from, to }: PostFilter): boolean {
  return from !== undefined || to !== undefined;
}

/**
 * Sorts the posts of a list. If the filter has a date range, posts are in chronological order. All other lists begin
 * with the upcoming posts, soonest first, followed by the other groups, latest first. Posts without a date come last.
 */
export function sortPosts(
  { dated, undated }: FoundPosts,
  filter: PostFilter,
  viewer: Pick<ListViewer, 'now' | 'zone'>,
): readonly ListedPost[] {
  if (hasDateRange(filter))
    return [...dated.toSorted((one, other) => comparePosts(one.post, other.post)), ...undated];
  const groups = Object.groupBy(dated, ({ post }) => getGroup(post, filter, viewer).title);
  const sortGroup = (title: string, direction: 1 | -1) =>
    (groups[title] ?? []).toSorted((one, other) => direction * comparePosts(one.post, other.post));
  return [
    ...sortGroup(UPCOMING, 1),
    ...sortGroup(NOT_PUBLISHED, -1),
    ...sortGroup(UNCLEAR, -1),
    ...sortGroup(PUBLISHED, -1),
    ...sortGroup(CANCELLED, -1),
    ...sortGroup(UNREADABLE_DATE, 1),
    ...undated,
  ];
}

/** Whether a post of a list of this week was due before today. */
export function isEarlierThisWeek(
  { scheduleDate }: Post,
  filter: PostFilter,
  { now, zone }: Pick<ListViewer, 'now' | 'zone'>,
): boolean {
  const { from, to } = filter;
  if (!scheduleDate || !from || !to || !isWholeWeek(filter) || now < from || now > to) return false;
  return (
    scheduleDate <
    DateTime.fromJSDate(now, { zone: filter.zone ?? zone })
      .startOf('day')
      .toJSDate()
  );
}

/** Begins the list of this week with today, because its days are read for what is to come. */
export function beginWithToday(
  posts: readonly ListedPost[],
  filter: PostFilter,
  viewer: Pick<ListViewer, 'now' | 'zone'>,
): readonly ListedPost[] {
  const isEarlier = ({ post }: ListedPost) => isEarlierThisWeek(post, filter, viewer);
  const dated = posts.filter(({ post }) => post.scheduleDate);
  return [
    ...dated.filter((post) => !isEarlier(post)),
    ...dated.filter(isEarlier),
    ...posts.filter(({ post }) => !post.scheduleDate),
  ];
}

const UPCOMING = 'Upcoming';
const NOT_PUBLISHED = 'Not published yet';
/** Past posts whose status doesn't say whether they were published. */
const UNCLEAR = 'Past';
const PUBLISHED = PUBLICATION.published.name;
const CANCELLED = HELD.cancelled.name;
const UNREADABLE_DATE = 'With an unreadable date';

/**
 * Returns the group of a post. If the filter has a date range, each day is a group. `day` and `status`: the title names
 * them, so the rows below it omit them.
 */
export function getGroup(
  post: Post,
  filter: PostFilter,
  { now, zone, locale }: Pick<ListViewer, 'now' | 'zone' | 'locale'>,
): { title: string; day?: string; status?: string } {
  const { scheduleDate, status, unreadableFields = [] } = post;
  if (!scheduleDate) {
    if (unreadableFields.includes('ScheduleDate')) return { title: UNREADABLE_DATE, day: '' };
    return hasStatus(post, 'DRAFT')
      ? { title: 'Drafts without a date', day: '', status: 'DRAFT' }
      : { title: 'Without a date', day: '' };
  }
  if (hasDateRange(filter)) {
    const day = formatMomentDay({ instant: scheduleDate, zone }, { now, locale });
    return { title: day, day };
  }
  if (hasStatus(post, 'PUBLISHED')) return { title: PUBLISHED, status: 'PUBLISHED' };
  if (hasStatus(post, 'CANCELLED')) return { title: CANCELLED, status: 'CANCELLED' };
  const isUpcoming = scheduleDate >= now && !UNSENT_STATUSES.some((unsent) => unsent === status);
  if (isUpcoming) return { title: UPCOMING, status: 'SCHEDULED' };
  return { title: readPublicationStatus(status) === 'unclear' ? UNCLEAR : NOT_PUBLISHED };
}
