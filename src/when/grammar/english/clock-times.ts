import type { Parser } from 'chrono-node';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH } from './calendar-words.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';

/** "am", "p.m.", "a m", "in the am". */
export const MERIDIEM = '(?:(?:in\\sthe\\s)?[ap]\\s?\\.?\\s?m(?:\\b|(?=ish\\b))\\.?)';
const SHORT_MERIDIEM = '(?:[ap]\\b\\.?)';

/** The hour on a 24-hour clock. An hour above 12 ignores am and pm. Undefined for an hour that doesn't exist. */
export function hourOfDay(hour: number, meridiem: string | undefined): number | undefined {
  if (hour > 23) return undefined;
  if (meridiem === undefined || hour > 12) return hour;
  const isAfternoon = meridiem.replace('in the', '').trim().startsWith('p');
  // "0:30 am" is half an hour after midnight. "0:30 pm" doesn't exist.
  if (hour === 0 && isAfternoon) return undefined;
  return (hour % 12) + (isAfternoon ? 12 : 0);
}

const O_CLOCK = "(?:\\s?(?:o['’]?\\s?clock))";
const END = `(?:\\s?(?<meridiem>${MERIDIEM}|${SHORT_MERIDIEM}))`;

/** "9:30", "09:05:30 pm", "14:30". */
const clockTimes = rule(
  `(?:@\\s?|T)?(?<hour>\\d{1,2})\\s?:\\s?(?<minute>[0-5]\\d)(?:[:.][0-5]\\d(?:\\.\\d{1,6})?)?(?:${O_CLOCK}|\\s?h(?:rs|ours)?|-?ish)?${END}?(?!:)`,
  figures,
);

/** "7.30 pm", "at 16.40": times with a dot that can't be dates. */
const dottedTimes = rule(
  `(?:@\\s?)?(?<!\\d\\.)(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)(?:\\s?(?<meridiem>${MERIDIEM})|(?<=(?:\\bat|@|around|about|approximately|\\.\\d{4})\\s*\\d{1,2}\\.\\d\\d)(?!\\.?\\d))`,
  figures,
);

/** "tomorrow 9.30", "14.30": a time, or else a date. */
export const looseDottedTimes = rule(
  '(?<![$€£]\\s?|[\\d.,])(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)(?![.\\d%])',
  figures,
);

/** "9", "nine" as the whole text. */
const bareHours = rule(`(?<=^\\s*)(?<hour>1[0-2]|[1-9]|${NUMBER_WORD})(?=\\s*$)`, ({ hour }) =>
  (numberOf(hour) ?? 13) > 12 || hour === 'zero' ? undefined : fullHour(hour),
);

/** "9am", "7p", "three pm", "3 o'clock", "3ish", "3 ish". */
const hourTimes = rule(
  `(?:@\\s?)?(?<hour>\\d{1,2}|${NUMBER_WORD})(?:[\\s-]?ish)?(?:${O_CLOCK}(?:\\s?(?<late>${MERIDIEM}))?|\\s?(?<early>${MERIDIEM})(?:-?ish)?|(?<=\\d)\\s?(?<short>${SHORT_MERIDIEM})|(?<=ish)|(?=\\s(?:sharp|on\\sthe\\sdot|exactly|precisely)\\b))`,
  ({ hour, late, early, short }) => fullHour(hour, late ?? early ?? short),
);

/** "at 5", "@8", "around nine". */
const atHours = rule(
  `(?:at|@|around|about|by)\\s*(?:(?:about|around)\\s)?(?<hour>\\d{1,2}|${NUMBER_WORD})(?!\\s?[:./]\\s?\\d|-\\d|(?:st|nd|rd|th)?[\\s-](?:of\\s)?${MONTH}|\\s?(?:[ap]\\.?m|%|percent))`,
  ({ hour }) => fullHour(hour),
);

/** "9 tomorrow", "tonight 7": a number is an hour if a day is beside it. */
const looseHours = rule(`(?<hour>\\d{1,2}|${NUMBER_WORD})`, ({ hour }) => {
  const said = hour === '0' ? undefined : fullHour(hour);
  return said === undefined ? undefined : { ...said, needsDay: true };
});

/** Four figures that are more likely a year than a time. */
const LIKE_A_YEAR = /^(?:19[5-9]\d|20[0-5]\d)$/;

