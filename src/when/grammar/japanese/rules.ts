import { DateTime, Duration } from 'luxon';
import { clock } from '../european/clock.ts';
import { namedDay } from '../european/days.ts';
import { byMeaning, type Meanings, type NamedDay, unitsIn, wordList } from '../european/vocabulary.ts';
import { feastDay, namedDays } from '../feasts.ts';
import { dateIn, dateInEitherOrder, dateOf, type Meaning, type PartOfDay } from '../piece.ts';
import {
  dayAt,
  type NamedPeriod,
  namedMonth,
  namedPart,
  type Place,
  periodAhead,
  wholePeriod,
} from '../places.ts';
import { allMatches, type Groups, type Rule, ruleWithoutSpaces } from '../rule.ts';

/** Figures, or kanji to 99: "12", "二十二". */
export const NUMBER = '(?:\\d+|[〇零一二三四五六七八九十]+)';

const DIGITS = '〇一二三四五六七八九';

/** The value of figures or kanji. Undefined for anything else, and for kanji past 99. */
function japaneseNumber(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const parts = /^(?:(?<tens>[二三四五六七八九])?(?<ten>十))?(?<unit>[〇一二三四五六七八九])?$/u.exec(
    text.replaceAll('零', '〇'),
  )?.groups;
  if (parts === undefined) return undefined;
  const tens = parts.ten === undefined ? 0 : Math.max(1, DIGITS.indexOf(parts.tens ?? '〇')) * 10;
  return tens + Math.max(0, DIGITS.indexOf(parts.unit ?? '〇'));
}

const HALF_OF_DAY = '(?:(?:(?<am>午前|am)|(?<pm>午後|pm))の?\\s?)';

/** 15時20分, 午後3時半, 午前8:00, 10:30 AM, 3pm. */
const times = ruleWithoutSpaces(
  `${HALF_OF_DAY}?(?:(?<hour>${NUMBER})[時じ](?:(?<half>半)|(?<minute>${NUMBER})分)?(?:${NUMBER}秒)?(?!間|以内)|(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?::[0-5]\\d)?(?!\\d)(?:\\s?(?<half12>[ap]m))?|(?<hour>\\d{1,2})\\s?(?<half12>[ap]m)|(?<=m\\s?)(?<hour>\\d{1,2})(?![\\d:時じ]))`,
  ({ am, pm, hour, half, minute, half12 }) =>
    timeOf({
      am: am ?? (half12 === 'am' ? half12 : undefined),
      pm: pm ?? (half12 === 'pm' ? half12 : undefined),
      hour: japaneseNumber(hour),
      figures: hour,
      minute: half === undefined ? (japaneseNumber(minute) ?? 0) : 30,
      isFigures: minute !== undefined,
    }),
);

/** 7時15分前, 7時の15分前, 5時20分過ぎ. */
const minutesAround = ruleWithoutSpaces(
  `${HALF_OF_DAY}?(?<hour>${NUMBER})時の?(?<minute>${NUMBER})分(?:(?<before>前)|(?:過ぎ|すぎ))`,
  ({ am, pm, hour, minute, before }) => {
    const [full, size] = [japaneseNumber(hour), japaneseNumber(minute)];
    if (full === undefined || size === undefined || size > 59 || full > 24 || full < 1) return undefined;
    const total = before === undefined ? full * 60 + size : full * 60 - size;
    return timeOf({ am, pm, hour: Math.floor(total / 60), minute: total % 60, figures: undefined });
  },
);

interface Time {
  am: string | undefined;
  pm: string | undefined;
  hour: number | undefined;
  minute: number;
  figures: string | undefined;
  isFigures?: boolean;
}

/** 午後 leaves an hour of the 24-hour clock as it is. 午前0時 is midnight. */
function timeOf({ am, pm, hour, minute, figures, isFigures }: Time): Meaning | undefined {
  if (hour === undefined) return undefined;
  if (am !== undefined) return hour <= 12 && minute < 60 ? { hour: hour % 12, minute } : undefined;
  if (pm !== undefined && hour < 12 && minute < 60) return { hour: hour + 12, minute };
  return clock({ hour, minute, isShown: true, isFigures }, { figures });
}

