import { sql, type Transaction } from 'kysely';
import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import {
  listSearchedRanges,
  listSlots,
  type ProjectCalendar,
  type Slot,
} from '../../preferences/posting-times.ts';
import type { Queryable } from '../../store/database.ts';
import { lockUntilEnd } from '../../store/locks.ts';
import { type HeldPostRow, type HeldPostTables, PLANNED_STATES } from '../held-post.ts';
import { type HeldPostContext, readHeldPost } from '../held-post-context.ts';
import { type ListLaterPosts, readLaterPosts } from '../series/occurrences.ts';

export interface SlotPlace {
  workspace: string;
  /** The project's id in the service. */
  project: string;
  platforms: readonly string[];
}

/** A post that takes slots, which may not be stored yet. */
type PostKey = Pick<HeldPostRow, 'origin' | 'item'>;

/** A post in one of these states keeps the others from its slot. */
const TAKING_STATES = [...PLANNED_STATES, 'delivered'] as const;

/** How long a slot is taken by a post that is being stored. */
const RESERVATION_MS = 2 * MINUTE_MS;
/** Rows of slots that have passed this long ago say nothing any more. */
const KEPT_MS = DAY_MS;

/** Whether the post of a row of `held_post_slot` has this time. */
const hasItsPost = (states: readonly HeldPostRow['state'][]) => sql<boolean>`exists (
  select from held_post post where post.workspace = held_post_slot.workspace
    and post.origin = held_post_slot.origin and post.item = held_post_slot.item
    and post.publish_at = held_post_slot.slot_at and post.state in (${sql.join(states)}))`;

/** Whether a row of `held_post_slot` counts: its post is being stored, or has this time. */
const isTaken = (now: Date, states: readonly HeldPostRow['state'][] = TAKING_STATES) =>
  sql<boolean>`(coalesce(held_post_slot.reserved_until > ${now}, false) or ${hasItsPost(states)})`;

interface TakenSlot {
  platform: string;
  /** In ms since 1970. */
  time: number;
}

interface TakenOptions {
  ignoresDrafts?: boolean;
  ignoresUnstored?: boolean;
  isOther?: (post: PostKey) => boolean;
}

const isSamePost = (post: PostKey, other: PostKey | undefined) =>
  post.origin === other?.origin && post.item === other.item;

/**
 * Lists which of these slots are taken on the platforms: by posts that took them, by posts that happen to have the same
 * time, and by series whose posts aren't made yet. `ignoresDrafts`: whether only posts that go out count.
 * `ignoresUnstored`: whether posts count only once they are stored, unless a series will make them. `isOther`:
 * whether a post takes slots from the one that looks for them. Defaults to all.
 */
export async function listTaken(
  context: HeldPostContext,
  db: Queryable<HeldPostTables>,
  { workspace, project, platforms }: SlotPlace,
  search: {
    slots: readonly Pick<Slot, 'instant'>[];
    listLaterPosts: ListLaterPosts;
  } & TakenOptions,
): Promise<TakenSlot[]> {
  const {
    slots,
    listLaterPosts,
    ignoresDrafts = false,
    ignoresUnstored = false,
    isOther = () => true,
  } = search;
  if (slots.length === 0 || platforms.length === 0) return [];
  const times = slots.map(({ instant }) => instant);
  const states = TAKING_STATES.filter((state) => !ignoresDrafts || state !== 'draft');
  const rows = await db
    .selectFrom('held_post_slot')
    .select(['platform', 'slot_at', 'origin', 'item'])
    .where(({ and }) => and({ workspace, project }))
    .where('platform', 'in', platforms)
    .where('slot_at', 'in', times)
    .where(ignoresUnstored ? hasItsPost(states) : isTaken(context.clock.readShared(), states))
    .execute();
  const posts = await db
    .selectFrom('held_post as post')
    .select(['id', 'workspace', 'content', 'publish_at', 'origin', 'item'])
    .where(({ and }) => and({ workspace, project }))
    .where('publish_at', 'in', times)
    .where('state', 'in', states)
    // The slots of a post that nobody has edited are those of its platforms, so its content needn't be read.
    .where(({ eb, or, not, exists, selectFrom }) =>
      or([
        eb('post.version', '>', 1),
        not(
          exists(
            selectFrom('held_post_slot as slot')
              .select('slot.item')
              .whereRef('slot.workspace', '=', 'post.workspace')
              .whereRef('slot.origin', '=', 'post.origin')
              .whereRef('slot.item', '=', 'post.item')
              .whereRef('slot.slot_at', '=', 'post.publish_at'),
          ),
        ),
      ]),
    )
    .execute();
  const others: TakenSlot[] = posts.filter(isOther).flatMap((post) => {
    const time = post.publish_at?.getTime() ?? 0;
    return (readHeldPost(context, post)?.platforms ?? []).map((platform) => ({ platform, time }));
  });
  const taken = rows.filter(isOther).map((row) => ({ platform: row.platform, time: row.slot_at.getTime() }));
  const instants = times.map((time) => time.getTime());
  const range = { after: new Date(Math.min(...instants) - 1), until: new Date(Math.max(...instants)) };
  const later = listLaterPosts(range)
    .filter(isOther)
    .flatMap((post) => post.platforms.map((platform) => ({ platform, time: post.instant.getTime() })));
  return [...taken, ...others, ...later].filter(({ platform }) => platforms.includes(platform));
}

