import { createHash } from 'node:crypto';
import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import type { Project } from '../../api/projects.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderExcerpt, toExcerpt } from '../../posts/post-text.ts';
import { renderCount } from '../../words.ts';
import { type Answer, hasVersion } from '../answer.ts';
import type { PageLook } from '../look.ts';
import { listProjects, MAX_READ_PROJECTS } from '../projects.ts';
import { isWhole, type PlanPost, readPlan } from '../read-plan.ts';
import type { PageRequest } from '../request.ts';
import type { Tone } from '../state.ts';
import type { Feed } from './feed-cache.ts';

/** A post is an event of this length, so that calendars show its text. */
const EVENT_MS = 15 * MINUTE_MS;
/**
 * The days of a feed: those that calendars show, and that a service lists in a few pages. With more posts than can be
 * read, they are the next ones that can.
 */
const RANGES = [
  { daysBack: 31, daysAhead: 92 },
  { daysBack: 7, daysAhead: 62 },
  { daysBack: 1, daysAhead: 31 },
] as const;
/** How long a cancelled post is in a feed, so that every calendar learns of it. */
const CANCELLED_MS = 30 * DAY_MS;
/** Left-out projects that the description of a calendar names. */
const MAX_NAMED_PROJECTS = 10;
const MAX_TITLE_LENGTH = 70;
/** Longer texts are on the post's page. */
const MAX_TEXT_LENGTH = 2_000;

/** A calendar that gets no feed keeps the events that it has. */
const LATER: Answer = { status: 503, body: '', headers: { 'retry-after': '600' } };

/** Answers a calendar with the posts of all projects that the link's person may see. */
export async function answerFeed(request: PageRequest): Promise<Answer | undefined> {
  const { look, link, address, feeds, headers } = request;
  const known = await listProjects(look);
  // A calendar deletes what is missing. So a feed that may lack something isn't sent, and the calendar keeps what it has.
  if (!known?.isComplete) return LATER;
  // In an order that stays, so that it's always the same ones that are left out.
  const sorted = known.projects.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const [projects, leftOut] = [sorted.slice(0, MAX_READ_PROJECTS), sorted.slice(MAX_READ_PROJECTS)];
  const key = JSON.stringify([link.id, address, sorted.map(({ id, name }) => [id, name])]);
  let feed = feeds.get(key);
  if (!feed) {
    const now = look.now();
    const found = await readWhole(look, projects, now);
    if (!found) return LATER;
    const isRecent = ({ changedAt = now }: PlanPost) => now.getTime() - changedAt.getTime() < CANCELLED_MS;
    const posts = found.posts.filter((planned) => planned.state.tone !== 'cancelled' || isRecent(planned));
    const { daysBack, daysAhead } = found;
    feed = renderFeed(posts, {
      ...{ address, createdAt: link.created_at, hasProjects: projects.length > 1 },
      description: renderDescription({ daysBack, daysAhead, leftOut: leftOut.map(({ name }) => name) }),
    });
    feeds.set(key, feed);
  }
  const validators = { etag: feed.etag, 'cache-control': 'private, no-cache' };
  if (hasVersion(headers['if-none-match'], feed.etag)) return { status: 304, body: '', headers: validators };
  return { status: 200, body: feed.body, type: 'text/calendar; charset=utf-8', headers: validators };
}

/** Reads all posts of the longest range of which all can be read. Undefined if there is none. */
async function readWhole(look: PageLook, projects: readonly Project[], now: Date) {
  const today = Math.floor(now.getTime() / DAY_MS);
  for (const { daysBack, daysAhead } of RANGES) {
    const range = {
      from: new Date((today - daysBack) * DAY_MS),
      to: new Date((today + daysAhead) * DAY_MS),
    };
    const plan = await readPlan(look, projects, range, { deliveredSince: 'ever' });
    if (isWhole(plan)) return { posts: plan.posts, daysBack, daysAhead };
    if (!plan.isTruncated) return undefined;
  }
  return undefined;
}