/** 25時, 今夜26時30分: broadcasters and bars count on after midnight, and their day is the one before. */
const lateHours = ruleWithoutSpaces(
  '(?:(?<tonight>今夜|今晩)の?|(?:深夜|夜)の?)?(?<hour>2[5-9])(?:時(?:(?<half>半)|(?<minute>[0-5]?\\d)分)?|:(?<minute>[0-5]\\d))(?!間|以内|\\d)',
  ({ tonight, hour, half, minute }, { year, month, day }): Meaning => {
    const time = { hour: Number(hour) - 24, minute: half === undefined ? Number(minute ?? 0) : 30 };
    if (tonight === undefined) return { ...time, part: 'late-night' };
    return { ...time, year, month, day, isToday: true, part: 'late-night' };
  },
);

const noon = ruleWithoutSpaces('正午(?:の?12時)?|真昼', () => ({ hour: 12, minute: 0 }));
const midnight = ruleWithoutSpaces('真夜中', () => ({ hour: 0, minute: 0, isMidnight: true }));

/** Words by their meanings. The pattern prefers longer ones. */
function wordsOf<T>(meanings: Meanings<T>) {
  const words = new Map(
    meanings.flatMap(([names, meaning]) => names.split(' ').map((name) => [name, meaning] as const)),
  );
  const pattern = [...words.keys()].sort((a, b) => b.length - a.length).join('|');
  return { pattern, meaningOf: (word = '') => words.get(word) };
}

const PARTS = wordsOf<PartOfDay>([
  ['早朝 未明 明け方 朝早く', 'early-morning'],
  ['朝 朝一 朝一番 朝イチ 始業時 午前中 午前', 'morning'],
  ['昼前', 'late-morning'],
  ['昼 お昼 お昼時 昼休み ランチタイム', 'midday'],
  ['昼過ぎ お昼過ぎ 昼食後 ランチ後 午後一 午後イチ', 'early-afternoon'],
  ['午後', 'afternoon'],
  ['夕方', 'dusk'],
  ['終業時 退勤時', 'late-afternoon'],
  ['仕事終わり 仕事の後 晩', 'evening'],
  ['夜', 'night'],
  ['夜中 深夜', 'late-night'],
]);

const parts = ruleWithoutSpaces(`(?<part>${PARTS.pattern})(?:に)?`, (found) => {
  const part = PARTS.meaningOf(found.part);
  return part && { part };
});

const UNITS = wordList(unitsIn('秒間?, 分間?, 時間, 日間?, 週間?, [かヶカケ箇]月間?, 年間?'));
const DURATION = `(?:${NUMBER}${UNITS.pattern}半?と?){1,4}`;
const COUNTED = new RegExp(`(?<count>${NUMBER})(?<unit>${UNITS.pattern})(?<half>半)?`, 'gu');

/** 2分後, 1時間半後に, 30分経ったら, 5分で, 今から2週間後. */
const fromNow = ruleWithoutSpaces(
  `(?:(?:今|現在|いま|今日|本日)から)?(?:あと)?(?<duration>${DURATION})(?:ほど|くらい|ぐらい|程度?)?(?:後に?|あと|(?<!日)で|経ったら|たったら|経ってから|経過してから|経過したら|経過後|したら|過ぎたら|過ぎに|(?<=あと[^あ]+))`,
  ({ duration: words = '' }) => {
    const duration = durationOf(words);
    return duration === undefined ? undefined : { fromNow: duration };
  },
);

