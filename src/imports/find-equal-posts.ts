import { sql } from 'kysely';
import { computeTextKey } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import { listAllPosts } from '../api/list-all-posts.ts';
import { computePostFingerprint, findOwnText } from '../api/posts.ts';
import { BUDGETS, createBudget } from '../budget.ts';
import { addMs } from '../engine/clock.ts';
import { STORED_STATES } from '../held-posts/held-post.ts';
import type { HeldPostContext } from '../held-posts/held-post-context.ts';
import { listHeldPlan } from '../held-posts/listed-posts.ts';
import { createCloseFinder, renderRepeat } from '../posts/close-posts.ts';
import { isHandedOver } from '../posts/merge-plan.ts';
import { MIN_POST_GAP_MS, REPEAT_SEARCH_MS } from '../posts/platform-rules/platform-rules.ts';
import { renderPlatformNames, sortPlatforms } from '../posts/platforms.ts';
import { mapInTurns, within } from '../promises.ts';
import { renderDuration } from '../words.ts';
import type { CheckedRow } from './check-rows.ts';

/** Maximum number of the service's posts of a project that rows are compared with. */
const MAX_COMPARED_POSTS = 2_000;
/** Afterwards people read that the service's posts couldn't be compared. */
const MAX_WAIT_MS = 8_000;

/** What is known of a project's posts, and of the rows for it. Rows are named by their numbers. */
interface EqualPosts {
  /** The rows whose posts exist already. */
  numbers: ReadonlySet<number>;
  /** What a row has in common with other posts: plain text. */
  notes: ReadonlyMap<number, readonly string[]>;
  isCompared: boolean;
}

interface PlannedText {
  instant: Date;
  platform: string;
  /** Undefined for a post without a text. */
  textKey: string | undefined;
  /** Whether people can still change its post in Upnext. Defaults to false. */
  isEditable?: boolean;
}

/** Compares rows of one project with the posts that Upnext keeps or the service lists, and good rows with each other. */
export async function findEqualPosts(
  context: HeldPostContext,
  api: ApiClient,
  { workspace, project, rows }: { workspace: string; project: string; rows: readonly CheckedRow[] },
): Promise<EqualPosts> {
  const goodRows = filterGood(rows);
  const [held, heldTexts, listed] = await Promise.all([
    findHeldNumbers(context, { workspace, project, rows }),
    listHeldTexts(context, { workspace, project, rows: goodRows }),
    within(MAX_WAIT_MS, findListedNumbers(api, project, rows)),
  ]);
  const others = [...heldTexts, ...(listed?.texts ?? [])];
  // Each project has a budget of its own, because several are compared at once.
  const budget = createBudget(BUDGETS.table);
  const textsOfRows: (readonly [number: number, texts: PlannedText[]])[] = [];
  for (const row of goodRows) {
    textsOfRows.push([row.number, listRowTexts(row)]);
    await budget.giveWay();
  }
  const describe = createDescriber(
    textsOfRows.flatMap(([, texts]) => texts),
    others,
  );
  const notes = new Map<number, readonly string[]>();
  for (const [number, texts] of textsOfRows) {
    notes.set(number, describe(texts));
    await budget.giveWay();
  }
  return {
    numbers: new Set([...held, ...(listed?.numbers ?? [])]),
    notes,
    isCompared: listed?.isCompared ?? false,
  };
}

function filterGood(rows: readonly CheckedRow[]): CheckedRow[] {
  return rows.filter(({ outcome }) => outcome === 'good');
}

function listTexts(
  { platforms, ...of }: Omit<PlannedText, 'textKey' | 'platform'> & { platforms: readonly string[] },
  getText: (platform: string) => string | undefined,
): PlannedText[] {
  // Most platforms get the same text, whose key takes a while.
  const keys = new Map<string | undefined, string | undefined>();
  const findKey = (text: string | undefined) => {
    if (!keys.has(text)) keys.set(text, computeTextKey(text));
    return keys.get(text);
  };
  return platforms.map((platform) => ({ ...of, platform, textKey: findKey(getText(platform)) }));
}

