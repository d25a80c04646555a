import { createHash } from 'node:crypto';
import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderExcerpt, toExcerpt } from '../../posts/post-text.ts';
import type { Answer } from '../answer.ts';
import { listProjects } from '../projects.ts';
import { type PlanPost, readPlan } from '../read-plan.ts';
import type { PageRequest } from '../request.ts';
import type { Tone } from '../state.ts';
import type { Feed } from './feed-cache.ts';

/** A post is an event of this length, so that calendars show its text. */
const EVENT_MS = 15 * MINUTE_MS;
/** The posts of a feed: those that calendars show, and that a service lists in a few pages. */
const [DAYS_BACK, DAYS_AHEAD] = [31, 92];
/** How long a cancelled post is in a feed, so that every calendar learns of it. */
const CANCELLED_MS = 30 * DAY_MS;
const MAX_PROJECTS = 20;
const MAX_TITLE_LENGTH = 70;
/** Longer texts are on the post's page. */
const MAX_TEXT_LENGTH = 2_000;

/** Answers a calendar with the posts of all projects that the link's person may see. */
export async function answerFeed(request: PageRequest): Promise<Answer | undefined> {
  const { look, link, address, feeds, headers } = request;
  const known = await listProjects(look);
  // A calendar deletes what is missing. So a feed that may lack something isn't sent, and the calendar keeps what it has.
  if (!known?.isComplete) return { status: 503, body: '', headers: { 'retry-after': '600' } };
  const projects = known.projects.slice(0, MAX_PROJECTS);
  const key = JSON.stringify([link.id, address, projects.map(({ id }) => id)]);
  let feed = feeds.get(key);
  if (!feed) {
    const now = look.now();
    const today = Math.floor(now.getTime() / DAY_MS);
    const range = {
      from: new Date((today - DAYS_BACK) * DAY_MS),
      to: new Date((today + DAYS_AHEAD) * DAY_MS),
    };
    const plan = await readPlan(look, projects, range, { deliveredSince: 'ever' });
    if (plan.unread.length > 0) return { status: 503, body: '', headers: { 'retry-after': '600' } };
    const isRecent = ({ changedAt = now }: PlanPost) => now.getTime() - changedAt.getTime() < CANCELLED_MS;
    const posts = plan.posts.filter((planned) => planned.state.tone !== 'cancelled' || isRecent(planned));
    feed = renderFeed(posts, { address, createdAt: link.created_at, hasProjects: projects.length > 1 });
    feeds.set(key, feed);
  }
  const validators = { etag: feed.etag, 'cache-control': 'private, no-cache' };
  if (headers['if-none-match'] === feed.etag) return { status: 304, body: '', headers: validators };
  return { status: 200, body: feed.body, type: 'text/calendar; charset=utf-8', headers: validators };
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
  { address, createdAt, hasProjects }: { address: string; createdAt: Date; hasProjects: boolean },
): Feed {
  const { host } = new URL(address);
  const calendar = ical({
    name: 'Upnext',
    prodId: '//Upnext//Posts//EN',
    method: ICalCalendarMethod.PUBLISH,
    ttl: HOUR_MS / 1000,
  });
  const seen = new Set<string>();
  for (const planned of posts) {
    const { key, at, post, project, state, changedAt = createdAt, heldId } = planned;
    const title = `${state.name}: ${toExcerpt(renderExcerpt(post), MAX_TITLE_LENGTH)}`;
    // The library escapes every text but the UID.
    const name = JSON.stringify(heldId ?? [project.id, post.id ?? at.getTime()]);
    const id = createHash('sha256').update(name).digest('hex').slice(0, 32);
    if (seen.has(id)) continue;
    seen.add(id);
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
