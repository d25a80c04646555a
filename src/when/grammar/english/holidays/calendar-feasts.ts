import { DateTime } from 'luxon';
import { rule } from '../../rule.ts';
import { eitherDate } from '../said-date.ts';

/** A month and day as the runtime's CLDR data prints them in English for a calendar. */
interface FeastDay {
  calendar: 'hebrew' | 'persian';
  month: string;
  day: number;
}

const hebrew = (month: string, day: number): FeastDay => ({ calendar: 'hebrew', month, day });

/**
 * Only calendars that are reckoned: where the moon must be seen, as for Ramadan, nobody knows the day before, and the
 * runtime's Chinese calendar is a day late in some years (2027).
 */
const DAYS: readonly (readonly [RegExp, FeastDay])[] = [
  [/^purim/, hebrew('Adar', 14)],
  [/^p(?:assover|esach)/, hebrew('Nisan', 15)],
  [/^shavuot/, hebrew('Sivan', 6)],
  [/^rosh/, hebrew('Tishri', 1)],
  [/^yom/, hebrew('Tishri', 10)],
  [/^sukkot/, hebrew('Tishri', 15)],
  [/^c?han/, hebrew('Kislev', 25)],
  [/^(?:now?ruz|persian)/, { calendar: 'persian', month: '1', day: 1 }],
];

const NAMES =
  'persian\\snew\\syear|purim|passover|pesach|shavuot|rosh\\shashanah?|yom\\skippur|sukkot|c?hann?uk+ah?|now?ruz';

/** "First day of hanukkah", "passover 2027", "nowruz". Jewish days begin at sunset: the day before is meant as well. */
export const calendarFeasts = rule(
  'calendar-feasts',
  `(?:(?:the\\s)?(?:first\\sday|start|beginning)\\sof\\s)?(?:next\\s)?(?<name>${NAMES})(?:\\sday)?(?:,?\\s(?:of\\s|in\\s)?(?<year>20\\d\\d)(?!\\s?h(?:rs?|ours?)?\\b))?`,
  ({ name = '', year }, today) => {
    const meant = DAYS.find(([names]) => names.test(name))?.[1];
    if (meant === undefined) return undefined;
    const date = firstFrom(year === undefined ? today : DateTime.utc(Number(year), 1, 1), meant);
    if (date === undefined || (year !== undefined && date.year !== Number(year))) return undefined;
    return eitherDate(date, meant.calendar === 'hebrew' ? [date.minus({ days: 1 })] : []);
  },
);

/** From day to day of interest, of which a month has at most four and a year thirteen months. */
const MOST_STEPS = 60;
const LONGEST_MONTH = 30;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The first such day from that day on. */
function firstFrom(from: DateTime, { calendar, month, day }: FeastDay): DateTime | undefined {
  const format = formats.get(calendar) ?? formatOf(calendar);
  formats.set(calendar, format);
  let date = from;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const shown = shownBy(format, date);
    const isMonth = shown.month === month || (month === 'Adar' && shown.month === 'Adar II');
    if (isMonth && shown.day === day) return date;
    const days = isMonth && shown.day < day ? day - shown.day : LONGEST_MONTH - shown.day;
    date = date.plus({ days: Math.max(1, days) });
  }
  return undefined;
}

function formatOf(calendar: string): Intl.DateTimeFormat {
  const options = { timeZone: 'UTC', day: 'numeric', month: 'numeric' } as const;
  return new Intl.DateTimeFormat(`en-u-ca-${calendar}`, options);
}

function shownBy(format: Intl.DateTimeFormat, date: DateTime): { month: string; day: number } {
  const parts = format.formatToParts(date.toMillis());
  const partOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { month: partOf('month'), day: Number(partOf('day')) };
}