/** Lists the texts of a row. A draft goes out on no platform. */
function listRowTexts({ post }: CheckedRow): PlannedText[] {
  const { moment, platforms, text, isDraft, ownTexts = {} } = post;
  if (!moment || isDraft) return [];
  return listTexts({ instant: moment.instant, platforms }, (name) => ownTexts[name] ?? text);
}

const nameTime = ({ platform, instant }: PlannedText): string => `${platform} ${instant.getTime()}`;
const nameText = ({ platform, textKey }: PlannedText): string | undefined =>
  textKey === undefined ? undefined : `${platform} ${textKey}`;

/**
 * Creates the function that says what the texts of a row have in common with other posts: the time, or the text. People
 * correct a file and import it again, and would get both versions.
 */
function createDescriber(
  ofRows: readonly PlannedText[],
  others: readonly PlannedText[],
): (texts: readonly PlannedText[]) => string[] {
  const findClose = createCloseFinder([...ofRows, ...others]);
  const areOfRows = new Set(ofRows);
  const byTime = groupRivals(others, nameTime);
  const byText = groupRivals(others, nameText);
  return (texts) => {
    const atTime = texts.flatMap((text) => byTime.get(nameTime(text)) ?? []);
    const ofText = texts
      .filter(({ textKey }) => textKey !== undefined)
      .flatMap((text) =>
        (byText.get(nameText(text)) ?? []).filter(
          ({ instant }) => instant.getTime() !== text.instant.getTime(),
        ),
      );
    const close = texts.map((text) => ({ text, ...findClose(text) }));
    const refusing = close.flatMap(({ text, repeats }) => (repeats.length > 0 ? [text.platform] : []));
    const near = close.flatMap(({ text, near: found }) =>
      found.map((other) => ({
        other,
        isSame: other.instant.getTime() === text.instant.getTime(),
        isRow: areOfRows.has(other),
      })),
    );
    const pick = (wanted: (found: (typeof near)[number]) => boolean) =>
      near.flatMap((found) => (wanted(found) ? [found.other] : []));
    return [
      ...renderRivals('Another post', atTime, SAME_TIME),
      ...(atTime.length > 0
        ? []
        : renderRivals(
            'Another post',
            pick(({ isRow }) => !isRow),
            NEAR,
          )),
      ...renderRows(
        pick(({ isRow, isSame }) => isRow && isSame),
        SAME_TIME,
      ),
      ...renderRows(
        pick(({ isRow, isSame }) => isRow && !isSame),
        NEAR,
      ),
      ...(refusing.length > 0
        ? [[renderRepeat(refusing), ...renderAdvice(ofText)].join(' ')]
        : renderRivals('The same text', ofText, 'at another time')),
    ];
  };
}

/**
 * Groups the texts of other posts. Of thousands in one group, a row needs to know only whether one that people can change,
 * or one that they can't, is at another time: so it keeps two times of each.
 */
function groupRivals(
  others: readonly PlannedText[],
  getName: (text: PlannedText) => string | undefined,
): ReadonlyMap<string | undefined, readonly PlannedText[]> {
  const keepTwo = (texts: readonly PlannedText[]) => {
    const [first] = texts;
    const second = texts.find(({ instant }) => instant.getTime() !== first?.instant.getTime());
    return [...(first ? [first] : []), ...(second ? [second] : [])];
  };
  return new Map(
    [...Map.groupBy(others, getName)].map(([name, group]) => {
      const { true: editable = [], false: fixed = [] } = Object.groupBy(group, ({ isEditable = false }) =>
        isEditable ? 'true' : 'false',
      );
      return [name, [...keepTwo(editable), ...keepTwo(fixed)]];
    }),
  );
}

const SAME_TIME = 'at the same time';
const NEAR = `less than ${renderDuration(MIN_POST_GAP_MS)} before or after`;

