import { rule } from '../rule.ts';
import { NUMBER_WORD, numberOf } from './numbers.ts';

/**
 * "At quarter past", "ten to", "on the hour", "at 20 past the hour": the next time that the clock's minutes are
 * there, whatever its hour.
 */
export const minutesPast = rule(
  `(?:at\\s)?(?:(?<minutes>half|(?:an?\\s)?quarter|[0-5]?\\d|${NUMBER_WORD})(?:\\sminutes?|\\smins?)?\\s(?:past|after|(?<to>to|till?|before))(?:\\sthe\\shour)?|(?<full>(?:on|(?:(?:on|at)\\s)?(?:the\\s)?(?:top|start)\\sof)\\sthe\\s(?:next\\s)?(?:full\\s)?hour|at\\sthe\\s(?:next\\s)?(?:full\\s)?hour)|(?:(?:on|at)\\s)?(?:the\\s)?(?:bottom|middle)\\sof\\sthe\\shour|(?:on|at)\\sthe\\s(?:next\\s)?half[\\s-]hour)(?=[\\s.!?]*$)`,
  ({ minutes, to, full }) => {
    if (full !== undefined) return { minutePastHour: 0 };
    const size = minutesOf(minutes);
    if (size === undefined || size > 59) return undefined;
    return { minutePastHour: to === undefined ? size : (60 - size) % 60 };
  },
);

function minutesOf(text: string | undefined): number | undefined {
  if (text === undefined || text === 'half') return 30;
  return text.endsWith('quarter') ? 15 : numberOf(text);
}