function renderDescription({
  daysBack,
  daysAhead,
  leftOut,
}: {
  daysBack: number;
  daysAhead: number;
  leftOut: readonly string[];
}): string {
  const range = `Posts of the last ${renderCount(daysBack, 'day')} and the next ${daysAhead}.`;
  if (leftOut.length === 0) return range;
  const rest = leftOut.length - MAX_NAMED_PROJECTS;
  const names = [...leftOut.slice(0, MAX_NAMED_PROJECTS), ...(rest > 0 ? [`${rest} more`] : [])];
  return `${range} Without these projects: ${names.join(', ')}.`;
}

const STATUSES: Readonly<Record<Tone, ICalEventStatus>> = {
  draft: ICalEventStatus.TENTATIVE,
  review: ICalEventStatus.TENTATIVE,
  changes: ICalEventStatus.TENTATIVE,
  problem: ICalEventStatus.TENTATIVE,
  editable: ICalEventStatus.CONFIRMED,
  pending: ICalEventStatus.CONFIRMED,
  scheduled: ICalEventStatus.CONFIRMED,
  published: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
};

/** Removes what no calendar may contain: control characters, and halves of characters. Line breaks become LF. */
function toCalendarText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ');
}

/** Sequence numbers begin here, s since 1970, because calendars store them in 32 bits. */
const FIRST_SEQUENCE = 1_700_000_000;

/**
 * Renders posts as a calendar. Times are UTC, so that it needs no VTIMEZONE. A stamp is when the post was changed and not
 * now: the same posts make the same bytes, and so the same ETag. `createdAt`: the stamp of posts of the service, which
 * says of none when it was changed.
 */
export function renderFeed(
  posts: readonly PlanPost[],
  {
    address,
    createdAt,
    hasProjects,
    description,
  }: { address: string; createdAt: Date; hasProjects: boolean; description: string },
): Feed {
  const { host } = new URL(address);
  const calendar = ical({
    name: 'Upnext',
    // The library escapes no description of a calendar.
    description: toCalendarText(description)
      .replace(/\s+/g, ' ')
      .replace(/[\\;,]/g, '\\$&'),
    prodId: '//Upnext//Posts//EN',
    method: ICalCalendarMethod.PUBLISH,
    ttl: HOUR_MS / 1000,
  });
  const counts = new Map<string, number>();
  const ofHeld = Map.groupBy(posts, ({ heldId }) => heldId);
  for (const planned of posts) {
    const { key, at, post, project, state, changedAt = createdAt, heldId } = planned;
    const title = `${state.name}: ${toExcerpt(renderExcerpt(post), MAX_TITLE_LENGTH)}`;
    // Parts of a post that became different are events of their own. Joined ones keep the UID of the whole post.
    const isApart = heldId !== undefined && (ofHeld.get(heldId)?.length ?? 0) > 1;
    const whole = heldId ?? [project.id, post.id ?? at.getTime()];
    const named = JSON.stringify(isApart ? [whole, post.platforms] : whole);
    const count = counts.get(named) ?? 0;
    counts.set(named, count + 1);
    // The library escapes every text but the UID.
    const id = createHash('sha256')
      .update(count === 0 ? named : `${named} ${count}`)
      .digest('hex')
      .slice(0, 32);
    const lines = [
      `${project.name} · ${renderPlatformNames(post.platforms)}`,
      (post.content ?? '').slice(0, MAX_TEXT_LENGTH),
    ];
    calendar.createEvent({
      id: `${id}@${host}`,
      start: at,
      end: new Date(at.getTime() + EVENT_MS),
      stamp: changedAt,
      lastModified: changedAt,
      sequence: Math.max(0, Math.floor(changedAt.getTime() / 1000) - FIRST_SEQUENCE),
      summary: toCalendarText(hasProjects ? `${project.name}: ${title}` : title),
      description: toCalendarText(lines.join('\n\n')),
      status: STATUSES[state.tone],
      transparency: ICalEventTransparency.TRANSPARENT,
      ...(key !== undefined && { url: address + key }),
    });
  }
  const body = calendar.toString();
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, etag: `"${hash}"` };
}
