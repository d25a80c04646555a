import type { Transaction } from 'kysely';
import { MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import {
  listSearchedRanges,
  listSlots,
  type ProjectCalendar,
  type Slot,
} from '../../preferences/posting-times.ts';
import type { Queryable } from '../../store/database.ts';
import { createInstanceState } from '../../store/instance-state.ts';
import { lockUntilEnd } from '../../store/locks.ts';
import { type HeldPostRow, type HeldPostTables, PLANNED_STATES, splitPlatforms } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { type ListLaterPosts, readLaterPosts } from '../series/occurrences.ts';

export interface SlotPlace {
  workspace: string;
  /** The project's id in the service. */
  project: string;
  platforms: readonly string[];
}

/** A post that takes slots, which may not be stored yet. */
export type PostKey = Pick<HeldPostRow, 'origin' | 'item'>;

/** A post in one of these states keeps the others from its slot. */
const TAKING_STATES = [...PLANNED_STATES, 'delivered'] as const;

/** How long a slot is taken by a post that is being stored. */
const RESERVATION_MS = 2 * MINUTE_MS;

/** Names a time on a platform. */
export function toSlotKey(platform: string, instant: Date): string {
  return `${platform} ${instant.getTime()}`;
}

interface TakenOptions {
  ignoresDrafts?: boolean;
  ignoresReservations?: boolean;
  isOther?: (post: PostKey) => boolean;
  /** On the shared clock: reservations that have passed by then don't count. Defaults to now. */
  at?: Date;
}

export const isSamePost = (post: PostKey, other: PostKey | undefined) =>
  post.origin === other?.origin && post.item === other.item;

/**
 * Lists the keys of the slots of these that are taken: by posts with that time, by posts that are being stored, and by
 * series whose posts aren't made yet. `ignoresDrafts`: whether only posts that go out count. `ignoresReservations`:
 * whether posts count only once they are stored, unless a series will make them. `isOther`: whether a post takes slots
 * from the one that looks for them. Defaults to all.
 */
export async function listTaken(
  context: HeldPostContext,
  db: Queryable<HeldPostTables>,
  { workspace, project }: Pick<SlotPlace, 'workspace' | 'project'>,
  search: {
    slots: readonly Pick<Slot, 'instant'>[];
    listLaterPosts: ListLaterPosts;
  } & TakenOptions,
): Promise<ReadonlySet<string>> {
  const { slots, listLaterPosts, ignoresDrafts = false, isOther = () => true } = search;
  const { at = context.clock.readShared() } = search;
  if (slots.length === 0) return new Set();
  const times = slots.map(({ instant }) => instant);
  // Before the posts, because a reservation ends in the transaction that stores its post.
  const reserved = search.ignoresReservations
    ? []
    : await db
        .selectFrom('slot_reservation')
        .select(['platform', 'slot_at as instant', 'origin', 'item'])
        .where(({ and }) => and({ workspace, project }))
        .where('slot_at', 'in', times)
        .where('reserved_until', '>', at)
        .execute();
  const posts = await db
    .selectFrom('held_post')
    .select(['platforms', 'publish_at as instant', 'origin', 'item'])
    .where(({ and }) => and({ workspace, project }))
    .where('publish_at', 'in', times)
    .where(
      'state',
      'in',
      TAKING_STATES.filter((state) => !ignoresDrafts || state !== 'draft'),
    )
    .execute();
  const instants = times.map((time) => time.getTime());
  const range = { after: new Date(Math.min(...instants) - 1), until: new Date(Math.max(...instants)) };
  const taking = [
    ...reserved.map((row) => ({ ...row, platforms: [row.platform] })),
    ...posts.map((post) => ({ ...post, platforms: splitPlatforms(post.platforms) })),
    ...listLaterPosts(range),
  ].filter(isOther);
  return new Set(
    taking.flatMap(({ platforms: taken, instant }) =>
      instant ? taken.map((platform) => toSlotKey(platform, instant)) : [],
    ),
  );
}

/** Searches the free slots of a post for these platforms, in order. `except`: the post whose own slots are free for it. */
async function* searchFreeSlots(
  context: HeldPostContext,
  db: Queryable<HeldPostTables>,
  place: SlotPlace,
  calendar: ProjectCalendar,
  search: Pick<TakenOptions, 'at'> & {
    from: Date;
    listLaterPosts: ListLaterPosts;
    except?: PostKey & Pick<SlotRequest, 'present'>;
  },
): AsyncGenerator<Slot> {
  const { from, listLaterPosts, except, at } = search;
  const now = context.clock.now();
  const isOther = (post: PostKey) => !isSamePost(post, except);
  for (const range of listSearchedRanges(from < now ? now : addMs(from, -1), now)) {
    const slots = listSlots(calendar, place.platforms, range);
    const taken = await listTaken(context, db, place, { slots, listLaterPosts, isOther, ...(at && { at }) });
    yield* slots.filter(
      ({ instant }) =>
        instant.getTime() !== except?.present?.getTime() &&
        !place.platforms.some((platform) => taken.has(toSlotKey(platform, instant))),
    );
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
 * Reserves the first free slot for a post. The post is stored afterwards, with `endReservation`. A form that is sent twice
 * gets the same slot. Undefined if none is free within the next 13 weeks. Posts of a project wait for each other.
 */
export async function takeSlot(
  context: HeldPostContext,
  request: SlotRequest,
  calendar: ProjectCalendar,
): Promise<Slot | undefined> {
  const { workspace, project, from } = request;
  // Before the others of the project have to wait.
  const listLaterPosts = await readLaterPosts(context, request);
  const take = async (transaction: Transaction<HeldPostTables>) => {
    await lockUntilEnd(transaction, `slots ${workspace}/${project}`);
    const now = context.clock.readShared();
    const reservedUntil = addMs(now, RESERVATION_MS);
    // Waits for a transaction that stores a post meanwhile, so that the search sees either its reservation or the post.
    await transaction
      .deleteFrom('slot_reservation')
      .where(({ and }) => and({ workspace, project }))
      .where('reserved_until', '<=', now)
      .execute();
    const own = await findOwnSlot(context, transaction, request, calendar);
    if (own) {
      const { origin, item } = request;
      await transaction
        .updateTable('slot_reservation')
        .set({ reserved_until: reservedUntil })
        .where(({ and }) => and({ workspace, project, origin, item, slot_at: own.instant }))
        .execute();
      return own;
    }
    const search = { from, listLaterPosts, except: request, at: now };
    for await (const slot of searchFreeSlots(context, transaction, request, calendar, search))
      if (await reserve(transaction, request, slot, reservedUntil)) return slot;
    return undefined;
  };
  return waitForTurn(context, `${workspace}/${project}`, () => context.db.transaction().execute(take));
}

/** The last post of each project that takes a slot. */
const turnsOf = createInstanceState(() => new Map<string, Promise<unknown>>());

/**
 * Lets the posts of a project take their slots one after the other. Posts of other instances are waited for in the database,
 * where each post that waits has a connection.
 */
async function waitForTurn<Result>(
  { db }: HeldPostContext,
  project: string,
  take: () => Promise<Result>,
): Promise<Result> {
  const turns = turnsOf(db);
  const turn = (turns.get(project) ?? Promise.resolve()).then(take, take);
  turns.set(project, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(project) === turn) turns.delete(project);
  }
}

/**
 * Finds the slot that the post has, or that is reserved for it: its form was sent twice, or an instance ended before it
 * stored the post.
 */
export async function findOwnSlot(
  { clock }: HeldPostContext,
  db: Queryable<HeldPostTables>,
  { workspace, project, origin, item, platforms, from, present }: SlotRequest,
  calendar: ProjectCalendar,
): Promise<Slot | undefined> {
  const reserved = await db
    .selectFrom('slot_reservation')
    .select(['platform', 'slot_at as at'])
    .where(({ and }) => and({ workspace, project, origin, item }))
    .where('reserved_until', '>', clock.readShared())
    .orderBy('slot_at')
    .execute();
  const posts = await db
    .selectFrom('held_post')
    .select(['platforms', 'publish_at as at'])
    .where(({ and }) => and({ workspace, project, origin, item, has_slot: true }))
    .where('state', 'in', TAKING_STATES)
    .execute();
  const own = [
    ...posts.map((post) => ({ ...post, platforms: splitPlatforms(post.platforms) })),
    ...[...Map.groupBy(reserved, ({ at }) => at.getTime())].map(([time, rows]) => {
      return { at: new Date(time), platforms: rows.map(({ platform }) => platform) };
    }),
  ];
  for (const { at, platforms: taken } of own) {
    if (!at || at < from || at <= clock.now() || at.getTime() === present?.getTime()) continue;
    if (!platforms.every((platform) => taken.includes(platform))) continue;
    const [slot] = listSlots(calendar, platforms, { after: addMs(at, -1), until: at });
    if (slot) return slot;
  }
  return undefined;
}

/** Reserves a slot on all platforms, or on none. The primary key decides, although the posts of a project take turns. */
async function reserve(
  transaction: Transaction<HeldPostTables>,
  { workspace, project, platforms, origin, item }: SlotRequest,
  { instant }: Slot,
  reservedUntil: Date,
): Promise<boolean> {
  const values = { origin, item, reserved_until: reservedUntil };
  const rows = await transaction
    .insertInto('slot_reservation')
    .values(platforms.map((platform) => ({ workspace, project, platform, slot_at: instant, ...values })))
    .onConflict((conflict) =>
      conflict
        .columns(['workspace', 'project', 'platform', 'slot_at'])
        .doUpdateSet(values)
        .where(({ and }) => and({ 'slot_reservation.origin': origin, 'slot_reservation.item': item })),
    )
    .returning('platform')
    .execute();
  if (rows.length === platforms.length) return true;
  await freeSlot(transaction, { workspace, project, origin, item }, instant);
  return false;
}

/** Frees the slot that is reserved for a post, which takes another one. */
export async function freeSlot(
  db: Queryable<HeldPostTables>,
  { workspace, project, origin, item }: Pick<SlotRequest, 'workspace' | 'project' | 'origin' | 'item'>,
  slot_at: Date,
): Promise<void> {
  await db
    .deleteFrom('slot_reservation')
    .where(({ and }) => and({ workspace, project, origin, item, slot_at }))
    .execute();
}

/**
 * Ends the reservation of a slot, in the transaction that stores its post. Throws if it has passed, because the process
 * stood still for minutes, and another post may have the slot.
 */
export async function endReservation(
  { clock }: HeldPostContext,
  transaction: Queryable<HeldPostTables>,
  { workspace, project, origin, item, platforms, publish_at: slotAt }: HeldPostRow,
): Promise<void> {
  const ended = await transaction
    .deleteFrom('slot_reservation')
    .where(({ and }) => and({ workspace, project, origin, item }))
    .where('slot_at', '=', slotAt ?? new Date(0))
    .where('reserved_until', '>', clock.readShared())
    .returning('platform')
    .execute();
  if (!splitPlatforms(platforms).every((name) => ended.some(({ platform }) => platform === name)))
    throw new Error('the slot of a post had passed or was taken while the post was stored');
}

/**
 * Finds the posts at whose time another one is on one of their platforms. A draft counts too, because it keeps others from its
 * slot. Only a warning follows, so posts that are being stored aren't waited for and don't count: they may never be.
 */
export async function findShared<Planned extends { instant: Date; platforms: readonly string[] }>(
  context: HeldPostContext,
  project: Pick<SlotPlace, 'workspace' | 'project'>,
  posts: readonly Planned[],
  options: Omit<TakenOptions, 'ignoresReservations'>,
): Promise<Planned[]> {
  const listLaterPosts = await readLaterPosts(context, project);
  const search = { ...options, slots: posts, ignoresReservations: true, listLaterPosts };
  const taken = await listTaken(context, context.db, project, search);
  return posts.filter(({ instant, platforms }) =>
    platforms.some((platform) => taken.has(toSlotKey(platform, instant))),
  );
}