function durationOf(text: string): Duration | undefined {
  let total = Duration.fromMillis(0);
  for (const { groups } of allMatches(text, COUNTED)) {
    const count = japaneseNumber(groups?.count);
    const unit = UNITS.meaningOf(groups?.unit);
    const isHalf = groups?.half !== undefined;
    if (count === undefined || unit === undefined || (isHalf && unit !== 'hours')) return undefined;
    total = total.plus({ [unit]: count, ...(isHalf ? { minutes: 30 } : {}) });
  }
  return Duration.fromISO(total.toISO()).isValid ? total : undefined;
}

/** The year before the first of the era that began in 2019. */
const REIWA = 2018;

/** 3月25日, 2027年3月25日, 令和9年3月25日. */
const dates = ruleWithoutSpaces(
  `(?:(?:(?<year>\\d{4})|令和(?<reiwa>${NUMBER}|元))年の?)?(?<month>${NUMBER})月の?(?<day>${NUMBER})日(?!間|後|前|以内)`,
  ({ year, reiwa, month, day }) => {
    const era = reiwa === '元' ? 1 : japaneseNumber(reiwa);
    const inEra = era === undefined ? undefined : REIWA + era;
    return dateIn(japaneseNumber(day), japaneseNumber(month), year ?? inEra);
  },
);

/** "2027/3/25", "3.25", "3/25", and "3-25" before a time. The reader's order turns the last two. */
const datesInFigures = ruleWithoutSpaces(
  '(?<![/.:\\d-])(?:(?<year>\\d{4})/(?<month>\\d{1,2})/(?<day>\\d{1,2})|(?<a>\\d{1,2})/(?<b>\\d{1,2})|(?:(?<year>\\d{4})\\.)?(?<month>\\d{1,2})\\.(?<day>\\d{1,2})|(?<a>\\d{1,2})-(?<b>\\d{1,2})(?=\\s?\\(|\\s\\d{1,2}[時:]))(?![/.\\d-])',
  ({ year, month, day, a, b }) =>
    month === undefined
      ? dateInEitherOrder([Number(a), Number(b)], { dayFirst: false })
      : (dateIn(Number(day), Number(month), year) ?? dateIn(Number(month), Number(day), year)),
);

/** 25日, 二十日. */
const daysOfMonth = ruleWithoutSpaces(`(?<day>${NUMBER})日(?!間|後|前|以内|目|と|で)`, ({ day }) => {
  const number = japaneseNumber(day);
  return number === undefined || number < 1 || number > 31 ? undefined : { day: number };
});

/** How many weeks, months, quarters or years are between the current one and this, the next or the one after it. */
const AHEAD = wordsOf(byMeaning<number>({ 0: '今 こん', 1: '来 翌 次の らい', 2: '再来 さらい' }));
const NAMED_UNITS = wordsOf<'week' | 'month' | 'quarter' | 'year'>([
  ['週 しゅう', 'week'],
  ['月', 'month'],
  ['四半期', 'quarter'],
  ['年', 'year'],
]);

/** 来週, 月, 再来年, 12月, 2027年12月, 第4四半期, 2027年. */
const PERIOD = `(?:(?<ahead>${AHEAD.pattern})?(?<unit>${NAMED_UNITS.pattern})|(?:(?<year>20\\d\\d)年の?)?(?:(?<month>${NUMBER})月|第(?<quarter>${NUMBER})四半期)|(?<alone>20\\d\\d)年)`;

function periodIn(found: Groups, today: DateTime): NamedPeriod | undefined {
  const unit = NAMED_UNITS.meaningOf(found.unit);
  if (unit !== undefined) return periodAhead(unit, today, AHEAD.meaningOf(found.ahead));
  if (found.alone !== undefined) return { unit: 'year', firstDay: DateTime.utc(Number(found.alone)) };
  const [year, quarter] = [japaneseNumber(found.year), japaneseNumber(found.quarter)];
  if (quarter === undefined) return namedMonth(japaneseNumber(found.month), today, year);
  return quarter < 1 || quarter > 4 ? undefined : namedPart({ unit: 'quarter', nth: quarter }, today, year);
}

