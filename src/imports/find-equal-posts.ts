import { computeTextKey } from '../api/cached-reads.ts';
import type { ApiClient } from '../api/client.ts';
import { listAllPosts } from '../api/list-all-posts.ts';
import { computePostFingerprint } from '../api/posts.ts';
import { HOUR_MS } from '../durations.ts';
import { addMs } from '../engine/clock.ts';
import { PLANNED_STATES } from '../held-posts/held-post.ts';
import type { HeldPostContext } from '../held-posts/held-post-context.ts';
import { listHeldPlan } from '../held-posts/listed-posts.ts';
import { filterRepeatRefusing, REPEAT_WARNING_MS } from '../posts/platform-rules/platform-rules.ts';
import { renderPlatformNames, sortPlatforms } from '../posts/platforms.ts';
import { within } from '../within.ts';
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
  /** Whether the service's posts were compared. */
  isCompared: boolean;
}

/** A text that goes out. `number`: that of its row. */
interface PlannedText {
  number?: number;
  instant: Date;
  platforms: readonly string[];
  textKey: string | undefined;
  /** Whether people can still change its post in Upnext. Defaults to false. */
  isEditable?: boolean;
}

/** Compares the good rows of one project with each other and the posts that Upnext keeps or the service lists. */
export async function findEqualPosts(
  context: HeldPostContext,
  api: ApiClient,
  { workspace, project, rows }: { workspace: string; project: string; rows: readonly CheckedRow[] },
): Promise<EqualPosts> {
  const [held, heldTexts, listed] = await Promise.all([
    findHeldNumbers(context, { workspace, project, rows }),
    listHeldTexts(context, { workspace, project, rows }),
    within(MAX_WAIT_MS, findListedNumbers(api, project, rows)),
  ]);
  const others = [...heldTexts, ...(listed?.texts ?? [])];
  const textsOfRows = rows.map((row) => [row, listRowTexts(row)] as const);
  const repeats = findRepeats(textsOfRows, others);
  const renderRivals = createRivalNotes(others);
  return {
    numbers: new Set([...held, ...(listed?.numbers ?? [])]),
    notes: new Map(
      textsOfRows.map(([{ number }, texts]) => {
        const { atTime, ofText, advice } = renderRivals(texts);
        const repeated = renderRepeat(repeats.get(number)).map((note) => `${note} ${advice}`.trimEnd());
        return [number, [...atTime, ...(repeated.length > 0 ? repeated : ofText)]];
      }),
    ),
    isCompared: listed?.isCompared ?? false,
  };
}

function listTexts(
  { platforms, ...of }: Omit<PlannedText, 'textKey'>,
  getText: (platform: string) => string | undefined,
): PlannedText[] {
  return [...Map.groupBy(platforms, getText)].map(([text, names]) => ({
    ...of,
    platforms: names,
    textKey: computeTextKey(text),
  }));
}

/** Lists the texts of a row. A draft goes out on no platform. */
function listRowTexts({ number, post }: CheckedRow): PlannedText[] {
  const { moment, platforms, text, isDraft, ownTexts = {} } = post;
  if (!moment || isDraft) return [];
  return listTexts({ number, instant: moment.instant, platforms }, (name) => ownTexts[name] ?? text);
}

/** Finds the rows of which a text goes out again shortly before or after, on a platform that may refuse it then. */
function findRepeats(
  textsOfRows: readonly (readonly [CheckedRow, readonly PlannedText[]])[],
  others: readonly PlannedText[],
): ReadonlyMap<number, readonly string[]> {
  const byText = Map.groupBy(
    [...textsOfRows.flatMap(([, texts]) => texts), ...others],
    ({ textKey }) => textKey,
  );
  const listShared = ({ number, instant, platforms, textKey }: PlannedText) => {
    const near = (textKey === undefined ? [] : (byText.get(textKey) ?? [])).filter(
      (other) =>
        other.number !== number && Math.abs(other.instant.getTime() - instant.getTime()) < REPEAT_WARNING_MS,
    );
    return platforms.filter((name) => near.some((other) => other.platforms.includes(name)));
  };
  return new Map(
    textsOfRows.flatMap(([{ number }, texts]) => {
      const refusing = filterRepeatRefusing(texts.flatMap(listShared));
      return refusing.length === 0 ? [] : [[number, refusing] as const];
    }),
  );
}

