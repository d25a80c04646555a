import { platformNames } from '../../../posts/platforms.ts';
import { clip } from '../../../slack/clip.ts';
import { zoneName } from '../../../when/when.ts';
import { clockChange, dateAfter, dayWords, isWeekday, type LocalDate, startOf, timeWords } from '../days.ts';
import { type Findings, WEEK_DAYS } from '../findings.ts';
import { isMeant, type Plan, type Planned, statusOf } from '../plan.ts';
import { nameOf, namesOf, wordsOf } from '../said/lines.ts';

/** A week as it is drawn and told. All texts are plain. */
export interface Week {
  projects: string;
  from: string;
  to: string;
  zone: string;
  /** Of several projects: each post names its own. */
  isMixed: boolean;
  days: readonly WeekDay[];
}

export interface WeekDay {
  title: string;
  isWeekend: boolean;
  /** What the clock does that day: "02:00 → 03:00". */
  change: string | undefined;
  /** The first of them, as many as anybody looks at. */
  posts: readonly WeekPost[];
  count: number;
}

export const STATES = ['scheduled', 'published', 'late', 'draft'] as const;
type State = (typeof STATES)[number];

export interface WeekPost {
  time: string;
  /** "UTC+1", where the clock shows this time twice that day. */
  offset: string | undefined;
  platforms: readonly string[];
  project: string;
  words: string;
  state: State;
}

const PLATFORM = 40;
/** Of one day; others are counted. */
export const MOST_A_DAY = 10;

/** Seven days from a local date on; drafts with a date stand among the posts where `drafts` says so. */
export function weekOf(
  plan: Plan,
  findings: Findings,
  { date, zone, drafts }: { date: LocalDate; zone: string; drafts: boolean },
): Week {
  const dates = Array.from({ length: WEEK_DAYS }, (_, ahead) => dateAfter(date, ahead));
  const late = new Set(findings.late);
  const shown = plan.posts.filter((planned) => drafts || isMeant(planned));
  return {
    projects: namesOf(plan.projects),
    from: dayWords(date),
    to: dayWords(dates.at(-1) ?? date),
    zone: zoneName(zone),
    isMixed: plan.projects.length > 1,
    days: dates.map((day) => {
      const [from, to] = [startOf(day, zone), startOf(dateAfter(day, 1), zone)];
      const posts = shown.filter(({ at }) => at >= from && at < to);
      return {
        title: dayWords(day),
        isWeekend: !isWeekday(day),
        change: clockChange(day, zone),
        posts: posts.slice(0, MOST_A_DAY).map((one) => weekPost(one, { zone, isLate: late.has(one) })),
        count: posts.length,
      };
    }),
  };
}

function weekPost(planned: Planned, { zone, isLate }: { zone: string; isLate: boolean }): WeekPost {
  const [time = '', offset] = timeWords(planned.at, zone).split(/ \(|\)/);
  return {
    time,
    // As short as it is said: UTC+2, UTC+5:30.
    offset: offset?.replace(/^UTC([+-])0?(\d+)(?::00)?/, 'UTC$1$2'),
    platforms: planned.post.platforms.map((platform) => clip(platformNames([platform]), PLATFORM)),
    project: nameOf(planned.project),
    words: wordsOf(planned),
    state: stateOf(planned, isLate),
  };
}

function stateOf(planned: Planned, isLate: boolean): State {
  if (isLate) return 'late';
  if (!isMeant(planned)) return 'draft';
  return statusOf(planned) === 'PUBLISHED' ? 'published' : 'scheduled';
}
