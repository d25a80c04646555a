import { z } from 'zod';
import {
  addDays,
  findStartOfDay,
  getLocalDate,
  type LocalDate,
  renderDay,
  renderTime,
} from '../digests/content/days.ts';
import { toLocalClock } from '../when/format-moment.ts';
import { formatOffsetAt, zoneName } from '../when/zones.ts';

/** How the person of a page reads times. */
export interface PageReader {
  name: string | undefined;
  zone: string;
  locale: string | undefined;
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** A month: "2026-12". */
export type Month = string;
export const isMonth = (text: string): text is Month => /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/.test(text);

/** "December 2026". */
export function renderMonth(month: Month): string {
  return `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;
}

export function addMonths(month: Month, count: number): Month {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

export function listDays(month: Month): LocalDate[] {
  const days: LocalDate[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) days.push(day);
  return days;
}

/** The first and the last instant of a month in a zone, both inclusive. */
export function getMonthRange(month: Month, zone: string): { from: Date; to: Date } {
  const end = findStartOfDay(`${addMonths(month, 1)}-01`, zone);
  return { from: findStartOfDay(`${month}-01`, zone), to: new Date(end.getTime() - 1) };
}

/** The day of the week, from 0 for Sunday. */
export const getWeekday = (day: LocalDate): number => new Date(`${day}T00:00:00Z`).getUTCDay();

const week = z.object({ firstDay: z.number(), weekend: z.array(z.number()) });
/** ISO 8601: from Monday, with Saturday and Sunday as the weekend. */
const ISO_WEEK = { firstDay: 1, weekend: [6, 7] };

/** When the reader's week begins, and which days are its weekend, from 0 for Sunday. Weeks are ISO 8601's by default. */
export function findWeek(locale: string | undefined): { firstDay: number; weekend: readonly number[] } {
  const { firstDay, weekend } = readWeek(locale) ?? ISO_WEEK;
  return { firstDay: firstDay % 7, weekend: weekend.map((day) => day % 7) };
}

/** Undefined for a locale that Intl doesn't know. TypeScript doesn't know this part of Intl yet. */
function readWeek(locale = ''): z.infer<typeof week> | undefined {
  try {
    const read: unknown = Reflect.get(new Intl.Locale(locale), 'getWeekInfo');
    return typeof read === 'function' ? week.safeParse(read.call(new Intl.Locale(locale))).data : undefined;
  } catch {
    return undefined;
  }
}

/** "09:00", "9:00 AM", or "02:30 (UTC+01:00)" if the clock shows that time twice on that day. */
export function renderClock(instant: Date, { zone, locale }: Pick<PageReader, 'zone' | 'locale'>): string {
  const [clock = '', ...note] = renderTime(instant, zone).split(' ');
  return [toLocalClock(clock, locale), ...note].join(' ');
}

/** "Tue 1 Dec, 09:00". */
export function renderMoment(instant: Date, reader: Pick<PageReader, 'zone' | 'locale'>): string {
  return `${renderDay(getLocalDate(instant, reader.zone))}, ${renderClock(instant, reader)}`;
}

/** "Berlin (UTC+01:00)". The offset says more than an abbreviation. */
export function renderZone(zone: string, at: Date): string {
  return `${zoneName(zone)} (${formatOffsetAt(at.getTime(), zone)})`;
}