/** "1730", "at 0930", "1045pm", "730a", "2100h". */
const figureTimes = rule(
  `(?<at>(?:at|@|around|about|by)\\s?)?(?<hour>[01]?\\d|2[0-3])(?<minute>[0-5]\\d)(?![-/.]\\d)(?<h>\\s?h(?:rs?|ours)?|-?ish)?(?:\\s?(?<spelled>${MERIDIEM})|(?<letter>[ap]))?`,
  ({ at, hour, minute, h, spelled, letter }) => {
    const meridiem = spelled ?? letter;
    const isTime = at !== undefined || h !== undefined || meridiem !== undefined;
    return isTime || !LIKE_A_YEAR.test(`${hour}${minute}`) ? figures({ hour, minute, meridiem }) : undefined;
  },
);

/** "173000". Other numbers with six figures are more likely dates. */
const secondTimes = rule('(?:at\\s)?(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)00', ({ hour, minute }) => ({
  hour: Number(hour),
  minute: Number(minute),
}));

/** "15h30", "16h", "at 8h", "at 8 hours". "5h" is a duration unless a day is beside it. "So 20h" is German. */
const letterTimes = rule(
  '(?<!\\bso\\s)(?<hour>[01]?\\d|2[0-3])(?:h(?<minute>[0-5]\\d)?|[.:](?<minute>[0-5]\\d)\\s?h|(?<full>(?<=at\\s\\d{1,2})\\s(?:hours|hrs)))',
  ({ hour, minute = '0', full }): Meaning => {
    const said = { hour: Number(hour), minute: Number(minute) };
    return minute === '0' && full === undefined && said.hour < 13 ? { ...said, needsDay: true } : said;
  },
);

/** "24:00", "2400 hours": the end of the day (ISO 8601). */
const endOfDay = rule('(?:at\\s)?24(?::00(?::00)?|00(?=\\s?h))(?:\\s?h(?:rs|ours)?)?', () => ({
  hour: 24,
  minute: 0,
}));

/** "19 30", "8 h 30" as the whole text. */
const spacedTimes = rule(
  '(?<=^\\s*)(?<hour>[01]?\\d|2[0-3])\\s(?:h\\s)?(?<minute>[0-5]\\d)(?=[\\s.!?]*$)',
  figures,
);

/** "7-30pm". A range of hours can't end at thirty. */
const dashedTimes = rule(
  `(?<![\\d-])(?<hour>1[0-2]|0?[1-9])-(?<minute>1[3-9]|[2-5]\\d)\\s?(?<meridiem>${MERIDIEM})`,
  figures,
);

/** "2010" as the whole text, in 2026. Nobody schedules in a past year. */
const pastYearsAsTimes = rule(
  '(?<=^\\s*)(?<hour>19|20)(?<minute>[0-5]\\d)(?=[\\s.!?]*$)',
  ({ hour, minute }, today) =>
    Number(`${hour}${minute}`) < today.year ? { hour: Number(hour), minute: Number(minute) } : undefined,
);

/** Without am or pm, 1:00 to 6:59 can be morning or afternoon. 7:00 to 12:59 and "05:00" are a 24-hour clock's. */
function figures({
  hour,
  minute,
  meridiem,
}: Readonly<Record<string, string | undefined>>): Meaning | undefined {
  const number = Number(hour);
  if (meridiem !== undefined || hour?.startsWith('0') || number > 12)
    return settled(number, Number(minute), meridiem);
  return { hour: number, minute: Number(minute), halfOfDay: number < 7 ? 'office-hours' : 'as-shown' };
}

function fullHour(hour: string | undefined, meridiem?: string): Meaning | undefined {
  const number = numberOf(hour);
  if (number === undefined) return undefined;
  const isSettled = meridiem !== undefined || number === 0 || number > 12 || hour?.startsWith('0');
  return isSettled ? settled(number, 0, meridiem) : { hour: number, minute: 0, halfOfDay: 'office-hours' };
}

function settled(hour: number, minute: number, meridiem: string | undefined): Meaning | undefined {
  const onClock = hourOfDay(hour, meridiem);
  return onClock === undefined ? undefined : { hour: onClock, minute };
}

export const clockTimeRules: readonly Parser[] = [
  clockTimes,
  dottedTimes,
  bareHours,
  hourTimes,
  atHours,
  looseHours,
  figureTimes,
  secondTimes,
  letterTimes,
  endOfDay,
  spacedTimes,
  dashedTimes,
  pastYearsAsTimes,
];
