import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import { BUDGETS, createBudget } from '../budget.ts';
import type { BucketSettings } from '../config/config.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts';
import { createScans } from '../engine/scans.ts';
import type { MediaFacts } from '../posts/media-reference.ts';
import type { Log } from '../slack/log.ts';
import { openSlackFile, type SlackFileFailure, UnreadableSlackFile } from '../slack/slack-file.ts';
import { createSlots } from '../slots.ts';
import { isDiskFull } from '../store/database-unavailable.ts';
import type { StrangerQueries } from '../stranger-queries.ts';
import { type Bucket, createBucket } from './bucket.ts';
import { DAMAGED, TRUNCATED, UnusableMedia } from './byte-input.ts';
import { createDoor, MEDIA_PATH } from './door.ts';
import {
  BYTES_PER_FREEING,
  beginFile,
  buildFileName,
  deleteFile,
  findFile,
  findSlackFile,
  findUnknownTokens,
  freeRoom,
  hasRoom,
  keepFile,
  listExpiredFiles,
  MAX_DELETED_FILES,
  type MediaTables,
  readBytes,
  type StoredMedia,
  TOKEN,
} from './media-store.ts';
import { MAX_MEDIA_BYTES, readMedia, renderTooLarge } from './read-media.ts';

/** How long a file stays after its post's time, because a service may fetch it late or again. */
export const KEPT_AFTER_POST_DAYS = 7;
/** How long the file of a draft at the service stays, whose time isn't known. */
const KEPT_FOR_DRAFT_DAYS = 90;
/** How long a file stays that no post uses. An unfinished form is offered for a day. */
const KEPT_UNUSED_MS = 2 * DAY_MS;
/** A file that ends within this time may not be offered for another post. */
const MIN_LEFT_MS = DAY_MS;

/**
 * Files that are stored at the same time: by this instance, and of one workspace, so that others needn't wait for it.
 * More would take memory and no less time, because the database stores one chunk after the other.
 */
const STORED_AT_ONCE = { maxSlots: 4, maxSlotsPerKey: 2 };

const SCAN_INTERVAL_MS = HOUR_MS;
/** How long a failure is remembered, so that several requests of a form read a file once. */
const FAILURE_MEMORY_MS = 3_000;

interface PostFile {
  address: string;
  facts: MediaFacts;
}

interface MediaOptions {
  db: Kysely<MediaTables>;
  encryption: Encryption;
  log: Log;
  now(): Date;
  /** The address under which everybody reaches this app. Without it and a bucket, no file is taken from Slack. */
  publicUrl?: string | undefined;
  /** Where files are stored. Defaults to the database, from which this app serves them. */
  bucket?: BucketSettings | undefined;
  /** Called for each call of the bucket that has failed, after it was logged. */
  onBucketFailure?: (() => void) | undefined;
  /**
   * Lists the media of the posts that Upnext keeps, with their times. Undefined for a post without a time. 'unknown': a
   * stored post can't be read, and may use any file of the workspace.
   */
  listUses(workspace: string): Promise<ReadonlyMap<string, Date | undefined> | 'unknown'>;
  /** Runs the queries of strangers' requests for files. */
  queryForStranger?: StrangerQueries | undefined;
  /** Defaults to an hour. */
  scanIntervalMs?: number | undefined;
}

/** Files from Slack that posts refer to: taken, served and deleted. */
export type Media = ReturnType<typeof createMedia>;

const FULL = 'The storage for files is full. Ask whoever runs Upnext, or use a link.';

