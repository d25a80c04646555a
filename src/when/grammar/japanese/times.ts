import { Duration } from 'luxon';
import { clock } from '../european/clock.ts';
import { type Meanings, unitsIn } from '../european/vocabulary.ts';
import type { Meaning, PartOfDay } from '../piece.ts';
import { type Rule, ruleWithoutSpaces } from '../rule.ts';

/** Figures, or kanji to 99: "12", "二十二". */
export const NUMBER = '(?:\\d+|[〇零一二三四五六七八九十]+)';

const DIGITS = '〇一二三四五六七八九';

/** The value of figures or kanji. Undefined for anything else, and for kanji past 99. */
export function japaneseNumber(text: string | undefined): number | undefined {
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
  `${HALF_OF_DAY}?(?:(?<hour>${NUMBER})[時じ](?:(?<half>半)|(?<minute>${NUMBER})分)?(?:${NUMBER}秒)?(?!間|以内)|(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?::[0-5]\\d)?(?!\\d)(?:\\s?(?<half12>[ap]m))?|(?<hour>\\d{1,2})\\s?(?<half12>[ap]m))`,
  ({ am, pm, hour, half, minute, half12 }) =>
    timeOf({
      am: am ?? (half12?.toLowerCase() === 'am' ? half12 : undefined),
      pm: pm ?? (half12?.toLowerCase() === 'pm' ? half12 : undefined),
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
export function wordsOf<T>(meanings: Meanings<T>) {
  const words = new Map(
    meanings.flatMap(([names, meaning]) => names.split(' ').map((name) => [name, meaning] as const)),
  );
  const pattern = [...words.keys()].sort((a, b) => b.length - a.length).join('|');
  return { pattern, meaningOf: (word = '') => words.get(word) };
}

const PARTS = wordsOf<PartOfDay>([
  ['早朝 未明 明け方', 'early-morning'],
  ['朝 朝一 朝一番 朝イチ 始業時 午前中 午前', 'morning'],
  ['昼前', 'late-morning'],
  ['昼 お昼 お昼時 昼休み ランチタイム', 'midday'],
  ['昼過ぎ お昼過ぎ 昼食後 ランチ後 午後一 午後イチ', 'early-afternoon'],
  ['午後', 'afternoon'],
  ['夕方', 'early-evening'],
  ['終業時 退勤時', 'late-afternoon'],
  ['仕事終わり 仕事の後 晩', 'evening'],
  ['夜', 'night'],
  ['夜中 深夜', 'late-night'],
]);

const parts = ruleWithoutSpaces(`(?<part>${PARTS.pattern})(?:に)?`, (found) => {
  const part = PARTS.meaningOf(found.part);
  return part && { part };
});

const UNITS = unitsIn('秒間?, 分間?, 時間, 日間?, 週間?, [かヶカケ箇]月間?, 年間?');
const UNIT = `(?:${UNITS.map(([pattern]) => pattern).join('|')})`;
const DURATION = `(?:${NUMBER}${UNIT}半?と?){1,4}`;

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
  for (const { groups } of text.matchAll(
    new RegExp(`(?<count>${NUMBER})(?<unit>${UNIT})(?<half>半)?`, 'gu'),
  )) {
    const count = japaneseNumber(groups?.count);
    const unit = UNITS.find(([pattern]) => new RegExp(`^${pattern}$`, 'u').test(groups?.unit ?? ''));
    const isHalf = groups?.half !== undefined;
    if (count === undefined || unit === undefined || (isHalf && unit[1] !== 'hours')) return undefined;
    total = total.plus({ [unit[1]]: count, ...(isHalf ? { minutes: 30 } : {}) });
  }
  return Duration.fromISO(total.toISO()).isValid ? total : undefined;
}

export const japaneseTimes: readonly Rule[] = [
  times,
  lateHours,
  minutesAround,
  noon,
  midnight,
  parts,
  fromNow,
];
