import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { byMeaning } from '../european/word-list.ts';
import { CHURCH_FEASTS, type Feast, feastDay, nthOf, onDate, onDates, SHOPPING_DAYS } from '../feasts.ts';
import { dateOf, type Meaning } from '../piece.ts';
import { ruleWithoutSpaces } from '../rule.ts';
import { japaneseNumber, NUMBER, wordsOf } from './times.ts';

/** The year before the first of the era that began in 2019. */
const REIWA = 2018;

/** 3月25日, 2027年3月25日, 令和9年3月25日. */
const dates = ruleWithoutSpaces(
  `(?:(?:(?<year>\\d{4})|令和(?<reiwa>${NUMBER}|元))年の?)?(?<month>${NUMBER})月の?(?<day>${NUMBER})日(?!間|後|前|以内)`,
  ({ year, reiwa, month, day }) => {
    const era = reiwa === '元' ? 1 : japaneseNumber(reiwa);
    return dateIn(japaneseNumber(month), japaneseNumber(day), era === undefined ? year : String(REIWA + era));
  },
);

/** "3/25", "3.25", "2027/3/25", and "3-25" before a time: the month comes first. */
const datesInFigures = ruleWithoutSpaces(
  '(?<![/.:\\d-])(?:(?:(?<year>\\d{4})/)?(?<month>\\d{1,2})/(?<day>\\d{1,2})|(?:(?<year>\\d{4})\\.)?(?<month>\\d{1,2})\\.(?<day>\\d{1,2})|(?<month>\\d{1,2})-(?<day>\\d{1,2})(?=\\s?\\(|\\s\\d{1,2}[時:]))(?![/.\\d-])',
  ({ year, month, day }) =>
    dateIn(Number(month), Number(day), year) ?? dateIn(Number(day), Number(month), year),
);

function dateIn(month?: number, day?: number, year?: string): Meaning | undefined {
  if (month === undefined || day === undefined || month < 1 || month > 12 || day < 1 || day > 31)
    return undefined;
  return year === undefined ? { month, day } : { month, day, year: Number(year) };
}

/** 25日, 二十日. */
const daysOfMonth = ruleWithoutSpaces(`(?<day>${NUMBER})日(?!間|後|前|以内|目|と|で)`, ({ day }) => {
  const number = japaneseNumber(day);
  return number === undefined || number < 1 || number > 31 ? undefined : { day: number };
});

/** Names of months, and how many months ahead they are. */
export const MONTHS = wordsOf(byMeaning<number>({ 0: '今月', 1: '来月 次の月 翌月', 2: '再来月' }));

/** 月末, 来月末, 12月末, 年末, 月初, 来月初め, 1月中旬, 12月上旬. */
const partsOfMonths = ruleWithoutSpaces(
  `(?:(?<which>${MONTHS.pattern})|(?<month>${NUMBER})月|(?<year>年)|月)の?(?:(?<end>末|終わり)|(?<middle>中旬|半ば)|(?<late>下旬)|初め?|はじめ|頭|上旬)`,
  ({ which, month, year, end, middle, late }, today) => {
    const isPast = (number: number) => number < today.month;
    const number = year === undefined ? japaneseNumber(month) : 12;
    if (number !== undefined && (number < 1 || number > 12)) return undefined;
    const first = today.startOf('month').plus({ months: MONTHS.meaningOf(which) ?? 0 });
    const named = number === undefined ? first : DateTime.utc(today.year + (isPast(number) ? 1 : 0), number);
    if (end !== undefined) return dateOf(named.endOf('month'));
    if (year !== undefined) return undefined;
    const day = named.set({ day: middle === undefined ? (late === undefined ? 1 : 21) : 15 });
    return dateOf(day < today && which === undefined && month === undefined ? day.plus({ months: 1 }) : day);
  },
);

const FEASTS: readonly (readonly [string, Feast])[] = [
  ...onDates(`01-01 元日|元旦; 02-14 バレンタイン(?:デー)?; 03-03 ひな祭り|雛祭り; 03-14 ホワイトデー;
    04-01 エイプリルフール; 05-01 メーデー; 07-07 七夕; 10-31 ハロウィー?ン; 11-15 七五三;
    12-24 クリスマス・?イ[ブヴ]; 12-25 クリスマス; 12-31 大晦日|大みそか|おおみそか`),
  // 国民の祝日に関する法律 (Act 178 of 1948), article 2; the equinoxes are proclaimed a year ahead and not here.
  ['成人の日', nthOf(2, 'monday', 1)],
  ...onDates(
    '02-11 建国記念の?日; 02-23 天皇誕生日; 04-29 昭和の日; 05-03 憲法記念日; 05-04 みどりの日; 05-05 (?:こども|子ども|子供)の日',
  ),
  ['海の日', nthOf(3, 'monday', 7)],
  ['山の日', onDate(8, 11)],
  ['敬老の日', nthOf(3, 'monday', 9)],
  ['(?:スポーツ|体育)の日', nthOf(2, 'monday', 10)],
  ...onDates('11-03 文化の日; 11-23 勤労感謝の日'),
  // Customs.
  ['母の日', nthOf(2, 'sunday', 5)],
  ['父の日', nthOf(3, 'sunday', 6)],
  ['イースター|復活祭', CHURCH_FEASTS.easter],
  ['ブラックフライデー', SHOPPING_DAYS.blackFriday],
  ['サイバーマンデー', SHOPPING_DAYS.cyberMonday],
];

const named = FEASTS.map(([name, feast]) => ({ exact: new RegExp(`^(?:${name})$`), feast }));

/** 大晦日, クリスマスイブ, 2027年の元日. */
const feasts = ruleWithoutSpaces(
  `(?:(?:(?<year>20\\d\\d)年|(?<next>来年))の?)?(?<name>${FEASTS.map(([name]) => name).join('|')})`,
  ({ year, next, name = '' }, today) => {
    const found = named.find(({ exact }) => exact.test(name));
    const figures = year === undefined ? undefined : Number(year);
    return found && feastDay(found.feast, today, next === undefined ? figures : today.year + 1);
  },
);

export const japaneseDates: readonly Parser[] = [dates, datesInFigures, daysOfMonth, partsOfMonths, feasts];