/** Says that other rows of the file go out as soon before or after. */
function renderRows(rows: readonly PlannedText[], when: string): string[] {
  return rows.length === 0 ? [] : [`Another row goes out on ${renderTextPlatforms(rows)} ${when}.`];
}

function renderTextPlatforms(texts: readonly PlannedText[]): string {
  return renderPlatformNames(sortPlatforms([...new Set(texts.map(({ platform }) => platform))]));
}

function renderRivals(subject: string, rivals: readonly PlannedText[], when: string): string[] {
  if (rivals.length === 0) return [];
  return [
    [`${subject} goes out on ${renderTextPlatforms(rivals)} ${when}.`, ...renderAdvice(rivals)].join(' '),
  ];
}

/** Says what to do if a row is the newer version of one of these. */
function renderAdvice(rivals: readonly PlannedText[]): string[] {
  if (rivals.length === 0) return [];
  return [
    rivals.some(({ isEditable }) => isEditable)
      ? 'If this is its new version, change that post in /upnext week instead.'
      : 'If this is its new version, leave this row out: the scheduling service has that post already.',
  ];
}

/** Lists the texts that Upnext keeps for times near those of the rows. */
async function listHeldTexts(
  context: HeldPostContext,
  { workspace, project, rows }: { workspace: string; project: string; rows: readonly CheckedRow[] },
): Promise<PlannedText[]> {
  const times = findTimes(rows);
  if (!times) return [];
  const { from: first, to } = widen(times);
  const found: PlannedText[] = [];
  for (let from = first; ; ) {
    const { posts, isTruncated } = await listHeldPlan(context, {
      ...{ workspace, projects: [project], from, to },
      states: ['held', 'awaiting-review', 'handed-over'],
    });
    for (const listed of posts) {
      const { post, isSettled } = listed;
      const isEditable = !isHandedOver(listed);
      const { scheduleDate: instant, platforms, content } = post;
      const getText = (name: string) => findOwnText(post, name) ?? content;
      if (instant && !isSettled) found.push(...listTexts({ instant, platforms, isEditable }, getText));
    }
    const last = posts.at(-1)?.post.scheduleDate;
    if (!isTruncated || !last) return found;
    // If all posts of a page have the same time, the next page would be the same one.
    from = last > from ? last : addMs(last, 1);
  }
}

/** Adds the time in which the same text is refused, on both sides. */
function widen({ from, to }: { from: Date; to: Date }): { from: Date; to: Date } {
  return {
    from: new Date(from.getTime() - REPEAT_SEARCH_MS),
    to: new Date(to.getTime() + REPEAT_SEARCH_MS),
  };
}

