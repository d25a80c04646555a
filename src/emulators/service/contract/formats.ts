import { readScheduleDate } from '../posts/schedule-date.ts';

/**
 * The formats that the document uses. Both accept more than JSON Schema's: a date-time may lack its offset, like a
 * ScheduleDate, and an e-mail address may be international.
 */
export const formats: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': (value) => readScheduleDate(value) !== undefined,
  email: (value) =>
    value.length <= 254 &&
    /^[^\s@\p{Cc}\p{Cs}<>"(),:;\\[\]]{1,64}@[^\s@.\p{Cc}\p{Cs}<>"(),:;\\[\]]+(\.[^\s@.\p{Cc}\p{Cs}<>"(),:;\\[\]]+)+$/u.test(
      value,
    ),
};