function renderRepeat(platforms: readonly string[] = []): string[] {
  if (platforms.length === 0) return [];
  const names = renderPlatformNames(platforms);
  return [
    `The same text goes out on ${names} less than ${REPEAT_WARNING_MS / HOUR_MS} hours before or after. ${names} may refuse it, so vary it.`,
  ];
}

/** The instants of posts that have something in common, by whether people can still edit these posts in Upnext. */
type Rivals = Record<'editable' | 'fixed', Set<number>>;

const NO_RIVALS: Rivals = { editable: new Set(), fixed: new Set() };

/**
 * Creates the function that says which posts a row may be a newer version of: those of its time with another text, and those
 * with its text at another time. People correct a file and import it again, and would get both.
 */
function createRivalNotes(
  others: readonly PlannedText[],
): (texts: readonly PlannedText[]) => { atTime: string[]; ofText: string[]; advice: string } {
  const byTime = mapRivals(others, ({ instant }) => String(instant.getTime()));
  const byText = mapRivals(others, ({ textKey }) => textKey);
  return (texts) => {
    const atTime = findRivals(texts, ({ instant }, name) => {
      const { editable, fixed } = byTime.get(`${instant.getTime()} ${name}`) ?? NO_RIVALS;
      return { editable: editable.size > 0, fixed: fixed.size > 0 };
    });
    const ofText = findRivals(texts, ({ instant, textKey }, name) => {
      const { editable, fixed } = byText.get(`${textKey} ${name}`) ?? NO_RIVALS;
      return { editable: hasOther(editable, instant), fixed: hasOther(fixed, instant) };
    });
    return {
      atTime:
        atTime.names === ''
          ? []
          : [`Another post goes out on ${atTime.names} at the same time. ${atTime.advice}`],
      ofText:
        ofText.names === ''
          ? []
          : [`The same text goes out on ${ofText.names} at another time. ${ofText.advice}`],
      advice: ofText.names === '' ? '' : ofText.advice,
    };
  };
}

function mapRivals(
  others: readonly PlannedText[],
  getKey: (text: PlannedText) => string | undefined,
): ReadonlyMap<string, Rivals> {
  const rivals = new Map<string, Rivals>();
  for (const other of others) {
    const key = getKey(other);
    if (key === undefined) continue;
    for (const name of other.platforms) {
      const known = rivals.get(`${key} ${name}`) ?? { editable: new Set(), fixed: new Set() };
      known[other.isEditable === true ? 'editable' : 'fixed'].add(other.instant.getTime());
      rivals.set(`${key} ${name}`, known);
    }
  }
  return rivals;
}

function hasOther(instants: ReadonlySet<number>, instant: Date): boolean {
  return instants.size > (instants.has(instant.getTime()) ? 1 : 0);
}

/** Finds the platforms on which texts have rivals, and says what to do. */
function findRivals(
  texts: readonly PlannedText[],
  find: (text: PlannedText, platform: string) => Record<keyof Rivals, boolean>,
): { names: string; advice: string } {
  const found = texts.flatMap((text) => text.platforms.map((name) => ({ name, ...find(text, name) })));
  const shared = found.filter(({ editable, fixed }) => editable || fixed).map(({ name }) => name);
  return {
    names: renderPlatformNames(sortPlatforms([...new Set(shared)])),
    advice: found.some(({ editable }) => editable) ? CHANGE_INSTEAD : LEAVE_OUT,
  };
}

