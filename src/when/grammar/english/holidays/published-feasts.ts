import { DateTime } from 'luxon';
import { eitherDateOf } from '../../piece.ts';
import { rule } from '../../rule.ts';
import { feastFrom, feastPattern } from './calendar-feasts.ts';

/** Feasts whose dates are only in almanacs. */
interface Almanac {
  /** Source of these days, and of later years. */
  source: string;
  /** The first and the last listed year. */
  years: readonly [first: number, last: number];
  /** By their names: the day (MM-DD) in each year, or two days if countries differ. */
  feasts: Readonly<Record<string, string>>;
}

/** New moons in Beijing. Node's own Chinese calendar is a day late in 2027. */
const CHINA: Almanac = {
  source: 'date-chinese 2.1.4',
  years: [2026, 2040],
  feasts: {
    'chinese\\snew\\syear':
      '02-17 02-06 01-26 02-13 02-03 01-23 02-11 01-31 02-19 02-08 01-28 02-15 02-04 01-24 02-12',
    // Seoul's and Hanoi's new moons may be on another day than Beijing's.
    'lunar\\snew\\syear':
      '02-17 02-06/02-07 01-26/01-27 02-13 02-03/02-02 01-23 02-11 01-31 02-19 02-08 01-28 02-15 02-04 01-24 02-12',
    'lantern\\sfestival':
      '03-03 02-20 02-09 02-27 02-17 02-06 02-25 02-14 03-05 02-22 02-11 03-01 02-18 02-07 02-26',
    'qing\\s?ming(?:\\sfestival)?|tomb[\\s-]sweeping':
      '04-05 04-05 04-04 04-04 04-05 04-05 04-04 04-04 04-05 04-05 04-04 04-04 04-05 04-05 04-04',
    'dragon\\sboat\\sfestival':
      '06-19 06-09 05-28 06-16 06-05 06-24 06-12 06-01 06-20 06-10 05-30 06-18 06-07 05-27 06-14',
    '(?:mid[\\s-]?autumn|moon|mooncake)\\sfestival':
      '09-25 09-15 10-03 09-22 09-12 10-01 09-19 10-07 09-27 09-16 10-04 09-24 09-13 10-02 09-20',
    '(?:double\\s(?:ninth|nine)|chongyang)\\sfestival':
      '10-18 10-08 10-26 10-16 10-05 10-24 10-12 10-31 10-20 10-09 10-27 10-17 10-07 10-26 10-14',
  },
};

/**
 * In 2027 and 2030 Singapore, Malaysia and Trinidad keep Diwali a day before India and Mauritius, and may again in 2031
 * and 2034.
 */
const INDIA: Almanac = {
  source: 'https://www.timeanddate.com/holidays/india/',
  years: [2026, 2035],
  feasts: {
    'diwali|divali|deepavali|dipavali':
      '11-08 10-29/10-28 10-17 11-05 10-26/10-25 11-14/11-13 11-02 10-22 11-10/11-09 10-30',
    holi: '03-04 03-22 03-11 03-01 03-20 03-09 03-27 03-16 03-05 03-24',
    'dussehra|dusshera|dasara|vijayadashami': '10-20 10-09 09-27 10-16 10-06 10-25 10-14 10-03 10-22 10-11',
    'nava?ratri|nava?rathri': '10-11 09-30 09-19 10-08 09-28 10-17 10-05 09-24 10-13 10-02',
    'raksha\\sbandhan': '08-28 08-17 08-05 08-23 08-13 08-02 08-20 08-10 08-29 08-18',
    'ganesh\\schaturthi': '09-14 09-04 08-23 09-11 09-01 09-20 09-08 08-28 09-16 09-05',
    '(?:krishna\\s)?janmashtami': '09-04 08-25 08-13 09-01 08-21 08-10 08-28 08-17 09-06 08-26',
    '(?:maha\\s)?shivaratri|maha\\sshivratri': '02-15 03-06 02-23 02-11 03-02 02-20 03-10 02-27 02-17 03-08',
    'rama?\\snavami': '03-26 04-15 04-03 04-22 04-12 04-01 04-19 04-07 03-28 04-16',
    'guru\\snanak\\sjayanti|gurpurab': '11-24 11-14 11-02 11-21 11-10 11-28 11-17 11-06 11-25 11-15',
    onam: '08-26 09-12 09-01 08-22 09-09 08-30 08-20 09-06 08-28 09-14',
    pongal: '01-15 01-15 01-15 01-14 01-15/01-14 01-15 01-15 01-14 01-14 01-15',
  },
};

interface ListedFeast extends Omit<Almanac, 'feasts'> {
  names: string;
  days: string;
}

export const LISTED_FEASTS: readonly ListedFeast[] = [CHINA, INDIA].flatMap(({ feasts, ...almanac }) =>
  Object.entries(feasts).map(([names, days]) => ({ ...almanac, names, days })),
);

/** "lunar new year 9am", "the day before diwali", "mid-autumn festival 2028", in the listed years. */
export const publishedFeasts = rule(
  feastPattern(LISTED_FEASTS.map(({ names }) => names)),
  ({ name = '', ...asked }, today) => {
    const feast = LISTED_FEASTS.find(({ names }) => new RegExp(`^(?:${names})$`).test(name));
    const days = feast === undefined ? [] : daysOf(feast);
    const date = feastFrom(today, asked, (from) => days.map(([day]) => day).find((day) => day >= from));
    if (date === undefined) return undefined;
    const before = { days: asked.eve === undefined ? 0 : 1 };
    const others = days.find(([day]) => day.hasSame(date.plus(before), 'day'))?.slice(1) ?? [];
    return eitherDateOf(
      date,
      others.map((other) => other.minus(before)),
    );
  },
);

/** Each year's day, and the alternative days. */
export function daysOf({
  days,
  years: [first],
}: ListedFeast): readonly (readonly [DateTime, ...DateTime[]])[] {
  return days.split(' ').map((inYear, index) => {
    const utc = (day: string): DateTime => DateTime.fromISO(`${first + index}-${day}`, { zone: 'utc' });
    const [day = '', ...others] = inYear.split('/');
    return [utc(day), ...others.map(utc)];
  });
}
