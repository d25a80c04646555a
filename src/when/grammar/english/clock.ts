import { aroundHour, clock, timesAroundHours } from '../european/clock.ts';
import { byMeaning } from '../european/vocabulary.ts';
import { dateOf, type Meaning, PART_NAMES, type PartOfDay } from '../piece.ts';
import { needing, type Rules, rule } from '../rule.ts';
import { MOVED } from './around.ts';
import { MONTH, NUMBER_WORD, numberOf, WEEKDAY } from './vocabulary.ts';

/** "am", "p.m.", "a m", "in the am". */
const MERIDIEM = '(?:(?:in\\sthe\\s)?[ap]\\s?\\.?\\s?m(?:\\b|(?=ish\\b))\\.?)';
const SHORT_MERIDIEM = '(?:[ap]\\b\\.?)';

const O_CLOCK = "(?:\\s?(?:o['’]?\\s?clock))";
const END = `(?:\\s?(?<meridiem>${MERIDIEM}|${SHORT_MERIDIEM}))`;

/** "After 5pm" is from then on, unlike "2 hours after 5pm". */
const FROM =
  '(?<!\\b(?:seconds?|min(?:ute)?s?|h|hours?|hrs?|days?|weeks?|months?|years?|fortnights?|mornings?|just|right)\\s)(?:any\\s?time\\s)?after\\s';

/** "9:30", "09:05:30 pm", "14:30". */
const clockTimes = rule(
  `(?:@\\s?|T|${FROM})?(?<hour>\\d{1,2})\\s?:\\s?(?<minute>[0-5]\\d)(?:[:.][0-5]\\d(?:\\.\\d{1,6})?)?(?:${O_CLOCK}|\\s?h(?:rs|ours)?|-?ish)?${END}?(?!:)`,
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
  `(?:@\\s?|${FROM})?(?<hour>\\d{1,2}|${NUMBER_WORD})(?:[\\s-]?ish)?(?:${O_CLOCK}(?:\\s?(?<meridiem>${MERIDIEM}))?|\\s?(?<meridiem>${MERIDIEM})(?:-?ish)?|(?<=\\d)\\s?(?<meridiem>${SHORT_MERIDIEM})|(?<=ish)|(?=\\s(?:sharp|on\\sthe\\sdot|exactly|precisely)\\b))`,
  ({ hour, meridiem }) => fullHour(hour, meridiem),
);

/** "at 5", "@8", "around nine", "push to 10". */
const atHours = rule(
  `(?:(?:at|@|around|about|by)\\s*(?:(?:about|around)\\s)?|(?<=\\b${MOVED}\\s))(?<hour>\\d{1,2}|${NUMBER_WORD})(?!\\s?[:./]\\s?\\d|-\\d|(?:st|nd|rd|th)?[\\s-](?:of\\s)?${MONTH}|\\s?(?:[ap]\\.?m|%|percent))`,
  ({ hour }) => fullHour(hour),
);

/** "9 tomorrow", "tonight 7": a number is an hour if a day is beside it. "Dinner for two" names no hour. */
const looseHours = rule(`(?<!\\bfor\\s(?=\\w+\\W*$))(?<hour>\\d{1,2}|${NUMBER_WORD})`, ({ hour }) => {
  const said = hour === '0' ? undefined : fullHour(hour);
  return said === undefined ? undefined : { ...said, needsDay: true };
});

/** Four figures that are more likely a year than a time. */
const LIKE_A_YEAR = /^(?:19[5-9]\d|20[0-5]\d)$/;

/** "1730", "at 0930", "1045pm", "730a", "2100h". */
const figureTimes = rule(
  `(?<at>(?:at|@|around|about|by)\\s?)?(?<hour>[01]?\\d|2[0-3])(?<minute>[0-5]\\d)(?![-/.]\\d)(?<h>\\s?h(?:rs?|ours)?|-?ish)?(?:\\s?(?<meridiem>${MERIDIEM})|(?<meridiem>[ap]))?`,
  ({ at, hour, minute, h, meridiem }) => {
    const isTime = at !== undefined || h !== undefined || meridiem !== undefined;
    return isTime || !LIKE_A_YEAR.test(`${hour}${minute}`) ? figures({ hour, minute, meridiem }) : undefined;
  },
);

/**
 * "173000", and the end of the day (ISO 8601): "24:00", "2400 hours". Other numbers with six figures are more likely
 * dates.
 */
