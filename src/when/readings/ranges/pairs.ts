import { spelled } from '../../grammar/european/vocabulary.ts';
import { saysNow } from '../../grammar/read-words.ts';
import { allMatches } from '../../grammar/rule.ts';
import { datesWith } from '../../policy/candidates.ts';
import { DAY_MINUTES } from '../../policy/minutes.ts';
import { asCalendar, DAY_MS, MINUTE_MS } from '../../zones/wall-clock.ts';
import { perLanguage } from '../question.ts';
import { type PointExpression, pointsIn } from './points.ts';
import {
  type ClosedStretch,
  chooseStretch,
  endOn,
  type Named,
  once,
  type RangeContext,
  timeOn,
  wholeDays,
} from './range.ts';

const patternsOf = perLanguage(({ words, gap }) => {
  const { from, to, before, between } = words.edges;
  const dash = '\\s?(?:-+|~|〜|\\.\\.+|→|>)\\s?|(?<=\\d{4}-\\d\\d-\\d\\d)/(?=\\d{4})';
  const joint = `${gap}(?:${spelled(to)})${gap}|${dash}`;
  const after = (opening: string): RegExp =>
    new RegExp(`^(?<day>.*?)(?:^|,?\\s)(?:${spelled(opening)})${gap}(?<rest>.+)$`, 'i');
  return {
    opened: after(from),
    between: after(between),
    joints: new RegExp(joint, 'gi'),
    before: new RegExp(`^(?<day>.+?)${gap}(?:${spelled(before)})${gap}(?<time>.+)$`, 'i'),
    jointsOfBetween: new RegExp(`${gap}(?:${spelled(words.grammar.and)})${gap}|${joint}`, 'gi'),
  };
});

/** Places where a text may be split into two ends. "2026-12-01 - 2026-12-05" has five. */
const MAX_JOINTS = 8;

/** All stretches with two ends: "from monday to friday", "1-5 december", "friday between 9 and 12". */
export function pairsIn(words: string, context: RangeContext): readonly ClosedStretch[] {
  const { opened, between, joints, jointsOfBetween } = patternsOf(context.lexicon);
  const join = (pair: PairWords, at = joints) => joined(pair, at, context);
  const inBetween = between.exec(words)?.groups;
  if (inBetween !== undefined) return join({ ...inBetween, isOpened: true }, jointsOfBetween);
  const fromWord = opened.exec(words)?.groups;
  const read = fromWord === undefined ? [] : join({ ...fromWord, isOpened: true });
  if (read.length > 0) return read;
  const pairs = join({ rest: words, isOpened: false });
  return pairs.length > 0 ? pairs : beforeTime(words, context);
}

/** "Thursday before noon" is until then, as "thursday until noon" is. "Friday before christmas" is another day. */
function beforeTime(words: string, context: RangeContext): readonly ClosedStretch[] {
  const { day = '', time = '' } = patternsOf(context.lexicon).before.exec(words)?.groups ?? {};
  // "Thursday until 3" isn't known either.
  const [first] = day === '' || LONE_NUMBER.test(time) ? [] : pointsIn(day, context);
  const last = first?.day && !first.minutes ? pointsIn(time, context).find((point) => !point.day) : undefined;
  const pair = choosePair(undefined, [first, last], context);
  return pair === undefined ? [] : [pair];
}

interface PairWords {
  /** The words before "from" or "between". */
  day?: string;
  rest?: string;
  /** "From 9 to 12" means hours. "9-12" alone could be anything. */
  isOpened: boolean;
}

function joined(
  { day = '', rest = '', isOpened }: PairWords,
  joints: RegExp,
  context: RangeContext,
): readonly ClosedStretch[] {
  const days = day === '' ? [undefined] : pointsIn(day, context).map((point) => point.day);
  if (days.length === 0) return [];
  for (const { 0: joint, index } of allMatches(rest, joints).slice(0, MAX_JOINTS)) {
    const first = rest.slice(0, index).trim();
    const last = rest.slice(index + joint.length).trim();
    const ends = pairEnds({ first, last, isOpened }, context);
    const count = Math.max(days.length, ends.first.length, ends.last.length);
    // The readings of both ends are paired in order: if "03/04" is in April, so is "05/04".
    const pairs = Array.from({ length: count }, (_, index) => {
      const pair = [ends.first[index] ?? ends.first[0], ends.last[index] ?? ends.last[0]] as const;
      return choosePair(days[index] ?? days[0], pair, context);
    }).filter((pair) => pair !== undefined);
    if (pairs.length > 0) return pairs;
  }
  return [];
}

/** A longer stretch between two days of the year is read backwards, unless it is within one year or both have years. */
const MAX_LENGTH_MS = 334 * DAY_MS;

