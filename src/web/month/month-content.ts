import type { Project } from '../../api/projects.ts';
import { addDays, getLocalDate, type LocalDate } from '../../digests/content/days.ts';
import { isNear } from '../../posts/close-posts.ts';
import {
  type Blackout,
  type FreeSlot,
  findBlackout,
  findBlackoutOn,
} from '../../preferences/posting-times.ts';
import { isZone } from '../../when/zones.ts';
import { isWhole, type PagePlan, type PlanPost } from '../read-plan.ts';
import { TONE_NAMES, type Tone } from '../state.ts';
import { listDays, type PageReader } from '../time.ts';
import type { MonthQuery } from './month-query.ts';

/** Days in a row without a post that are a gap. */
const MIN_GAP_DAYS = 3;

export interface ShownDay {
  date: LocalDate;
  posts: readonly PlanPost[];
  freeSlots: readonly FreeSlot[];
  /** `projects`: the names of those that have it, unless all on the page do. */
  blackouts: readonly { name: string; projects: readonly string[] }[];
  isToday: boolean;
  isPast: boolean;
}

/** What a month shows, without how it looks. */
export interface MonthContent {
  days: readonly ShownDay[];
  /** How many posts each chip of a state shows. '' is for all but the cancelled ones. */
  counts: Readonly<Record<Tone | '', number>>;
  shownCount: number;
  platforms: readonly string[];
  authors: readonly string[];
  /** The posts less than half an hour after another one of the project on a platform. */
  collisions: ReadonlyMap<PlanPost, PlanPost>;
  onBlackouts: readonly { planned: PlanPost; blackout: Blackout }[];
  gaps: readonly { from: LocalDate; to: LocalDate; count: number }[];
}

export interface MonthSources {
  query: MonthQuery;
  plan: PagePlan;
  /** The projects that the page is about. */
  projects: readonly Project[];
  /** Whether these are certainly all that the page is to be about. */
  isAll: boolean;
  blackouts: ReadonlyMap<string, readonly Blackout[]>;
  freeSlots: readonly FreeSlot[];
  reader: PageReader;
  now: Date;
}

/** Decides what a month shows. Pure. */
export function createMonthContent(sources: MonthSources): MonthContent {
  const { query, plan, projects, blackouts, reader, now } = sources;
  const { zone } = reader;
  const today = getLocalDate(now, zone);
  const isLive = ({ state }: PlanPost) => state.tone !== 'cancelled';
  const matches = ({ post, author }: PlanPost) =>
    (query.platform === '' || post.platforms.includes(query.platform)) &&
    (query.author === '' || author === query.author);
  const candidates = plan.posts.filter(matches);
  const shown = candidates.filter((planned) =>
    query.state === '' ? isLive(planned) : planned.state.tone === query.state,
  );
  const byDay = Map.groupBy(shown, ({ at }) => getLocalDate(at, zone));
  const slotsByDay = Map.groupBy(
    query.state === '' && query.author === ''
      ? sources.freeSlots.filter(
          ({ platforms }) => query.platform === '' || platforms.includes(query.platform),
        )
      : [],
    ({ instant }) => getLocalDate(instant, zone),
  );
  const countTone = (tone: Tone) => candidates.filter(({ state }) => state.tone === tone).length;
  const counts = Object.fromEntries(TONE_NAMES.map((tone) => [tone, countTone(tone)])) as Record<
    Tone,
    number
  >;
  const days = listDays(query.month).map((date): ShownDay => {
    const ofDay = projects.flatMap(({ id, name: project }) => {
      const blackout = findBlackoutOn({ blackouts: blackouts.get(id) ?? [] }, date);
      return blackout ? [{ name: blackout.name, project }] : [];
    });
    const byName = [...Map.groupBy(ofDay, ({ name }) => name)];
    return {
      date,
      posts: byDay.get(date) ?? [],
      freeSlots: slotsByDay.get(date) ?? [],
      blackouts: byName.map(([name, days]) => ({
        name,
        projects: days.length === projects.length ? [] : days.map(({ project }) => project),
      })),
      isToday: date === today,
      isPast: date < today,
    };
  });
  const toCome = plan.posts.filter((planned) => isLive(planned) && planned.at > now);
  return {
    days,
    counts: { ...counts, '': candidates.filter(isLive).length },
    shownCount: shown.length,
    platforms: [...new Set(plan.posts.flatMap(({ post }) => post.platforms))],
    authors: [...new Set(plan.posts.flatMap(({ author }) => author ?? []))],
    collisions: findCollisions(toCome),
    onBlackouts: toCome.flatMap((planned) => {
      const { timezone = '' } = planned.post;
      const time = { instant: planned.at, zone: isZone(timezone) ? timezone : zone };
      const blackout = findBlackout({ blackouts: blackouts.get(planned.project.id) ?? [] }, time);
      return blackout ? [{ planned, blackout }] : [];
    }),
    // Posts that couldn't be read may be on these days.
    gaps: sources.isAll && isWhole(plan) ? findGaps(plan.posts.filter(isLive), days, { today, zone }) : [],
  };
}

/** Finds the post before each that is too close to it. `posts` are in order. */
function findCollisions(posts: readonly PlanPost[]): Map<PlanPost, PlanPost> {
  const last = new Map<string, PlanPost>();
  const collisions = new Map<PlanPost, PlanPost>();
  for (const planned of posts) {
    for (const platform of planned.post.platforms) {
      const key = JSON.stringify([planned.project.id, platform]);
      const before = last.get(key);
      if (before && isNear({ instant: before.at }, { instant: planned.at })) collisions.set(planned, before);
      last.set(key, planned);
    }
  }
  return collisions;
}

function findGaps(
  posts: readonly PlanPost[],
  days: readonly Pick<ShownDay, 'date' | 'blackouts'>[],
  { today, zone }: { today: LocalDate; zone: string },
): MonthContent['gaps'] {
  const taken = new Set(posts.map(({ at }) => getLocalDate(at, zone)));
  const gaps: { from: LocalDate; to: LocalDate; count: number }[] = [];
  for (const { date, blackouts } of days) {
    if (date < today || taken.has(date) || blackouts.length > 0) continue;
    const gap = gaps.at(-1);
    if (gap && addDays(gap.to, 1) === date) Object.assign(gap, { to: date, count: gap.count + 1 });
    else gaps.push({ from: date, to: date, count: 1 });
  }
  return gaps.filter(({ count }) => count >= MIN_GAP_DAYS);
}