const exactTimes = rule(
  '(?:at\\s)?(?:(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)00|(?<hour>24)(?::00(?::00)?|00(?=\\s?h))(?:\\s?h(?:rs|ours)?)?)',
  ({ hour, minute = '0' }) => ({ hour: Number(hour), minute: Number(minute) }),
);

/** "15h30", "16h", "at 8h", "at 8 hours". "5h" is a duration unless a day is beside it. "So 20h" is German. */
const letterTimes = rule(
  '(?<!\\bso\\s)(?<hour>[01]?\\d|2[0-3])(?:h(?<minute>[0-5]\\d)?|[.:](?<minute>[0-5]\\d)\\s?h|(?<full>(?<=at\\s\\d{1,2})\\s(?:hours|hrs)))',
  ({ hour, minute = '0', full }): Meaning => {
    const said = { hour: Number(hour), minute: Number(minute) };
    return minute === '0' && full === undefined && said.hour < 13 ? { ...said, needsDay: true } : said;
  },
);

/** "2010" as the whole text, in 2026. Nobody schedules in a past year. */
const pastYearsAsTimes = rule(
  '(?<=^\\s*)(?<hour>19|20)(?<minute>[0-5]\\d)(?=[\\s.!?]*$)',
  ({ hour, minute }, today) =>
    Number(`${hour}${minute}`) < today.year ? { hour: Number(hour), minute: Number(minute) } : undefined,
);

type Figures = Readonly<Record<'hour' | 'minute' | 'meridiem', string | undefined>>;

/** Without am or pm, 1:00 to 6:59 can be morning or afternoon. 7:00 to 12:59 and "05:00" are a 24-hour clock's. */
function figures({ hour, minute, meridiem }: Partial<Figures>): Meaning | undefined {
  return onClock({ hour: Number(hour), minute: Number(minute), isShown: true }, hour, meridiem);
}

function fullHour(hour: string | undefined, meridiem?: string): Meaning | undefined {
  const number = numberOf(hour);
  return number === undefined ? undefined : onClock({ hour: number, isShown: false }, hour, meridiem);
}

/** 24:00 has a rule of its own. */
function onClock(
  shown: Parameters<typeof clock>[0],
  figure?: string,
  meridiem?: string,
): Meaning | undefined {
  return shown.hour > 23 ? undefined : clock(shown, { meridiem, figures: figure });
}

export const clockTimeRules: Rules = [
  needing(/\d\s?:\s?\d/, [clockTimes]),
  needing(/\d\.\d/, [dottedTimes]),
  needing(/^\s*\S+\s*$|-/, [bareHours]),
  needing(/ish|clock|[ap]\s?\.?\s?m|\d\s?[ap]|sharp|dot|exactly|precisely/i, [hourTimes]),
  needing(/@|\b(?:at|around|about|by)|\bto\s/i, [atHours]),
  looseHours,
  needing(/\d{3}/, [figureTimes]),
  needing(/\d{6}|24/, [exactTimes]),
  needing(/\d\s?h/i, [letterTimes]),
  needing(/^\s*\d{4}/, [pastYearsAsTimes]),
];

/** "half past 8", "quarter to nine pm", "20 past 3", "ten to five", and, in British English, "half eight". */
const aroundHours = timesAroundHours({
  words: {
    minutes: byMeaning({
      1: 'a min(?:ute)?',
      15: '(?:an? )?quarter|1/4',
      30: 'half|1/2',
      45: 'three quarters?',
    }),
    minutesFirst: {
      past: 'past|after',
      to: '(?<!\\d[\\s-](?:min(?:ute)?s?[\\s-])?)of',
      toOrRange: 'to|before|till?',
    },
    beforeHour: [['half(?![\\s-]24)', -30]],
    hourUnit: "h?(?:-?ish)? ?o['’]? ?clock|h?-?ish|h",
    noon: 'noon|midday',
    midnight: 'midnight',
  },
  number: NUMBER_WORD,
  numberOf,
  gap: '[\\s-]',
  meridiem: `(?:(?:h|-?ish)?\\s?${MERIDIEM}|(?<=\\d)[ap]\\b)`,
});

