import { LRUCache } from 'lru-cache';
import { DateTime, IANAZone } from 'luxon';
import { limitEntries } from '../cache/cache.ts';
import { MINUTE_MS } from '../durations.ts';
import { limitText } from '../text-limits.ts';
import { formatOffsetAt, wallClockAt } from '../when/zones.ts';
import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { PLATFORMS, type Platform, type PostStatus } from './platforms.ts';
import {
  API_POST_FIELDS,
  listFurtherIdentity,
  mapPostFields,
  normalizeText,
  type PostTexts,
} from './post-fields.ts';
import { getServiceId } from './project-ids.ts';
import { getFields, type Records, readCreatedId, readRecord, readRecords } from './records.ts';

export interface OwnText {
  platforms: readonly string[];
  text: string;
}

export interface Post extends PostTexts {
  id?: string | undefined;
  scheduleDate?: Date | undefined;
  timezone?: string | undefined;
  platforms: readonly string[];
  status?: string | undefined;
  /** The texts of platforms that get another text than `content`. Only posts that Upnext has written have them. */
  ownTexts?: readonly OwnText[] | undefined;
  /** Names of the fields whose values couldn't be read. Other undefined fields are absent from the record. */
  unreadableFields?: readonly string[] | undefined;
  /** Those of them by which posts are compared, and whose texts are longer than anything that is read. */
  tooLongFields?: readonly string[] | undefined;
}

/** Finds the text of a platform that gets another text than `content`. */
export function findOwnText(
  { ownTexts = [] }: { ownTexts?: readonly OwnText[] | undefined },
  platform: string,
): string | undefined {
  return ownTexts.find(({ platforms }) => platforms.includes(platform))?.text;
}

/** Maximum number of platforms of a post. The contract has ten. */
const MAX_PLATFORMS = 100;

/**
 * Reads platforms in the contract's spelling. Services also return them in another case, as objects with a name, or as one
 * text with commas. Undefined if one of them can't be read.
 */