const PLACES = wordsOf<Place>([
  ['初 初め はじめ 頭 上旬 初旬', 'start'],
  ['中旬 半ば', 'middle'],
  ['下旬', { nth: 21, of: 'day' }],
  ['末 終わり', 'end'],
  ['最終日 最後の日', { nth: -1, of: 'day' }],
  ['最終営業日 最後の営業日', { nth: -1, of: 'working-day' }],
]);

/** 月末, 来月末, 12月末, 来年末, 第4四半期末, 月初, 1月中旬, 来週の頭. */
const placesInPeriods = ruleWithoutSpaces(`${PERIOD}の?(?<place>${PLACES.pattern})`, (found, today) => {
  const period = periodIn(found, today);
  const place = PLACES.meaningOf(found.place);
  // Only months have ten-day parts.
  if (found.place?.endsWith('旬') && period?.unit !== 'month') return undefined;
  return period && place && dayAt(place, period, today);
});

/** Whole quarters, and the week, month or year of a day: 来四半期, 来週の月曜日, 木曜日16時 来週, 来月5日, 来年の1月7日. */
const periods = ruleWithoutSpaces(`${PERIOD}(?![末明中]|まで)`, (found, today): Meaning | undefined => {
  const period = periodIn(found, today);
  const ahead = AHEAD.meaningOf(found.ahead);
  const isNamed = (ahead ?? found.quarter) !== undefined;
  if (period?.unit === 'quarter') return isNamed ? wholePeriod(period, today) : undefined;
  if (period === undefined || ahead === undefined) return undefined;
  if (period.unit === 'week') return { week: { ahead, ...(ahead > 0 && { mayBeginOnSunday: true }) } };
  const { year, month } = period.firstDay;
  return period.unit === 'year' ? { year } : { year, month };
});

const FEASTS = wordList([
  ...namedDays(`01-01 元日|元旦; 02-14 バレンタイン(?:デー)?; 03-03 ひな祭り|雛祭り; 03-14 ホワイトデー;
    04-01 エイプリルフール; 05-01 メーデー; 07-07 七夕; 10-31 ハロウィー?ン; 11-15 七五三;
    12-24 クリスマス・?イ[ブヴ]; 12-25 クリスマス; 12-31 大晦日|大みそか|おおみそか`),
  // 国民の祝日に関する法律 (Act 178 of 1948), article 2; the equinoxes are proclaimed a year ahead and not here.
  ...namedDays(`01-second-monday 成人の日; 02-11 建国記念の?日; 02-23 天皇誕生日; 04-29 昭和の日;
    05-03 憲法記念日; 05-04 みどりの日; 05-05 (?:こども|子ども|子供)の日; 07-third-monday 海の日;
    08-11 山の日; 09-third-monday 敬老の日; 10-second-monday (?:スポーツ|体育)の日; 11-03 文化の日;
    11-23 勤労感謝の日`),
  // Customs.
  ...namedDays(`05-second-sunday 母の日; 06-third-sunday 父の日; easter イースター|復活祭;
    blackFriday ブラックフライデー; cyberMonday サイバーマンデー`),
]);

/** 大晦日, クリスマスイブ, 2027年の元日. */
const feasts = ruleWithoutSpaces(
  `(?:(?:(?<year>20\\d\\d)|(?<ahead>${AHEAD.pattern}))年の?)?(?<name>${FEASTS.pattern})`,
  ({ year, ahead, name }, today) => {
    const feast = FEASTS.meaningOf(name);
    const years = AHEAD.meaningOf(ahead);
    return feast && feastDay(feast, today, years === undefined ? japaneseNumber(year) : today.year + years);
  },
);

/** 週末, 来週末: Saturday or Sunday. */
const weekends = ruleWithoutSpaces(`(?:(?<ahead>${AHEAD.pattern})|今度の)?週末`, ({ ahead }, today) => {
  const saturday = today.startOf('week').plus({ days: 5, weeks: AHEAD.meaningOf(ahead) ?? 0 });
  const sunday = saturday.plus({ days: 1 });
  return { ...dateOf(saturday), otherDates: [sunday], lastDay: sunday };
});