/** "ten thirty", "nine fifty nine a m", "twelve oh three", "at 12 15". */
const hourAndMinutes = rule(
  `(?:(?:at|around|about)\\s(?:about\\s)?(?<figures>\\d{1,2})\\s(?<figureMinutes>[0-5]\\d)|(?<!${MONTH}\\s|\\b(?:the|mon|tue|wed|thu|fri|sat|sun)\\s)(?<![\\d/.:-])(?<beforeMeridiem>1[0-2]|0?[1-9])\\s(?<itsMinutes>[0-5]\\d)(?=\\s?[ap]\\.?m)|(?<hour>${NUMBER_WORD}|(?<!${MONTH}\\s|[\\d/.:-])1[0-2]|[1-9](?=\\s[a-z]))[\\s-](?:(?:oh?|ou|zero)[\\s-](?<single>${NUMBER_WORD})|(?<minutes>${NUMBER_WORD}|\\d\\d)))(?:\\shours|\\sminutes|\\so['’]?\\s?clock)?(?:\\s?(?<meridiem>${MERIDIEM}))?`,
  ({ figures, figureMinutes, beforeMeridiem, itsMinutes, hour, single, minutes, meridiem }) => {
    const full = numberOf(figures ?? beforeMeridiem ?? hour);
    const past = numberOf(figureMinutes ?? itsMinutes ?? single ?? minutes);
    // "Twenty ten" is a year.
    if (full === undefined || past === undefined || full < 1 || full > 23 || full === 20) return undefined;
    const isInWords = single !== undefined || minutes !== undefined;
    if (past > 59 || (isInWords && (single === undefined ? past < 10 : past > 9))) return undefined;
    return aroundHour(full, past, { isNamed: false, meridiem });
  },
);

/** "at quarter past", "ten to", "on the hour", "at 20 past the hour": the next time the clock shows these minutes. */
const minutesPast = rule(
  `(?:at\\s)?(?:(?<minutes>half|(?:an?\\s)?quarter|[0-5]?\\d|${NUMBER_WORD})(?:\\sminutes?|\\smins?)?\\s(?:past|after|(?<to>to|till?|before))(?:\\sthe\\shour)?|(?<full>(?:on|(?:(?:on|at)\\s)?(?:the\\s)?(?:top|start)\\sof)\\sthe\\s(?:next\\s)?(?:full\\s)?hour|at\\sthe\\s(?:next\\s)?(?:full\\s)?hour)|(?:(?:on|at)\\s)?(?:the\\s)?(?:bottom|middle)\\sof\\sthe\\shour|(?:on|at)\\sthe\\s(?:next\\s)?half[\\s-]hour)(?=[\\s.!?]*$)`,
  ({ minutes, to, full }) => {
    if (full !== undefined) return { minutePastHour: 0 };
    const size = /quarter/.test(minutes ?? '') ? 15 : (numberOf(minutes) ?? 30);
    if (size > 59) return undefined;
    return { minutePastHour: to === undefined ? size : (60 - size) % 60 };
  },
);

export const spokenTimeRules: Rules = [
  ...aroundHours,
  hourAndMinutes,
  needing(/\b(?:past|after|to|before|till?|hour)\b/i, [minutesPast]),
];

const TWELVE = `(?:(?<![\\d/.]|(?<!\\d(?:st|nd|rd|th)?\\s(?:of\\s)?)${MONTH}\\s)12(?::00)?|twelve)(?:\\so['’]?\\s?clock)?`;

/** "noon", "12 midday", "eod" (17:00), "start of business" (09:00). */
const namedTimes = rule(
  `(?:(?:over|during|at)\\s)?(?:(?:the|this)\\s)?(?:(?<noon>(?:(?:${TWELVE}\\s?|high\\s)(?:at\\s)?)?(?:noon(?:ish|[\\s-]?time)?|mid[\\s-]?day)|middle\\sof\\sthe\\sday)|(?<open>(?:start|opening|beginning)\\sof\\s(?:the\\s)?(?:(?:working\\s|business\\s)?day|business)|sod|(?:start|beginning)\\sof(?=\\s(?:today|tom|tmr|${WEEKDAY})))|eod|end\\sof(?=\\s(?:today|tom|tmr|${WEEKDAY}))|eob|cob|cop|end\\sof\\s(?:the\\s)?(?:(?:working\\s|business\\s|work\\s?)?day|business|play|work)|(?:right\\s|just\\s)?after\\swork|close\\sof\\s(?:business|play))`,
  ({ noon, open }) => ({ hour: noon ? 12 : open ? 9 : 17, minute: 0, halfOfDay: 'by-name' }),
);

