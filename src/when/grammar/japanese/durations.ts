import type { Parser } from 'chrono-node';
import { Duration, type DurationLikeObject } from 'luxon';
import { ruleWithoutSpaces } from '../rule.ts';
import { japaneseNumber, NUMBER } from './japanese-numbers.ts';

const UNITS: readonly (readonly [string, keyof DurationLikeObject])[] = [
  ['秒間?', 'seconds'],
  ['分間?', 'minutes'],
  ['時間', 'hours'],
  ['日間?', 'days'],
  ['週間?', 'weeks'],
  ['[かヶカケ箇]月間?', 'months'],
  ['年間?', 'years'],
];

const UNIT = `(?:${UNITS.map(([pattern]) => pattern).join('|')})`;
const DURATION = `(?:${NUMBER}${UNIT}半?と?){1,4}`;

/** 2分後, 1時間半後に, 30分経ったら, 5分で, 今から2週間後. */
const fromNow = ruleWithoutSpaces(
  `(?:(?:今|現在|いま|今日|本日)から)?(?:あと)?(?<duration>${DURATION})(?:後に?|あと|(?<!日)で|経ったら|たったら|経ってから|経過してから|経過したら|経過後|過ぎたら|過ぎに)`,
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

export const japaneseDurations: readonly Parser[] = [fromNow];
