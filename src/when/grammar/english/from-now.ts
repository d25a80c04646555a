import type { Duration } from 'luxon';
import { rule, type Said } from '../rule.ts';
import { DURATION, durationOf } from './durations.ts';

/** "in 2 hours", "3 days from now", "two weeks later". */
export const fromNow = rule(
  'from-now',
  `(?:in|after)\\s?(?:(?:about|around|approximately|roughly)\\s|~\\s?)?(?<ahead>${DURATION})(?:\\s(?:time|from\\s(?:now|today)))?|(?<later>${DURATION})\\s(?:from\\s(?:now|today)|later|hence|ahead|out)|(?:now\\s)?\\+\\s?(?<plus>${DURATION})`,
  ({ ahead, later, plus }) => after(durationOf(ahead ?? later ?? plus ?? '')),
);

/** "5 minutes", "2h": the whole text is a duration. */
export const bareDuration = rule(
  'bare-duration',
  `(?<=^\\s*)(?<duration>${DURATION})(?=\\s*$)`,
  ({ duration }) => after(durationOf(duration ?? '')),
);

/** "two days after …", "a week from …": counted from the words that follow. */
export const fromAnother = rule(
  'from-another',
  `(?<duration>${DURATION})\\s(?:after|from|past)(?=\\s(?!now))|(?<week>a?\\s?week)\\son(?=\\s)`,
  ({ duration, week }) => {
    const plus = week === undefined ? durationOf(duration ?? '') : durationOf('1 week');
    return plus === undefined ? undefined : { marks: [`plus/${plus.toISO()}`] };
  },
);

function after(duration: Duration | undefined): Said | undefined {
  return duration === undefined ? undefined : { marks: [`after/${duration.toISO()}`] };
}
