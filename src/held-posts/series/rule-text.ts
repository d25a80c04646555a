import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import {
  type Blackout,
  findBlackout,
  renderBlackoutDays,
  type ZonedRecurrence,
} from '../../preferences/posting-times.ts';
import { formatMoment, formatMomentDay, renderNote, toLocalClock } from '../../when/format-moment.ts';
import { nextOccurrence, occurrencesOf, renderRecurrence } from '../../when/recurrence.ts';
import { instantsShowing, offsetAt, wallClockAt } from '../../when/zones.ts';
import { type DateLimits, listDates, listNextDates, toInstant } from './rule.ts';

/** How many dates people read before they save a series, and on its card. */
export const SHOWN_DATES = 5;

export interface RuleReader {
  now: Date;
  locale?: string | undefined;
}

/** Renders the next dates of a rule, each with its weekday and zone: "Fri 27 Nov, 09:00 (Berlin)". Plain text. */
export function renderNextDates(
  recurrence: ZonedRecurrence,
  { now, locale }: RuleReader,
  limits: DateLimits = {},
): string[] {
  const { zone } = recurrence;
  return listNextDates(recurrence, now, { ...limits, most: SHOWN_DATES }).map(({ instant }) =>
    formatMoment({ instant, zone }, { now, locale }),
  );
}

/** Says from when a rule applies that was changed from a date on: ", from Tue 15 Dec on". Plain text. */
export function renderFrom(key: number, { zone }: ZonedRecurrence, { now, locale }: RuleReader): string {
  return `, from ${formatMomentDay({ instant: toInstant(key, zone), zone }, { now, locale })} on`;
}

/** The rule with the clock of a locale, for people to read: "weekdays at 9:00 AM (Berlin)". Plain text. */
export function renderRuleForReader(recurrence: ZonedRecurrence, locale: string | undefined): string {
  return renderNote(renderRecurrence(recurrence), locale);
}

/** Renders blackout days: "24 Dec to 26 Dec (Christmas)". Plain text. */
function renderBlackout(blackout: Blackout): string {
  const days = renderBlackoutDays(blackout, { hasYear: false });
  return blackout.name === '' ? days : `${days} (${blackout.name})`;
}

/** How far ahead left out dates are named. */
const LEFT_OUT_DAYS = 91;

/** Names the blackout days on which a rule would have a date: "Left out: 25 Dec (Christmas)." Plain text. */
export function renderLeftOut(
  recurrence: ZonedRecurrence,
  blackouts: readonly Blackout[],
  now: Date,
): string[] {
  if (blackouts.length === 0) return [];
  const until = new Date(now.getTime() + LEFT_OUT_DAYS * DAY_MS);
  const dates = listDates(recurrence, { after: now, until });
  const leftOut = dates.flatMap(
    ({ instant }) => findBlackout({ blackouts }, { instant, zone: recurrence.zone }) ?? [],
  );
  const names = [...new Set(leftOut)].map(renderBlackout);
  return names.length === 0 ? [] : [`Left out as blackout days: ${names.join(', ')}.`];
}

/** Explains what becomes of dates that some months don't have, and of times when the clocks change. Plain text. */
export function explainRule(recurrence: ZonedRecurrence, reader: RuleReader): string[] {
  return [...explainShortMonths(recurrence), ...explainClockChanges(recurrence, reader)];
}

/** Every month has these days. */
const COMMON_MONTH_DAYS = 28;

function explainShortMonths({ on }: ZonedRecurrence): string[] {
  if (on.unit === 'year') return on.month === 2 && on.day === 29 ? ['It goes out only in leap years.'] : [];
  if (on.unit !== 'month') return [];
  const days = on.monthDays.flatMap((each) =>
    'day' in each && each.day > COMMON_MONTH_DAYS ? [each.day] : [],
  );
  if (days.length === 0) return [];
  const names = days.map((day) => (day === 31 ? 'a 31st' : `a ${day}th`)).join(' or ');
  return [`Months without ${names} are skipped. For the end of every month, type “last day of every month”.`];
}

/** Both changes of the clocks are in this time. */
const SEARCHED_DAYS = 370;

function explainClockChanges(recurrence: ZonedRecurrence, { now, locale }: RuleReader): string[] {
  const { zone } = recurrence;
  const changes = listClockChanges(zone, now).filter(
    (day) => nextOccurrence(recurrence, new Date(day - DAY_MS)) !== undefined,
  );
  const [first] = changes;
  if (first === undefined) return [];
  const render = (instant: Date) => formatMoment({ instant, zone }, { now, locale });
  // Some zones skip or repeat the last hour of the day before.
  const special = [...new Set(changes.flatMap((day) => [day - DAY_MS, day]))].flatMap((day) =>
    recurrence.times.flatMap(({ hour, minute }) => {
      const wall = day + (hour * 60 + minute) * MINUTE_MS;
      const instants = instantsShowing(wall, zone);
      const instant = toInstant(wall / MINUTE_MS, zone);
      const after = new Date(Math.max(now.getTime(), instant.getTime() - 1));
      const isDate = listDates(recurrence, { after, until: instant }).length > 0;
      if (!isDate || instants.length === 1) return [];
      const time = toLocalClock(new Date(wall).toISOString().slice(11, 16), locale);
      return instants.length === 0
        ? [`The clocks skip ${time} that day: ${render(instant)} instead.`]
        : [`The clocks show ${time} twice that day: it goes out the first time, ${render(instant)}.`];
    }),
  );
  if (special.length > 0) return special;
  const [isAffected] = occurrencesOf(recurrence, {
    after: new Date(first),
    until: new Date(now.getTime() + SEARCHED_DAYS * DAY_MS),
    most: 1,
  });
  const [time] = recurrence.times;
  if (!isAffected || !time) return [];
  const noon = toInstant((first + DAY_MS / 2) / MINUTE_MS, zone);
  const day = formatMomentDay({ instant: noon, zone }, { now, locale });
  return [`It keeps its time on the clock when the clocks change, next on ${day}.`];
}

/** Lists the days on which the clock of a zone changes, as midnights in UTC. */
function listClockChanges(zone: string, now: Date): number[] {
  const today = Math.floor(wallClockAt(now.getTime(), zone) / DAY_MS) * DAY_MS;
  // Just before the day, because some zones change their clocks at midnight.
  const getOffset = (day: number) => offsetAt(toInstant(day / MINUTE_MS, zone).getTime() - 1, zone);
  return Array.from({ length: SEARCHED_DAYS }, (_, index) => today + index * DAY_MS).filter(
    (day) => getOffset(day) !== getOffset(day + DAY_MS),
  );
}
