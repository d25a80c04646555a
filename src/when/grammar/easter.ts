import { DateTime } from 'luxon';

/** Easter Sunday of the Gregorian calendar (the "anonymous" computus; Meeus, Astronomical Algorithms, chapter 8). */
export function easterSunday(year: number): DateTime {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const leapCenturies = Math.floor(century / 4);
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const moon = (19 * golden + century - leapCenturies - moonShift + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - moon - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * toSunday) / 451);
  const days = moon + toSunday - 7 * late + 114;
  return DateTime.utc(year, Math.floor(days / 31), (days % 31) + 1);
}

/** Easter Sunday of the Julian calendar, by its Gregorian date until 2099 (Meeus, chapter 8). */
export function orthodoxEasterSunday(year: number): DateTime {
  const moon = (19 * (year % 19) + 15) % 30;
  const toSunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
  const days = moon + toSunday + 114;
  return DateTime.utc(year, Math.floor(days / 31), (days % 31) + 1).plus({ days: 13 });
}
