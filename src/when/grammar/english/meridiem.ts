/** "am", "p.m.", "a m"; a single letter only where a rule asks for it. */
export const MERIDIEM = '(?:(?:in\\sthe\\s)?[ap]\\s?\\.?\\s?m\\b\\.?)';
export const SHORT_MERIDIEM = '(?:[ap]\\b\\.?)';

/** The hour on a 24-hour clock for 1 to 12 with am or pm; an hour past 12 stays what it is; undefined for no hour. */
export function hourOfDay(hour: number, meridiem: string | undefined): number | undefined {
  if (hour > 23) return undefined;
  if (meridiem === undefined || hour > 12) return hour;
  const isAfternoon = meridiem.replace('in the', '').trim().startsWith('p');
  // "0:30 am" is half an hour after midnight; no clock shows "0:30 pm".
  if (hour === 0 && isAfternoon) return undefined;
  return (hour % 12) + (isAfternoon ? 12 : 0);
}
