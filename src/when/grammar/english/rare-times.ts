import { Duration } from 'luxon';
import { rule } from '../rule.ts';
import { MERIDIEM } from './clock-times.ts';

/** "24:00", "2400 hours": the end of the day (ISO 8601). */
export const endOfDay = rule('(?:at\\s)?24(?::00(?::00)?|00(?=\\s?h))(?:\\s?h(?:rs|ours)?)?', () => ({
  hour: 24,
  minute: 0,
}));

/** "19 30", "8 h 30", and nothing else. */
export const spacedTimes = rule(
  '(?<=^\\s*)(?<hour>[01]?\\d|2[0-3])\\s(?:h\\s)?(?<minute>[0-5]\\d)(?=[\\s.!?]*$)',
  ({ hour, minute }) => {
    const number = Number(hour);
    const isSettled = number === 0 || number > 12 || hour?.startsWith('0') === true;
    const time = { hour: number, minute: Number(minute) };
    return isSettled ? time : { ...time, halfOfDay: number < 7 ? 'open' : 'as-shown' };
  },
);

/** "7-30pm": no range of hours ends at thirty. */
export const dashedTimes = rule(
  `(?<![\\d-])(?<hour>1[0-2]|0?[1-9])-(?<minute>1[3-9]|[2-5]\\d)\\s?(?<meridiem>${MERIDIEM})`,
  ({ hour, minute, meridiem = '' }) => ({
    hour: (Number(hour) % 12) + (meridiem.startsWith('p') ? 12 : 0),
    minute: Number(minute),
  }),
);

/** "600h", "630 hours": twenty-five days, or soldiers' six o'clock; asked. */
export const hoursOrMilitary = rule(
  '(?<=^\\s*)(?<hour>[1-9])(?<minute>[0-5]\\d)\\s?h(?:rs|ours)?(?=[\\s.!?]*$)',
  ({ hour, minute }) => ({
    hour: Number(hour),
    minute: Number(minute),
    orFromNow: Duration.fromObject({ hours: Number(`${hour}${minute}`) }),
  }),
);

/** "At 8 hours", "at 17 hrs": the hour of a 24-hour clock. */
export const atFullHours = rule('at\\s(?<hour>[01]?\\d|2[0-3])\\s(?:hours|hrs)', ({ hour }) => ({
  hour: Number(hour),
  minute: 0,
}));

/** "2010" and nothing else, in 2026: a year that is over is none to post in. */
export const pastYearsAsTimes = rule(
  '(?<=^\\s*)(?<hour>19|20)(?<minute>[0-5]\\d)(?=[\\s.!?]*$)',
  ({ hour, minute }, today) =>
    Number(`${hour}${minute}`) < today.year ? { hour: Number(hour), minute: Number(minute) } : undefined,
);