/** Creates the capability. Every instance serves and deletes all files. */
export function createMedia(options: MediaOptions) {
  const { log, now, publicUrl, scanIntervalMs = SCAN_INTERVAL_MS } = options;
  const bucket =
    options.bucket &&
    createBucket(options.bucket, (error) => {
      log.error({ err: error }, 'a call of the bucket failed');
      options.onBucketFailure?.();
    });
  const pending = new Map<string, Promise<PostFile>>();
  const createSlot = createSlots(STORED_AT_ONCE);
  const scans = createScans(now, async () => {
    let isUnfinished = false;
    try {
      isUnfinished = await deleteUnusedFiles(options);
      if (bucket) await deleteForgottenObjects(options, bucket);
    } catch (error) {
      log.error({ err: error }, 'scan for unused media failed');
    }
    return new Date(now().getTime() + (isUnfinished ? MINUTE_MS : scanIntervalMs));
  });
  const door = publicUrl === undefined ? undefined : `${publicUrl.replace(/\/$/, '')}${MEDIA_PATH}`;
  const base = bucket?.base ?? door;
  const toPostFile = (file: StoredMedia): PostFile => ({
    address: `${base ?? ''}${buildFileName(file)}`,
    facts: file.facts,
  });
  const findByAddress = async (workspace: string, address: string) => {
    const token = parseToken(address);
    return token === undefined ? undefined : findFile(options, token, workspace);
  };
  const isOwnAddress = (address: string) =>
    parseToken(address) !== undefined &&
    [door, bucket?.base].some((own) => own !== undefined && address.startsWith(own));
  return {
    takesFiles: base !== undefined,
    /** Takes a file from Slack, once. Equal files have one address. Throws UnusableMedia. */
    async take(request: TakeRequest, slackFile: string): Promise<PostFile> {
      const key = `${request.workspace} ${slackFile}`;
      const running = pending.get(key);
      if (running) return running;
      const taking = takeFile(options, { bucket, createSlot }, request, slackFile).then(toPostFile);
      pending.set(key, taking);
      taking.then(
        () => pending.delete(key),
        () => delay(FAILURE_MEMORY_MS, undefined, { ref: false }).then(() => pending.delete(key)),
      );
      return taking;
    },
    /** Finds out about an address. Undefined if it isn't one of a file that was taken. `gone`: the file was deleted. */
    async find(workspace: string, address: string): Promise<PostFile | 'gone' | undefined> {
      const file = await findByAddress(workspace, address);
      if (file) return { address, facts: file.facts };
      return isOwnAddress(address) ? 'gone' : undefined;
    },
    /**
     * Keeps a post's file until some days after its time, or as long as a draft's, but `maxMs` at most. `gone`: it was
     * deleted.
     */
    async keep(
      workspace: string,
      address: string,
      publishAt: Date | undefined,
      maxMs = Infinity,
    ): Promise<'gone' | undefined> {
      const file = await findByAddress(workspace, address);
      const until = Math.min(computeKeptUntil(publishAt, now()).getTime(), now().getTime() + maxMs);
      const isKept = file && (await keepFile(options, file.id, new Date(until)));
      return !isKept && isOwnAddress(address) ? 'gone' : undefined;
    },
    ...(door !== undefined && {
      serve: createDoor({
        find: (token) => findFile(options, token),
        read: (file, range) => readBytes(options, file, range),
        queryForStranger: options.queryForStranger,
        log,
      }),
    }),
    start: () => scans.start(),
    stop: () => scans.stop(),
  };
}

function computeKeptUntil(publishAt: Date | undefined, now: Date): Date {
  const days = publishAt ? KEPT_AFTER_POST_DAYS : KEPT_FOR_DRAFT_DAYS;
  return new Date((publishAt ?? now).getTime() + days * DAY_MS);
}

/** The unguessable part of an address. Undefined if the address can't be one of a file that was taken. */
function parseToken(address: string): string | undefined {
  const name = /^https?:/i.test(address) ? (URL.parse(address)?.pathname.split('/').at(-1) ?? '') : '';
  const [token = '', extension] = name.split('.');
  return extension !== undefined && TOKEN.test(token) ? token : undefined;
}

interface TakeRequest {
  workspace: string;
  client: WebClient;
  /** The file, if it was found in Slack already. Each search is a call that Slack limits. */
  opened?: Awaited<ReturnType<typeof openMediaFile>>;
}

async function takeFile(
  options: MediaOptions,
  { bucket, createSlot }: { bucket: Bucket | undefined; createSlot: ReturnType<typeof createSlots> },
  request: TakeRequest,
  slackFile: string,
): Promise<StoredMedia> {
  const { workspace } = request;
  const after = new Date(options.now().getTime() + MIN_LEFT_MS);
  const known = await findSlackFile(options, { workspace, slackFile, after });
  if (known) return known;
  const slot = createSlot(workspace);
  try {
    await slot.acquire();
    return await storeFile(options, bucket, request, slackFile);
  } catch (error) {
    if (error instanceof UnusableMedia) throw error;
    options.log.error({ err: error, workspace }, 'could not store a file');
    throw isDiskFull(error) ? new UnusableMedia(FULL, error) : error;
  } finally {
    slot.release();
  }
}

async function storeFile(
  options: MediaOptions,
  bucket: Bucket | undefined,
  { workspace, client, opened }: TakeRequest,
  slackFile: string,
): Promise<StoredMedia> {
  if (!(await hasRoom(options, workspace))) throw new UnusableMedia(FULL);
  const now = options.now();
  const writer = await beginFile(options, { workspace, slackFile, store: bucket?.base ?? '', now });
  const download = downloadSlackFile(client, slackFile, opened);
  try {
    const facts = await readMedia(download, writer.write, createBudget(BUDGETS.media));
    const move = bucket && ((file: StoredMedia) => moveToBucket(options, bucket, file));
    return await writer.complete(facts, new Date(now.getTime() + KEPT_UNUSED_MS), move);
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    // Ends the download of a file that was refused before its end.
    await download.return(undefined);
  }
}

