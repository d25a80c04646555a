import type { Moment } from '../../src/when/when.ts';
import { wallClockAt } from '../../src/when/zones.ts';
import type { LabelledPhrase, Meaning } from './labelled-phrase.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A phrase such as "as soon as possible" means the next few minutes. */
const SOON_MS = 10 * MINUTE_MS;

/** Whether the moment matches the phrase's label, to the precision of the label. */
export function isLabelledMoment(
  moment: Moment,
  { expected, alternatives, reference, zone }: LabelledPhrase,
): boolean {
  if ('refuse' in expected) return false;
  if ('kind' in expected) return moment.instant.getTime() - Date.parse(reference) < SOON_MS;
  return [expected, ...alternatives].some((meaning) => matches(meaning, moment, { reference, zone }));
}

function matches(
  { granularity, date, time, offsetMin, from_, to }: Meaning,
  moment: Moment,
  { reference, zone }: { reference: string; zone: string },
): boolean {
  const instant = moment.instant.getTime();
  const wallTimeInOwnZone = wallClockAt(instant, moment.zone);
  if (granularity === 'date') return formatDay(wallTimeInOwnZone) === date;
  if (granularity === 'daypart') {
    const minuteOfDate = (wallTimeInOwnZone - Date.parse(`${date}T00:00:00Z`)) / MINUTE_MS;
    return minuteOfDate >= from_ && minuteOfDate < to;
  }
  const wallTime = offsetMin == null ? wallClockAt(instant, zone) : instant + offsetMin * MINUTE_MS;
  const minute = Math.floor((wallTime % DAY_MS) / MINUTE_MS);
  const labelledMinute = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  if (granularity === 'time') return minute === labelledMinute;
  if (formatDay(wallTime) !== date) return false;
  if (granularity !== 'hour') return minute === labelledMinute;
  const isSameHour = Math.floor(minute / 60) === Math.floor(labelledMinute / 60);
  return isSameHour && [labelledMinute % 60, Number(reference.slice(14, 16))].includes(minute % 60);
}

function formatDay(wallTime: number): string {
  return new Date(wallTime).toISOString().slice(0, 10);
}