/** The stretch from one end to the other, if there is one. `day` is the day of both times. */
function choosePair(
  day: Named | undefined,
  [first, last]: readonly [PointExpression | undefined, PointExpression | undefined],
  context: RangeContext,
): ClosedStretch | undefined {
  if (first === undefined || last === undefined) return undefined;
  const ownDay = first.day ?? last.day;
  if (day !== undefined && ownDay !== undefined) return undefined;
  if (first.day !== undefined && last.day !== undefined)
    return betweenDays({ ...first, day: first.day }, { ...last, day: last.day }, context);
  if (last.minutes === undefined) return undefined;
  const on = day ?? ownDay;
  // In a plan, "between midnight and 6am", in the daytime, is in the night that follows.
  const { now, isAhead } = context;
  const isOver = isAhead && !first.minutes?.[0] && Math.min(...last.minutes) < now.hour * 60 + now.minute;
  const chosen = on ? chooseStretch(on, 'alone', context) : wholeDays(now.plus({ days: Number(isOver) }));
  if (chosen === undefined || !isOneDay(chosen)) return undefined;
  const midnight = chosen.from.wall - (chosen.from.wall % DAY_MS);
  // "Friday until midnight" begins with the day, "tonight from midnight" after it, and "tonight from 7" not at 07:00.
  const ownMinutes = first.minutes ?? [(chosen.from.wall - midnight) / MINUTE_MS];
  const isNight = ownMinutes[0] === 0 && chosen.from.wall - midnight >= (DAY_MS * 3) / 4;
  const begins = ownMinutes.filter((minute) => {
    const { wall } = timeOn(midnight, minute);
    return chosen.from.wall <= wall && wall <= chosen.to.wall;
  });
  if (begins.length === 0 && !isNight) return undefined;
  const [from, to] = minutesBetween(isNight ? [DAY_MINUTES] : begins, last.minutes);
  return { from: timeOn(midnight, from), to: endOn(midnight, to) };
}

type DayPoint = PointExpression & { day: Named };

function betweenDays(first: DayPoint, last: DayPoint, context: RangeContext): ClosedStretch | undefined {
  const pairs = inMonthOfOther(first.day, last.day) ?? pairsOf(first.day, last.day, context);
  const isOften = first.day.comes === 'often' || last.day.comes === 'often';
  const comes = pairs.length === 1 ? 'once' : isOften ? 'often' : 'yearly';
  const chosen = chooseStretch({ stretches: pairs, comes }, 'alone', context);
  if (chosen === undefined) return undefined;
  const { from, to } = chosen;
  const lastMidnight = to.wall - (to.wall % DAY_MS);
  const closed = {
    from: first.minutes === undefined ? from : timeOn(from.wall, first.minutes[0] ?? 0),
    to: last.minutes === undefined ? to : endOn(lastMidnight, last.minutes[0] ?? 0),
  };
  const length = closed.to.wall - closed.from.wall;
  const isInOneYear = asCalendar(closed.from.wall).year === asCalendar(closed.to.wall).year;
  const days = [first.day, last.day];
  const isDayOfYear = ({ stretches: [one], comes }: Named) => one && isOneDay(one) && comes !== 'often';
  const isTurned = !isInOneYear && days.every(isDayOfYear) && days.some(({ comes }) => comes === 'yearly');
  return length < 0 || (length > MAX_LENGTH_MS && isTurned) ? undefined : closed;
}

/** "The ninth to the seventeenth of april": the first day is in the month of the last, or in the month before. */
function inMonthOfOther(first: Named, last: Named): readonly ClosedStretch[] | undefined {
  if (first.dayOfMonth === undefined || last.comes === 'often') return undefined;
  const { dayOfMonth } = first;
  return last.stretches.map(({ from, to }) => {
    const day = asCalendar(from.wall);
    const earlier = [...datesWith({ day: dayOfMonth }, day, [0, -1])].find((date) => date <= day);
    return { from: wholeDays(earlier ?? day.startOf('month')).from, to };
  });
}

/** A weekday, or a day of the month, comes again within so long. */
const OFTEN_MS = 31 * DAY_MS;

/**
 * Pairs each start with the first end after it. Keeps the shortest stretch for each end, but "monday to 24 december"
 * begins on the next Monday.
 */
function pairsOf(first: Named, last: Named, context: RangeContext): readonly ClosedStretch[] {
  const [isFirstOften, isLastOften] = [first, last].map(({ comes }) => comes === 'often');
  const findEnd = ({ from }: ClosedStretch) => last.stretches.find(({ to }) => to.wall >= from.wall)?.to;
  const next = isFirstOften && !isLastOften ? chooseStretch(first, 'alone', context) : undefined;
  const starts = next !== undefined && findEnd(next) !== undefined ? [next] : first.stretches;
  const maxLength = isLastOften && !isFirstOften ? OFTEN_MS : Number.POSITIVE_INFINITY;
  const shortest = new Map<number, ClosedStretch>();
  for (const start of starts) {
    const to = findEnd(start);
    if (to !== undefined && to.wall - start.from.wall <= maxLength)
      shortest.set(to.wall, { from: start.from, to });
  }
  return [...shortest.values()];
}

/** "Between 9 and 5" is from morning to afternoon. "10pm to 2am" ends on the next day. */
function minutesBetween(first: readonly number[], last: readonly number[]): readonly [number, number] {
  for (const from of first) {
    const to = last.toSorted((a, b) => a - b).find((minute) => minute > from);
    if (to !== undefined) return [from, to];
  }
  // "22:00 to 2:00" ends at the first 2:00 after its start.
  const [from = 0] = first;
  return [from, Math.min(...last) + DAY_MINUTES];
}