const CHANGE_INSTEAD = 'If this is its new version, change that post in /upnext week instead.';
const LEAVE_OUT =
  'If this is its new version, leave this row out: the scheduling service has that post already.';

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
    for (const { post, held } of posts) {
      const isEditable = held.state !== 'handed-over';
      const { scheduleDate: instant, platforms, content, ownTexts = [] } = post;
      const getText = (name: string) => ownTexts.find((own) => own.platforms.includes(name))?.text ?? content;
      if (instant) found.push(...listTexts({ instant, platforms, isEditable }, getText));
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
    from: new Date(from.getTime() - REPEAT_WARNING_MS),
    to: new Date(to.getTime() + REPEAT_WARNING_MS),
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

/** Compares the rows with the posts that Upnext keeps for the same times, and with its drafts. */
async function findHeldNumbers(
  { db, kind, submissions }: HeldPostContext,
  { workspace, project, rows }: { workspace: string; project: string; rows: readonly CheckedRow[] },
): Promise<number[]> {
  const times = findTimes(rows);
  const query = db
    .selectFrom('held_post')
    .select('content_hash')
    .where('workspace', '=', workspace)
    .where('project', '=', project)
    .where('state', 'in', [...PLANNED_STATES, 'delivered']);
  const [timed, drafts] = await Promise.all([
    times ? query.where('publish_at', '>=', times.from).where('publish_at', '<=', times.to).execute() : [],
    rows.some(({ post }) => !post.moment) ? query.where('publish_at', 'is', null).execute() : [],
  ]);
  const hashes = new Set([...timed, ...drafts].map(({ content_hash: hash }) => hash));
  if (hashes.size === 0) return [];
  const numbers: number[] = [];
  for (const { number, post } of rows) {
    const request = kind.holding.describeRequest(kind.holding.compose(post).content);
    const hash = await submissions.context.computeContentHash(workspace, JSON.stringify(request));
    if (hashes.has(hash)) numbers.push(number);
  }
  return numbers;
}

/** Compares the rows with the posts that the service lists. Drafts without a time aren't compared. */
async function findListedNumbers(
  api: ApiClient,
  project: string,
  rows: readonly CheckedRow[],
): Promise<{ numbers: number[]; texts: PlannedText[]; isCompared: boolean }> {
  const times = findTimes(rows);
  if (!times) return { numbers: [], texts: [], isCompared: true };
  const { from: scheduledFrom, to: scheduledTo } = widen(times);
  const filter = { projectId: project, scheduledFrom, scheduledTo };
  const outcome = await listAllPosts(api, filter, { maxPosts: MAX_COMPARED_POSTS, readsAtOnce: true });
  if (outcome.kind !== 'done') return { numbers: [], texts: [], isCompared: false };
  const { items, isComplete } = outcome.data;
  const known = new Set(
    items.map((post) => computePostFingerprint(project, post, post.status?.toUpperCase() === 'DRAFT')),
  );
  const numbers = rows.flatMap(({ number, post }) => {
    const { text, media, platforms, moment, isDraft, ownTexts = {} } = post;
    // The service has a post for each text.
    const texts = Map.groupBy(platforms, (platform) => ownTexts[platform] ?? text);
    const isKnown = ([content, names]: readonly [string, readonly string[]]) =>
      known.has(
        computePostFingerprint(
          project,
          { content, media, platforms: names, ...(moment && { scheduleDate: moment.instant }) },
          isDraft,
        ),
      );
    const isEqual = texts.size === 0 ? isKnown([text, platforms]) : [...texts].every(isKnown);
    return moment && isEqual ? [number] : [];
  });
  const texts = items.flatMap(({ scheduleDate: instant, platforms, status, content }) =>
    instant && status?.toUpperCase() !== 'DRAFT'
      ? [{ instant, platforms, textKey: computeTextKey(content) }]
      : [],
  );
  return { numbers, texts, isCompared: isComplete };
}
