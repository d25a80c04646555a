import { DateTime } from 'luxon';

/** A time as a text states it, with its zone. `seconds`: Slack's own format, which is exact. */
type StatedTime = { seconds: number } | { wall: string; zone: string };

/** Zones by the place that texts name: "Berlin". */
const ZONES: ReadonlyMap<string, string> = new Map([
  ...Intl.supportedValuesOf('timeZone').map(
    (zone) => [zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone, zone] as const,
  ),
  ['UTC', 'UTC'],
]);

/** Finds the zone of a place that a text names. */
export const placeToZone = (place: string): string | undefined => ZONES.get(place);

const CLOCK = String.raw`\d{1,2}:\d{2}(?: [AP]M)?`;
const DAY = String.raw`\d{1,2} \p{Lu}\p{Ll}{2}\p{Ll}*(?: \d{4})?`;
/** "Tue 1 Dec, 08:00 (Lisbon)", "Tue 1 Dec, 08:00 (09:00 Berlin)" or "(Wed 2 Dec, 01:00 Tokyo)". */
const TIME = new RegExp(
  String.raw`⟨(?<seconds>\d+)⟩|(?<day>${DAY}), (?<clock>${CLOCK}) \((?:(?:\p{Lu}\p{Ll}+ )?(?<ownDay>${DAY}), )?(?:(?<ownClock>${CLOCK}) )?(?<place>\p{L}[^(),]*)(?:, [^()]*)?\)`,
  'gu',
);

/** Reads the times in a text that can be told for certain. */
export function readTimes(text: string): StatedTime[] {
  return [...text.matchAll(TIME)].flatMap(({ groups = {} }): StatedTime[] => {
    const { seconds, day = '', clock = '', ownDay, ownClock, place = '' } = groups;
    if (seconds !== undefined) return [{ seconds: Number(seconds) }];
    const zone = ZONES.get(place);
    return zone === undefined
      ? []
      : [{ wall: `${toDay(ownDay ?? day)} ${toClock(ownClock ?? clock)}`, zone }];
  });
}

export function isSameTime(time: StatedTime, instant: number | undefined): boolean {
  if (instant === undefined) return false;
  if ('seconds' in time) return time.seconds === Math.floor(instant / 1000);
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: time.zone,
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(instant);
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return time.wall === `${toDay(`${get('day')} ${get('month')}`)} ${get('hour')}:${get('minute')}`;
}

/** "1 Sep", because English months have three or four letters. */
function toDay(text: string): string {
  const [day = '', month = ''] = text.split(' ');
  return `${Number(day)} ${month.slice(0, 3)}`;
}

/** "15:05" for "3:05 PM". */
function toClock(text: string): string {
  const [, hour = '', minute = '', half] = /^(\d+):(\d+)(?: ([AP]M))?$/.exec(text) ?? [];
  const shift = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  return `${String(shift).padStart(2, '0')}:${minute}`;
}

/** What the clock of a zone shows. */
export function readClock(at: number, zone: string): { day: string; clock: string } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(at);
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return { day: `${get('year')}-${get('month')}-${get('day')}`, clock: `${get('hour')}:${get('minute')}` };
}

/** A stated time has no year, so it is the one that is nearest to `near`. */
export function toInstant(time: StatedTime, near: number): number | undefined {
  if ('seconds' in time) return time.seconds * 1000;
  const year = new Date(near).getUTCFullYear();
  const candidates = [year - 1, year, year + 1].flatMap((each) => {
    const [day = '', month = '', clock = ''] = time.wall.split(' ');
    const parsed = DateTime.fromFormat(
      `${day} ${month} ${each} ${clock.padStart(5, '0')}`,
      'd MMM yyyy HH:mm',
      {
        zone: time.zone,
        locale: 'en',
      },
    );
    return parsed.isValid ? [parsed.toMillis()] : [];
  });
  return candidates.toSorted((one, other) => Math.abs(one - near) - Math.abs(other - near))[0];
}