function readPlatforms(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') {
    const list = limitText(value, 'platformList')?.split(/[,;|]/);
    return readPlatforms(list?.filter((name) => name.trim() !== ''));
  }
  if (!Array.isArray(value) || value.length > MAX_PLATFORMS) return undefined;
  const names = value.map((entry: unknown) => {
    const name = typeof entry === 'string' ? limitText(entry, 'name') : undefined;
    return name === undefined ? readPlatformOf(entry) : toContractName(name);
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** An object may name the account, too, so only a platform of the contract counts. */
function readPlatformOf(entry: unknown): string | undefined {
  const fields = getFields(entry);
  return ['Platform', 'Type', 'Name', 'Key', 'Id']
    .map((field) => toContractName(fields?.getText('name', field) ?? ''))
    .find((name) => PLATFORMS.some((known) => known === name));
}

/** The contract writes the names of platforms and statuses in capitals. */
function toContractName(name: string): string {
  return name.trim().toUpperCase();
}

/** The fields by which a post is recognised, besides its id. */
const POST_MARKS = ['Content', 'ScheduleDate', 'Platforms'];

/** Reads a post. Undefined if `value` has none of the fields by which a post is recognised. */
export function readPost(value: unknown): Post | undefined {
  const fields = getFields(value);
  if (!fields?.has('Id', ...POST_MARKS) || fields.isTooLong('id', 'Id')) return undefined;
  const timezone = fields.getText('date', 'Timezone');
  const status = fields.getText('name', 'Status');
  const texts = mapPostFields(({ api, isId }) => {
    if (api === undefined) return undefined;
    return isId ? fields.getId(api) : fields.getText('content', api);
  });
  const scheduleDate = readDate(fields.getValue('ScheduleDate'), timezone);
  const platforms = readPlatforms(fields.getValue('Platforms'));
  const readValues: (readonly [api: string, value: unknown])[] = [
    ...API_POST_FIELDS.map(({ name, api }) => [api, texts[name]] as const),
    ['ScheduleDate', scheduleDate],
    ['Timezone', timezone],
    ['Platforms', platforms],
    ['Status', status],
  ];
  const unreadableFields = readValues
    .filter(([api, value]) => value === undefined && (fields.getValue(api) ?? '') !== '')
    .map(([api]) => api);
  const tooLongFields = API_POST_FIELDS.flatMap(({ api, isIdentity, isId }) =>
    isIdentity && fields.isTooLong(isId ? 'id' : 'content', api) ? [api] : [],
  );
  return {
    id: fields.getId('Id'),
    ...texts,
    scheduleDate,
    timezone,
    platforms: platforms ?? [],
    status: status && toContractName(status),
    ...(unreadableFields.length > 0 && { unreadableFields }),
    ...(tooLongFields.length > 0 && { tooLongFields }),
  };
}

/**
 * From here on, a number is a time in ms and not in s since the epoch: it is 1973 in ms, and the year 5138 in s. A time
 * after 2100 is in another unit.
 */
const MIN_EPOCH_MS = 1e11;
const MAX_EPOCH_MS = Date.UTC(2100, 0);

/** Reads a date of a record, which is a text or a number. See `readScheduleDate`. */
export function readDate(value: unknown, timezone: string | undefined): Date | undefined {
  if (typeof value === 'string' && value !== '') return readScheduleDate(value, timezone);
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  const ms = value < MIN_EPOCH_MS ? value * 1_000 : value;
  return ms < MAX_EPOCH_MS ? new Date(ms) : undefined;
}

const POSTS_PATH = '/api/v1/projects/{project_id}/posts';

export interface PostFilter {
  projectId: string;
  /** Number of posts to skip. Defaults to the service's default, 0. */
  skip?: number | undefined;
  /** Page size. Defaults to the service's default, 100. */
  limit?: number | undefined;
  /** Bounds of ScheduleDate. Both are inclusive. */
  scheduledFrom?: Date | undefined;
  scheduledTo?: Date | undefined;
  /** Only posts with at least one of these platforms. An empty list means all posts. Defaults to all posts. */
  platforms?: readonly string[] | undefined;
  /** Only posts with one of these statuses. An empty list means all posts. Defaults to all posts. */
  status?: readonly string[] | undefined;
}

/** List Posts. Returns one page. */
export async function listPosts(client: ApiClient, filter: PostFilter): Promise<Outcome<Records<Post>>> {
  const { skip, limit, scheduledFrom, scheduledTo, platforms = [], status = [] } = filter;
  const query = {
    ...(skip !== undefined && { skip }),
    ...(limit !== undefined && { limit }),
    ...(scheduledFrom && { schedule_date_from: scheduledFrom.toISOString() }),
    ...(scheduledTo && { schedule_date_to: scheduledTo.toISOString() }),
    ...(platforms.length > 0 && { platforms: [...platforms] }),
    ...(status.length > 0 && { status: [...status] }),
  };
  const outcome = await client.call('listPosts', (http, requestOptions) =>
    http.GET(POSTS_PATH, { ...requestOptions, params: { path: { project_id: filter.projectId }, query } }),
  );
  return mapDone(outcome, (data, meta) =>
    readRecords(data, 'Post', readPost, { ...meta, ...(skip !== undefined && { skip }) }),
  );
}

const MAX_SAME_TIME_POSTS = 20;

/** Lists up to 20 posts of a project that are scheduled for the minute of `time`. */
export async function listScheduledAt(
  client: ApiClient,
  projectId: string,
  time: Date,
): Promise<Outcome<readonly Post[]>> {
  const start = Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS;
  const [scheduledFrom, scheduledTo] = [new Date(start), new Date(start + MINUTE_MS - 1)];
  const filter = { projectId, status: ['SCHEDULED'], scheduledFrom, scheduledTo };
  const outcome = await listPosts(client, { ...filter, limit: MAX_SAME_TIME_POSTS });
  // The service may ignore parts of the filter.
  const isListed = ({ status, scheduleDate }: Post) =>
    status === 'SCHEDULED' && scheduleDate && scheduleDate >= scheduledFrom && scheduleDate <= scheduledTo;
  return mapDone(outcome, ({ items }) => items.filter(isListed));
}

export interface NewPost extends PostTexts {
  projectId: string;
  /** `zone` is an IANA name. */
  schedule?: { instant: Date; zone: string } | undefined;
  platforms: readonly Platform[];
  status: PostStatus;
}

/** Create Post. Resolves with the post's id. Throws RangeError for an invalid date, or a zone that isn't IANA's. */
export async function createPost(client: ApiClient, post: NewPost): Promise<Outcome<string | undefined>> {
  const { schedule } = post;
  const body = {
    ...Object.fromEntries(
      API_POST_FIELDS.flatMap(({ name, api }) => (post[name] === undefined ? [] : [[api, post[name]]])),
    ),
    ...(schedule && {
      ScheduleDate: writeScheduleDate(schedule.instant, schedule.zone),
      Timezone: schedule.zone,
    }),
    // Remove duplicates.
    Platforms: [...new Set(post.platforms)],
    Status: post.status,
  };
  const outcome = await client.call('createPost', (http, requestOptions) =>
    http.POST(POSTS_PATH, { ...requestOptions, params: { path: { project_id: post.projectId } }, body }),
  );
  return mapDone(outcome, (data) => readCreatedId(data, 'Post', POST_MARKS));
}

/** Cached, because Intl takes 50 µs to check a name. */
const zoneChecks = new LRUCache<string, boolean>({
  ...limitEntries(1_000),
  memoMethod: (zone) => IANAZone.isValidZone(zone),
});

/** True if `zone` is an IANA name. Intl also accepts offsets such as `+03:00`, which aren't IANA names. */
function isZoneName(zone: string): boolean {
  return /^[A-Za-z][\w+/-]{1,60}$/.test(zone) && zoneChecks.memo(zone);
}

/**
 * Formats an instant for the service: the wall time in the zone, to the second, with its UTC offset
 * (`2026-12-01T09:00:00+01:00`). Throws RangeError if `zone` isn't an IANA name or `instant` is an invalid date.
 */
export function writeScheduleDate(instant: Date, zone: string): string {
  if (!isZoneName(zone)) throw new RangeError(`Not an IANA time zone: ${zone}`);
  const instantMs = instant.getTime();
  const wallTime = new Date(wallClockAt(instantMs, zone)).toISOString().replace(/\.\d+Z$/, '');
  return `${wallTime}${formatOffsetAt(instantMs, zone).replace('UTC', '')}`;
}

/**
 * Parses the ScheduleDate of a record. A date without an offset is a wall time in `zone`, the record's Timezone.
 * Undefined if the text isn't a date, or if both offset and zone are missing.
 */
export function readScheduleDate(text: string, zone: string | undefined): Date | undefined {
  // Python writes a space where ISO 8601 has a T.
  const iso = limitText(text, 'date')?.trim().replace(' ', 'T');
  if (iso === undefined) return undefined;
  const hasOffset = /(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(iso.split('T')[1] ?? '');
  if (!hasOffset && (zone === undefined || !isZoneName(zone))) return undefined;
  const moment = DateTime.fromISO(iso, { zone: hasOffset || zone === undefined ? 'utc' : zone });
  return moment.isValid ? moment.toJSDate() : undefined;
}

/**
 * Computes the fingerprint of a post. Two posts have the same fingerprint if their project, identity fields, platforms,
 * minute and draft status are the same. Rows store hashes of fingerprints, so the format must not change.
 */
export function computePostFingerprint(
  projectId: string,
  post: PostTexts & Pick<Post, 'platforms' | 'scheduleDate' | 'tooLongFields'>,
  isDraft: boolean,
): string {
  // The service may round dates to the minute.
  const minute = post.scheduleDate && Math.floor(post.scheduleDate.getTime() / MINUTE_MS);
  return JSON.stringify([
    // The same for all workspaces that use the service.
    getServiceId(projectId),
    normalizeText(post.content),
    normalizeText(post.media),
    [...new Set(post.platforms)].sort(),
    minute ?? null,
    isDraft,
    ...listFurtherIdentity(post),
    // A post without a text isn't one whose text is too long to be read. Other unreadable values, such as an empty list
    // of media, mean that there is none.
    ...(post.tooLongFields ? [post.tooLongFields] : []),
  ]);
}

/** Returns the same text for the same set of platforms. */
export function normalizePlatforms(platforms: readonly string[]): string {
  return JSON.stringify([...new Set(platforms)].sort());
}

/**
 * Get Upnext Post. `post` is the next post to be published. It is undefined if there is no next post, or if it is
 * unreadable. `isReadable` is false if the returned post couldn't be read.
 */
export async function getUpnextPost(
  client: ApiClient,
  projectId: string,
): Promise<Outcome<{ post: Post | undefined; isReadable: boolean }>> {
  const path = { project_id: projectId };
  const outcome = await client.call('getUpnextPost', (http, requestOptions) =>
    http.GET('/api/v1/projects/{project_id}/dashboard/upnext-post', { ...requestOptions, params: { path } }),
  );
  return mapDone(outcome, (data) => {
    const { record, isReadable } = readRecord(data, 'Post', readPost);
    return { post: record, isReadable };
  });
}