function isOneDay({ from, to }: ClosedStretch): boolean {
  return to.wall - from.wall < DAY_MS;
}

/** All that the words at each end of a range can mean. */
interface PairEnds {
  first: readonly PointExpression[];
  last: readonly PointExpression[];
}

interface EndWords extends Pick<PairWords, 'isOpened'> {
  first: string;
  last: string;
}

const DAY_FIGURE = '\\d{1,2}(?:st|nd|rd|th|er|\\.|º)?';
/** A number that is a day or an hour only because of the words around it. */
export const LONE_NUMBER = new RegExp(
  `^(?:(?:the|le|les|el|los|il|i|gli|os?|am|den|op|de)\\s|l')?(?<number>${DAY_FIGURE})$`,
  'i',
);
export const FIRST_NUMBER = new RegExp(`(?<![\\w/.:-])${DAY_FIGURE}(?![\\w:/]|\\.\\d|-\\d)`, 'i');
export const LAST_NUMBER = new RegExp(`(?<![\\w/.:-])${DAY_FIGURE}$`, 'i');
const BARE_HOUR_AT_END = /(?:^|\s)\d{1,2}(?::[0-5]\d)?$/;
const MERIDIEM = /\d\s?(?<half>[ap])\.?m\b/i;
const BEGINS_WITH_A_DAY = /^\p{L}/u;
const BEGINS_WITH_A_TIME = /^(?:at|noon|midnight|half|quarter)\b/i;

/** Reads each end, and completes it with the words of the other end. */
function pairEnds(words: EndWords, context: RangeContext): PairEnds {
  const { now, locale } = context;
  const [today] = once(wholeDays(now));
  const point = { ...(today && { day: today }), minutes: [now.hour * 60 + now.minute] };
  const read = (text: string): readonly PointExpression[] =>
    saysNow(text, locale) ? [point] : pointsIn(text, context);
  const numbered = withNumbers(words, read);
  const first = numbered?.first ?? read(words.first);
  // Most words between two ends aren't understood.
  const last = first.length === 0 ? [] : (numbered?.last ?? read(words.last));
  if (last.length === 0) return NONE;
  const timed = withMeridiem(words, first, read);
  const isApart = last.every(({ day, minutes }) => day !== undefined && minutes !== undefined);
  if (!isApart || !beginsWithDay(words.last, context)) return { first: timed, last };
  // "From 2pm till tomorrow 4:30pm" begins today.
  return { first: timed.map((point) => ({ ...(today && { day: today }), ...point })), last };
}

type Read = (text: string) => readonly PointExpression[];

/** Reads a lone number at one end as a day of the other end's month, or as an hour. Undefined without a lone number. */
function withNumbers({ first, last, isOpened }: EndWords, read: Read): PairEnds | undefined {
  const [firstNumber, lastNumber] = [first, last].map((words) => LONE_NUMBER.exec(words)?.groups?.number);
  if (firstNumber !== undefined && lastNumber !== undefined) {
    const isHours = /^\d+$/.test(`${firstNumber}${lastNumber}`);
    if (isHours && !isOpened) return NONE;
    return { first: read(dayOrHour(firstNumber)), last: read(dayOrHour(lastNumber)) };
  }
  const number = firstNumber ?? lastNumber;
  if (number === undefined) return undefined;
  const [other, figure] = number === firstNumber ? [last, FIRST_NUMBER] : [first, LAST_NUMBER];
  const others = read(other);
  const isDay = others.every(({ minutes }) => minutes === undefined);
  if (others.length === 0 || (isDay && !figure.test(other))) return NONE;
  const own = read(isDay ? other.replace(figure, number) : dayOrHour(number));
  return number === firstNumber ? { first: own, last: others } : { first: others, last: own };
}

const NONE: PairEnds = { first: [], last: [] };

export function dayOrHour(number: string): string {
  return /^\d+$/.test(number) ? `at ${number}` : `the ${number}`;
}

/** "7 to 8pm" is in the evening. "11 to 1pm" begins in the morning. */
function withMeridiem(
  { first, last }: EndWords,
  points: readonly PointExpression[],
  read: Read,
): readonly PointExpression[] {
  const half = MERIDIEM.exec(last)?.groups?.half;
  if (half === undefined || !BARE_HOUR_AT_END.test(first)) return points;
  const [same] = read(`${first}${half}m`);
  return points.map((point) =>
    point.minutes === undefined || same?.minutes === undefined
      ? point
      : { ...point, minutes: [...new Set([...same.minutes, ...point.minutes])] },
  );
}

function beginsWithDay(words: string, { lexicon }: RangeContext): boolean {
  const [word = ''] = words.split(' ');
  return (
    BEGINS_WITH_A_DAY.test(words) && !BEGINS_WITH_A_TIME.test(words) && lexicon.numberOf(word) === undefined
  );
}