/** Searches the free slots of a post for these platforms, in order. `except`: the post whose own slots are free for it. */
async function* searchFreeSlots(
  context: HeldPostContext,
  db: Queryable<HeldPostTables>,
  place: SlotPlace,
  calendar: ProjectCalendar,
  { from, listLaterPosts, except }: { from: Date; listLaterPosts: ListLaterPosts; except?: PostKey },
): AsyncGenerator<Slot> {
  const now = context.clock.now();
  const isOther = (post: PostKey) => !isSamePost(post, except);
  for (const range of listSearchedRanges(from < now ? now : addMs(from, -1), now)) {
    const slots = listSlots(calendar, place.platforms, range);
    const taken = await listTaken(context, db, place, { slots, listLaterPosts, isOther });
    const times = new Set(taken.map(({ time }) => time));
    yield* slots.filter(({ instant }) => !times.has(instant.getTime()));
  }
}

/** Lists the first free slots of a post for these platforms, in order. */
export async function listFreeSlots(
  context: HeldPostContext,
  place: SlotPlace,
  calendar: ProjectCalendar,
  { from, most }: { from: Date; most: number },
): Promise<Slot[]> {
  const listLaterPosts = await readLaterPosts(context, place);
  const free: Slot[] = [];
  for await (const slot of searchFreeSlots(context, context.db, place, calendar, { from, listLaterPosts })) {
    free.push(slot);
    if (free.length >= most) break;
  }
  return free;
}

/** A post that takes the first free slot from `from` on. */
export interface SlotRequest extends SlotPlace, PostKey {
  from: Date;
  /** The time that the post has now, which isn't the next slot. */
  present?: Date | null;
}

/**
 * Takes the first free slot for a post. The post is stored afterwards, with `keepSlot`. A form that is sent twice gets the
 * same slot. Undefined if none is free within the next 13 weeks. Posts of a project wait for each other, and the primary key
 * decides.
 */
export async function takeSlot(
  context: HeldPostContext,
  request: SlotRequest,
  calendar: ProjectCalendar,
): Promise<Slot | undefined> {
  const { workspace, project, from, present } = request;
  // Before the others of the project have to wait.
  const listLaterPosts = await readLaterPosts(context, request);
  const take = async (transaction: Transaction<HeldPostTables>) => {
    await lockUntilEnd(transaction, `slots ${workspace}/${project}`);
    const own = await findOwnSlot(context, transaction, request, calendar);
    if (own) return own;
    const search = { from, listLaterPosts, except: request };
    for await (const slot of searchFreeSlots(context, transaction, request, calendar, search))
      if (
        slot.instant.getTime() !== present?.getTime() &&
        (await reserve(context, transaction, request, slot))
      )
        return slot;
    return undefined;
  };
  return waitForTurn(context, `${workspace}/${project}`, () => context.db.transaction().execute(take));
}

/** The last post of each project that takes a slot, by instance. */
const turns = new WeakMap<HeldPostContext['db'], Map<string, Promise<unknown>>>();

/**
 * Lets the posts of a project take their slots one after the other. Posts of other instances are waited for in the database,
 * where each post that waits has a connection.
 */
async function waitForTurn<Result>(
  { db }: HeldPostContext,
  project: string,
  take: () => Promise<Result>,
): Promise<Result> {
  const ofInstance = turns.get(db) ?? new Map<string, Promise<unknown>>();
  turns.set(db, ofInstance);
  const turn = (ofInstance.get(project) ?? Promise.resolve()).then(take, take);
  ofInstance.set(project, turn);
  try {
    return await turn;
  } finally {
    if (ofInstance.get(project) === turn) ofInstance.delete(project);
  }
}

/** Finds the slot that the post has taken before: the form was sent twice, or an instance ended before it stored the post. */
export async function findOwnSlot(
  { clock }: HeldPostContext,
  db: Queryable<HeldPostTables>,
  { workspace, project, origin, item, platforms, from, present }: SlotRequest,
  calendar: ProjectCalendar,
): Promise<Slot | undefined> {
  const rows = await db
    .selectFrom('held_post_slot')
    .select(['platform', 'slot_at'])
    .where(({ and }) => and({ workspace, origin, item, project }))
    .where('slot_at', '>=', from)
    .where('slot_at', '>', clock.now())
    .where(isTaken(clock.readShared()))
    .orderBy('slot_at')
    .execute();
  for (const { slot_at: at } of rows) {
    if (at.getTime() === present?.getTime()) continue;
    const own = rows.filter((row) => row.slot_at.getTime() === at.getTime());
    if (!platforms.every((name) => own.some(({ platform }) => platform === name))) continue;
    const [slot] = listSlots(calendar, platforms, { after: addMs(at, -1), until: at });
    if (slot) return slot;
  }
  return undefined;
}