function moveToBucket(options: MediaOptions, bucket: Bucket, file: StoredMedia): Promise<void> {
  const { bytes } = file.facts;
  return bucket.put(buildFileName(file), file.facts, readBytes(options, file, { start: 0, end: bytes }));
}

/** An object that was stored within this time may belong to a file that isn't complete. */
const MIN_OBJECT_AGE_MS = HOUR_MS;

/**
 * Deletes the objects whose files were deleted: when their time was over, with their workspace, or because an instance
 * ended. Other objects in the bucket, whose names aren't those of files, stay.
 */
export async function deleteForgottenObjects(options: MediaOptions, bucket: Bucket): Promise<void> {
  const oldest = options.now().getTime() - MIN_OBJECT_AGE_MS;
  for await (const page of bucket.list()) {
    const old = page.filter(({ storedAt }) => storedAt.getTime() < oldest);
    const names = new Map(old.map(({ name }) => [parseToken(bucket.base + name) ?? '', name]));
    names.delete('');
    for (const token of await findUnknownTokens(options, [...names.keys()])) {
      const name = names.get(token);
      if (name !== undefined) await bucket.remove(name);
    }
  }
}

/**
 * Deletes the files whose time is over, unless a post that Upnext keeps uses them. Such a post may have been moved. Resolves
 * with true if there may be more of them.
 */
export async function deleteUnusedFiles(options: MediaOptions): Promise<boolean> {
  const now = options.now();
  let unfreedBytes = 0;
  const files = await listExpiredFiles(options, now);
  const expired = Map.groupBy(files, ({ workspace }) => workspace);
  for (const [workspace, files] of expired) {
    const uses = await options.listUses(workspace);
    if (uses === 'unknown') options.log.warn({ workspace }, 'kept media because a stored post is unreadable');
    const times = new Map(
      [...(uses === 'unknown' ? [] : uses)].map(([address, at]) => [parseToken(address), at]),
    );
    for (const { id, token, bytes } of files) {
      const publishAt = times.get(token);
      // A post without a time is looked at again.
      const until = publishAt ? computeKeptUntil(publishAt, now) : new Date(now.getTime() + KEPT_UNUSED_MS);
      const isUsed = token !== undefined && (uses === 'unknown' || times.has(token));
      if (isUsed && until > now) {
        await keepFile(options, id, until);
        continue;
      }
      await deleteFile(options, id, now);
      unfreedBytes += bytes;
      if (unfreedBytes < BYTES_PER_FREEING) continue;
      await freeRoom(options.db);
      unfreedBytes = 0;
    }
  }
  if (unfreedBytes > 0) await freeRoom(options.db);
  return files.length === MAX_DELETED_FILES;
}

/** What people read, by the reason for which a file can't be read. */
const PROBLEMS: Readonly<Record<Exclude<SlackFileFailure, 'too-large'>, string>> = {
  deleted: 'This file was deleted in Slack. Upload it again.',
  'not-found':
    'I can’t find this file. It was deleted, or it’s in a conversation without me. Upload it here.',
  'not-shared':
    'This file belongs to another organisation, and I can’t read it. Download it, and upload it here.',
  'not-in-slack': 'This file isn’t stored in Slack. Download it, and upload it here.',
  'not-permitted': 'I’m not allowed to read files here yet. Ask a workspace admin to install Upnext again.',
  busy: 'Slack is busy. Try again in a minute.',
  'not-readable': 'Slack didn’t let me read this file. Try again.',
  damaged: DAMAGED,
  truncated: TRUNCATED,
};

/** Finds a picture or video in Slack. Throws UnusableMedia. */
export async function openMediaFile(client: WebClient, id: string) {
  return openSlackFile(client, id, { maxBytes: MAX_MEDIA_BYTES }).catch(rethrow);
}

/** Downloads a picture or video from Slack. Throws UnusableMedia. */
async function* downloadSlackFile(
  client: WebClient,
  id: string,
  opened: TakeRequest['opened'],
): AsyncGenerator<Uint8Array> {
  try {
    yield* (opened ?? (await openMediaFile(client, id))).read();
  } catch (error) {
    rethrow(error);
  }
}

function rethrow(error: unknown): never {
  if (!(error instanceof UnreadableSlackFile)) throw error;
  const { failure, bytes, cause } = error;
  throw new UnusableMedia(failure === 'too-large' ? renderTooLarge(bytes) : PROBLEMS[failure], cause);
}