function findTimes(rows: readonly CheckedRow[]): { from: Date; to: Date } | undefined {
  const times = rows.flatMap(({ post: { moment } }) => moment?.instant.getTime() ?? []);
  if (times.length === 0) return undefined;
  // One by one, because thousands of arguments are too many for a call.
  const [from, to] = times.reduce(
    ([min, max], time) => [Math.min(min, time), Math.max(max, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { from: new Date(from), to: new Date(to) };
}

/** With more rows in a statement, Postgres may read the whole table. */
const MAX_LOOKED_UP = 200;

/**
 * Compares the rows with the posts that Upnext keeps for the same times, and with its drafts: each row is looked up, however
 * many posts there are.
 */
async function findHeldNumbers(
  { db, kind, submissions }: HeldPostContext,
  { workspace, project, rows }: { workspace: string; project: string; rows: readonly CheckedRow[] },
): Promise<number[]> {
  const budget = createBudget(BUDGETS.table);
  const computeHash = (content: unknown) =>
    submissions.context.computeContentHash(workspace, JSON.stringify(kind.post.describeRequest(content)));
  const wanted: { number: number; at: Date | null; hash: string; isReturned: boolean }[] = [];
  for (const { number, post } of rows) {
    await budget.giveWay();
    const { content } = kind.post.compose(post);
    const at = kind.post.getTime(content) ?? null;
    wanted.push({ number, at, hash: await computeHash(content), isReturned: false });
    // A draft that reviewers have returned is still what they were asked about: a scheduled post.
    const scheduled = post.isDraft && kind.post.setDraft(content, false);
    if (scheduled) wanted.push({ number, at, hash: await computeHash(scheduled), isReturned: true });
  }
  const numbers = new Set<number>();
  for (const [isTimed, ofKind] of Map.groupBy(wanted, ({ at }) => at !== null))
    for (let start = 0; start < ofKind.length; start += MAX_LOOKED_UP) {
      const group = ofKind.slice(start, start + MAX_LOOKED_UP);
      const places = sql.join(
        group.map(({ at, hash }, index) => sql`(${index}::integer, ${at}::timestamptz, ${hash}::text)`),
      );
      const { rows: found } = await sql<{ position: number; state: string }>`
        select place.position, post.state from (values ${places}) as place (position, at, hash)
        cross join lateral (
          select state from held_post
          where workspace = ${workspace} and project = ${project} and state in (${sql.join(STORED_STATES)})
            and ${isTimed ? sql`publish_at = place.at` : sql`publish_at is null`} and content_hash = place.hash
        ) post`.execute(db);
      for (const { position, state } of found) {
        const row = group[position];
        if (row && (!row.isReturned || state === 'draft')) numbers.add(row.number);
      }
      await budget.giveWay();
    }
  return [...numbers];
}

/**
 * Compares the rows with the posts that the service lists for the times of the good rows. For a row with a wrong year,
 * there could be more posts than are read.
 */
async function findListedNumbers(
  api: ApiClient,
  project: string,
  rows: readonly CheckedRow[],
): Promise<{ numbers: number[]; texts: PlannedText[]; isCompared: boolean }> {
  const times = findTimes(filterGood(rows)) ?? findTimes(rows);
  const options = { maxPosts: MAX_COMPARED_POSTS, readsAtOnce: true };
  const { from: scheduledFrom, to: scheduledTo } = times ? widen(times) : {};
  const outcomes = await Promise.all([
    ...(times ? [listAllPosts(api, { projectId: project, scheduledFrom, scheduledTo }, options)] : []),
    ...(rows.some(({ post }) => post.isDraft && !post.moment)
      ? [listAllPosts(api, { projectId: project, status: ['DRAFT'] }, options)]
      : []),
  ]);
  const lists = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.data] : []));
  const isComplete =
    lists.length === outcomes.length && lists.every((list) => list.isComplete && list.unreadableCount === 0);
  const items = lists.flatMap((list) => list.items);
  const budget = createBudget(BUDGETS.table);
  const known = new Set<string>();
  for (const post of items) {
    known.add(computePostFingerprint(project, post, post.status === 'DRAFT'));
    await budget.giveWay();
  }
  const numbers: number[] = [];
  for (const row of rows) {
    if (isKnownRow(project, row, known)) numbers.push(row.number);
    await budget.giveWay();
  }
  const texts = await mapInTurns(items, ({ scheduleDate: instant, platforms, status, content }) =>
    instant && status !== 'DRAFT' ? listTexts({ instant, platforms }, () => content) : [],
  );
  return { numbers, texts: texts.flat(), isCompared: isComplete };
}

/** Whether the service has a row's posts: one for each text. */
function isKnownRow(project: string, { post }: CheckedRow, known: ReadonlySet<string>): boolean {
  const { text, media, platforms, moment, isDraft, ownTexts = {} } = post;
  if (!moment && !isDraft) return false;
  const texts = Map.groupBy(platforms, (platform) => ownTexts[platform] ?? text);
  const isKnown = ([content, names]: readonly [string, readonly string[]]) =>
    known.has(
      computePostFingerprint(
        project,
        { content, media, platforms: names, ...(moment && { scheduleDate: moment.instant }) },
        isDraft,
      ),
    );
  return texts.size === 0 ? isKnown([text, platforms]) : [...texts].every(isKnown);
}