/** From Sunday. */
export const WEEKDAYS = '日月火水木金土';
const SPELLED_WEEKDAYS = ['にち', 'げつ', 'か', 'すい', 'もく', 'きん', 'ど'];

const DAY = `[${WEEKDAYS}]`;

/** 月曜日, げつようび, (月), and 月 alone before a time or a particle. */
const WEEKDAY = `(?:(?<kanji>${DAY})曜日?|(?<kana>${SPELLED_WEEKDAYS.join('|')})よう(?:び|日)?|\\((?<kanji>${DAY})(?:曜日?)?\\)|(?:(?<![\\d一-鿿ぁ-ヿ々])|(?<=週の?))(?<kanji>${DAY})(?=\\s|$|\\d|[午朝昼夕夜のには]))`;

function weekdayIn({ kanji = '', kana }: Groups): number {
  return kana === undefined ? WEEKDAYS.indexOf(kanji) : SPELLED_WEEKDAYS.indexOf(kana);
}

/** 次の木曜日, 火曜, (水). */
const weekdays = ruleWithoutSpaces(
  `(?:(?<next>次|つぎ|今度)の?|(?<coming>この))?${WEEKDAY}`,
  (found): Meaning => ({
    weekday: weekdayIn(found),
    ...(found.next !== undefined && { week: 'next' }),
    ...(found.coming !== undefined && { week: 'this' }),
  }),
);

/** 2週間後の月曜日, 3週先の水曜, 週明け. */
const weeksAhead = ruleWithoutSpaces(
  `(?:今から)?(?<count>${NUMBER})週間?(?:後|先)の?${WEEKDAY}|週明け(?:の?月曜日?)?`,
  (found): Meaning => {
    if (found.count === undefined) return { weekday: 1 };
    const ahead = japaneseNumber(found.count) ?? 0;
    return { weekday: weekdayIn(found), week: { ahead, mayBeginOnSunday: true } };
  },
);

const NTH = wordsOf<number>([
  ['最初の', 1],
  ['最終 最後の', -1],
]);

/** 来月の第2月曜日, 7月の第一金曜日, 第2月曜. */
const nthWeekdays = ruleWithoutSpaces(
  `(?:${PERIOD}の?第?|第)(?<nth>${NUMBER}|${NTH.pattern})${WEEKDAY}`,
  (found, today) => {
    const nth = NTH.meaningOf(found.nth) ?? japaneseNumber(found.nth);
    const period = periodIn(found, today) ?? periodAhead('month', today);
    return nth ? dayAt({ nth, weekday: weekdayIn(found) }, period, today) : undefined;
  },
);

const DAYS = wordsOf<NamedDay>([
  ['今日 きょう 本日 ほんじつ', { ahead: 0 }],
  ['明日 あした あす みょうにち 翌日 次の日', { ahead: 1 }],
  ['明後日 あさって', { ahead: 2 }],
  ['明々後日 しあさって', { ahead: 3 }],
  ['今朝', { ahead: 0, part: 'morning' }],
  ['今晩 今夜', { ahead: 0, part: 'evening' }],
  ['明朝 翌朝', { ahead: 1, part: 'morning' }],
  ['明晩', { ahead: 1, part: 'evening' }],
]);

const dayNames = ruleWithoutSpaces(`(?<name>${DAYS.pattern})(?!中|以内)`, ({ name }, today) =>
  namedDay(DAYS.meaningOf(name), today),
);

/** Of expressions of the same length, the first rule's counts. */
export const japaneseRules: readonly Rule[] = [
  dayNames,
  weekdays,
  weeksAhead,
  weekends,
  nthWeekdays,
  periods,
  dates,
  datesInFigures,
  daysOfMonth,
  placesInPeriods,
  feasts,
  times,
  lateHours,
  minutesAround,
  noon,
  midnight,
  parts,
  fromNow,
];
