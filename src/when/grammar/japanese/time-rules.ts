import type { Parser } from 'chrono-node';
import { clock } from '../european/clock.ts';
import type { Meaning, PartOfDay } from '../piece.ts';
import { ruleWithoutSpaces } from '../rule.ts';
import { japaneseNumber, NUMBER } from './japanese-numbers.ts';

const HALF_OF_DAY = '(?:(?<am>午前)|(?<pm>午後))の?';

/** 15時20分, 午後3時半, 午前8:00, 10時ちょうど. */
const times = ruleWithoutSpaces(
  `(?:${HALF_OF_DAY})?(?:(?<hour>${NUMBER})時(?:(?<half>半)|(?<minute>${NUMBER})分)?(?:${NUMBER}秒)?(?!間|以内)|(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?::[0-5]\\d)?(?!\\d))`,
  ({ am, pm, hour, half, minute }) =>
    read({
      am,
      pm,
      hour: japaneseNumber(hour),
      figures: hour,
      minute: half === undefined ? (japaneseNumber(minute) ?? 0) : 30,
    }),
);

/** 25時, 今夜26時30分: broadcasters and bars count on after midnight, and their day is the one before. */
const lateHours = ruleWithoutSpaces(
  '(?:(?<tonight>今夜|今晩)の?|(?:深夜|夜)の?)?(?<hour>2[5-9])(?:時(?:(?<half>半)|(?<minute>[0-5]?\\d)分)?|:(?<minute>[0-5]\\d))(?!間|以内|\\d)',
  ({ tonight, hour, half, minute }, { year, month, day }): Meaning => {
    const time = { hour: Number(hour) - 24, minute: half === undefined ? Number(minute ?? 0) : 30 };
    if (tonight === undefined) return { ...time, part: 'late-night' };
    return { ...time, year, month, day, isToday: true, part: 'late-night' };
  },
);

/** 7時15分前, 5時20分過ぎ. */
const around = ruleWithoutSpaces(
  `(?:${HALF_OF_DAY})?(?<hour>${NUMBER})時(?<minute>${NUMBER})分(?:(?<before>前)|(?:過ぎ|すぎ))`,
  ({ am, pm, hour, minute, before }) => {
    const [full, size] = [japaneseNumber(hour), japaneseNumber(minute)];
    if (full === undefined || size === undefined || size > 59 || full > 24 || full < 1) return undefined;
    const total = before === undefined ? full * 60 + size : full * 60 - size;
    return read({ am, pm, hour: Math.floor(total / 60), minute: total % 60, figures: undefined });
  },
);

interface Time {
  am: string | undefined;
  pm: string | undefined;
  hour: number | undefined;
  minute: number;
  figures: string | undefined;
}

/** After 午後 an hour of the 24-hour clock stays what it is, and 午前0時 is midnight's. */
function read({ am, pm, hour, minute, figures }: Time): Meaning | undefined {
  if (hour === undefined) return undefined;
  if (am !== undefined) return hour <= 12 && minute < 60 ? { hour: hour % 12, minute } : undefined;
  if (pm !== undefined && hour < 12 && minute < 60) return { hour: hour + 12, minute };
  return clock({ hour, minute, isShown: true }, { figures });
}

const noon = ruleWithoutSpaces('正午(?:の?12時)?|真昼', () => ({ hour: 12, minute: 0 }));
const midnight = ruleWithoutSpaces('真夜中', () => ({ hour: 0, minute: 0, isMidnight: true }));

const PARTS: Readonly<Record<string, PartOfDay>> = {
  早朝: 'early-morning',
  未明: 'early-morning',
  朝: 'morning',
  午前中: 'morning',
  午前: 'morning',
  お昼過ぎ: 'early-afternoon',
  お昼: 'midday',
  昼休み: 'midday',
  ランチタイム: 'midday',
  昼: 'midday',
  午後: 'afternoon',
  夕方: 'early-evening',
  夜: 'night',
  晩: 'evening',
  深夜: 'late-night',
};

const longestFirst = Object.keys(PARTS).toSorted((a, b) => b.length - a.length);

const parts = ruleWithoutSpaces(`(?<part>${longestFirst.join('|')})(?:に)?`, ({ part }) => {
  const meant = PARTS[part ?? ''];
  return meant === undefined ? undefined : { part: meant };
});

export const japaneseTimes: readonly Parser[] = [times, lateHours, around, noon, midnight, parts];