export async function deletePassed(
  { db, clock }: HeldPostContext,
  { workspace, project }: SlotPlace,
): Promise<void> {
  await db
    .deleteFrom('held_post_slot')
    .where(({ and }) => and({ workspace, project }))
    .where('slot_at', '<', addMs(clock.now(), -KEPT_MS))
    .execute();
}

/** Reserves a slot on all platforms, or on none. */
async function reserve(
  { clock }: HeldPostContext,
  transaction: Transaction<HeldPostTables>,
  { workspace, project, platforms, origin, item }: SlotRequest,
  { instant }: Slot,
): Promise<boolean> {
  const now = clock.readShared();
  const values = { origin, item, reserved_until: addMs(now, RESERVATION_MS) };
  const rows = await transaction
    .insertInto('held_post_slot')
    .values(platforms.map((platform) => ({ workspace, project, platform, slot_at: instant, ...values })))
    .onConflict((conflict) =>
      conflict
        .columns(['workspace', 'project', 'platform', 'slot_at'])
        .doUpdateSet(values)
        // The row of a post that was moved or cancelled, or wasn't stored, is free.
        .where(
          sql<boolean>`not ${isTaken(now)} or (held_post_slot.origin = ${origin} and held_post_slot.item = ${item})`,
        ),
    )
    .returning('platform')
    .execute();
  if (rows.length === platforms.length) return true;
  await freeSlots(transaction, { workspace, origin, item }, { instant });
  return false;
}

/** Frees slots of a post: that of a time at which it isn't stored, or those on platforms that it has no more. */
export async function freeSlots(
  db: Queryable<HeldPostTables>,
  { workspace, origin, item }: Pick<SlotRequest, 'workspace' | 'origin' | 'item'>,
  which: { instant: Date } | { platforms: readonly string[] },
): Promise<void> {
  const slots = db.deleteFrom('held_post_slot').where(({ and }) => and({ workspace, origin, item }));
  await ('instant' in which
    ? slots.where('slot_at', '=', which.instant)
    : slots.where('platform', 'in', which.platforms)
  ).execute();
}

/**
 * Keeps a post's slot, in the transaction that stores the post. Throws if the post of a process that stood still for minutes
 * has lost it to another one.
 */
export async function keepSlot(
  transaction: Queryable<HeldPostTables>,
  { workspace, origin, item, platforms }: Omit<SlotPlace, 'project'> & PostKey,
  instant: Date,
): Promise<void> {
  const kept = await transaction
    .updateTable('held_post_slot')
    .set({ reserved_until: null })
    .where(({ and }) => and({ workspace, origin, item, slot_at: instant }))
    .returning('platform')
    .execute();
  if (!platforms.every((name) => kept.some(({ platform }) => platform === name)))
    throw new Error('the slot of a post was taken while the post was stored');
}

/** Whether a post has taken the slot of this time on all platforms. */
export async function hasTakenSlot(
  db: Queryable<HeldPostTables>,
  { workspace, origin, item, platforms }: Omit<SlotPlace, 'project'> & PostKey,
  instant: Date,
): Promise<boolean> {
  const rows = await db
    .selectFrom('held_post_slot')
    .select('platform')
    .where(({ and }) => and({ workspace, origin, item, slot_at: instant }))
    .execute();
  return platforms.every((name) => rows.some(({ platform }) => platform === name));
}

/**
 * Finds the posts at whose time another one is on one of their platforms. A draft counts too, because it keeps others from its
 * slot. Only a warning follows, so posts that are being stored aren't waited for and don't count: they may never be.
 */
export async function findShared<Planned extends { instant: Date; platforms: readonly string[] }>(
  context: HeldPostContext,
  { workspace, project }: Pick<SlotPlace, 'workspace' | 'project'>,
  posts: readonly Planned[],
  options: Omit<TakenOptions, 'ignoresUnstored'>,
): Promise<Planned[]> {
  const place = { workspace, project, platforms: [...new Set(posts.flatMap(({ platforms }) => platforms))] };
  const listLaterPosts = await readLaterPosts(context, place);
  const search = { ...options, slots: posts, ignoresUnstored: true, listLaterPosts };
  const taken = await listTaken(context, context.db, place, search);
  return posts.filter(({ instant, platforms }) =>
    taken.some(({ platform, time }) => time === instant.getTime() && platforms.includes(platform)),
  );
}

/** Counts the planned posts of these at whose time another post, which isn't one of them, is on one of their platforms. */
export async function countSharedTimes(
  context: HeldPostContext,
  rows: readonly HeldPostRow[],
): Promise<number> {
  const planned = rows.flatMap((row) =>
    row.publish_at && (row.state === 'held' || row.state === 'awaiting-review')
      ? [{ instant: row.publish_at, platforms: readHeldPost(context, row)?.platforms ?? [] }]
      : [],
  );
  const [first] = rows;
  if (!first || planned.length === 0) return 0;
  const isOther = (post: PostKey) => !rows.some((row) => isSamePost(row, post));
  return (await findShared(context, first, planned, { isOther })).length;
}
