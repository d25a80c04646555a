import { readScheduleDate } from '../posts/schedule-date.ts';

/**
 * The formats that the document names. Both are a little wider than JSON Schema's own: a date-time may lack its
 * offset, as a ScheduleDate may; an e-mail address may be international.
 */
export const formats: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': (value) => readScheduleDate(value) !== undefined,
  email: (value) =>
    value.length <= 254 &&
    /^[^\s@\p{Cc}\p{Cs}<>"(),:;\\[\]]{1,64}@[^\s@.\p{Cc}\p{Cs}<>"(),:;\\[\]]+(\.[^\s@.\p{Cc}\p{Cs}<>"(),:;\\[\]]+)+$/u.test(
      value,
    ),
};