/** "tomorrow am", "saturday pm", "monday early am". "Am 5.12." is German. */
const halvesOfDay = rule('(?!^am\\s\\d+\\.)(?<early>early\\s)?(?<half>[ap])\\.?m\\.?', ({ early, half }) => {
  if (half === 'p') return { part: early === undefined ? 'pm' : 'early-afternoon' };
  return { part: early === undefined ? 'am' : 'early-morning' };
});

/** "midnight": the beginning or the end of the day beside it. */
const midnight = rule(`(?:${TWELVE}\\s?(?:at\\s)?)?mid[\\s-]?ni(?:ght|te)`, () => ({
  hour: 0,
  minute: 0,
  isMidnight: true,
}));

/** "in the morning", "late afternoon", "tonight". */
const partsOfDay = rule(
  '(?<!\\bgood\\s)(?:(?:in|during|at)\\s)?(?:(?<this>this)\\s|(?:the\\s)?(?<next>next|following)\\s|the\\s)?(?:(?<stretch>early|mid|late|middle(?=\\sof\\sthe\\s(?:morning|afternoon)))(?:\\s(?:in|of)\\sthe|\\sat)?[\\s-]*)?(?<part>morning|forenoon|afternoon|evening|night)(?:ish)?|(?<late>late\\s)?(?<tonight>tonight|tonite|2nite|over-?night)',
  ({ this: isThis, next, stretch, part, late, tonight }, today) => {
    const isTonight = tonight !== undefined && late === undefined;
    const name = isTonight ? 'tonight' : nameOf(part ?? 'night', stretch ?? late?.trim());
    if (name === undefined) return undefined;
    if (next !== undefined) return { ...dateOf(today.plus({ days: 1 })), part: name };
    if (tonight === undefined && isThis === undefined) return { part: name };
    return { ...dateOf(today), isToday: true, part: name };
  },
);

/** "breakfast", "at dinner time", "tea time", "first thing", "over lunch". */
const occasions = rule(
  '(?:(?:at|over|during)\\s)?(?:(?<breakfast>breakfast)|(?<dinner>dinner|supper))(?:[\\s-]?time)?|(?:at\\s)?(?<tea>tea[\\s-]?time)|(?<first>(?:first|1st)\\sthing)(?:\\sin\\sthe\\smorning)?|(?:during\\s)?(?:the\\s|this\\s)?lunch(?:[\\s-]?time)?',
  ({ breakfast, dinner, tea, first }) => ({
    part: breakfast ? 'breakfast' : dinner ? 'dinner' : tea ? 'late-afternoon' : first ? 'morning' : 'midday',
    isOccasion: true,
  }),
);

/** "after lunch", "before lunch". */
const aroundLunch = rule('(?:right\\s|straight\\s|just\\s)?(?<way>after|before)\\slunch', ({ way }) => ({
  part: way === 'after' ? 'early-afternoon' : 'late-morning',
}));

/** "early on monday", "tuesday, late", "early tomorrow morning": an edge of the day, or of its part. */
const earlyOrLate = rule(
  '(?:(?:as\\s)?(?<early>early)(?:\\sas\\spossible)?|late)(?:\\son|\\s(?:in|at)\\sthe\\sday)?|(?<bright>bright\\sand\\searly)|last\\sthing',
  ({ early, bright }) => ({ edge: (early ?? bright) === undefined ? 'late' : 'early' }),
);

/** "early morning", "middle of the afternoon". Undefined for parts that people don't name, such as "early night". */
function nameOf(part: string | undefined, stretch: string | undefined): PartOfDay | undefined {
  const plain = part === 'forenoon' ? 'late-morning' : part;
  const name = stretch === undefined ? plain : `${stretch.replace('middle', 'mid')}-${plain}`;
  return PART_NAMES.find((each) => each === name);
}

export const partOfDayRules: Rules = [
  needing(/noon|mid|business|sod|start|open|begin|eo[db]|end|co[bp]|close|work/i, [namedTimes]),
  needing(/[ap]\.?m/i, [halvesOfDay]),
  needing(/mid/i, [midnight]),
  needing(/noon|morning|evening|ni(?:ght|te)/i, [partsOfDay]),
  needing(/breakfast|dinner|supper|tea|thing|lunch/i, [occasions, aroundLunch]),
  needing(/early|late|last/i, [earlyOrLate]),
];
