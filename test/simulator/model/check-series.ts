import { sql } from 'kysely';
import { BLACKOUT_DAYS } from '../cast.ts';
import type { World } from '../world.ts';
import { listTokens } from './ledger.ts';
import { isDateOf, isSeriesToken, type SeriesWish } from './series.ts';
import { readClock } from './stated-times.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
/** A series makes the post of a date that is further away than this, also if an instance is killed meanwhile. */
const START_MS = 14 * HOUR;
/** Whatever stops a series, or changes which dates it has. */
const CHANGES =
  /Series (?:paused|cancelled|ended)|paused a series|None of its posts|none of its posts|Somebody cancelled its later|cancelled your series|paused your series/u;

/**
 * Checks that no date is missing of the series that nobody has changed: each is at the service, or Upnext keeps a post for
 * it, or somebody has read that it was missed.
 */
export async function checkSeries(
  { database, history, time }: World,
  wishes: ReadonlyMap<string, { series: SeriesWish; isForgotten: boolean }>,
  readToken: (row: { workspace: string; content: string | null }) => string[],
): Promise<string[]> {
  const { rows: series } = await sql<{
    id: string;
    workspace: string;
    content: string | null;
    version: number;
    created_at: Date;
    missed: string | null;
  }>`select id, workspace, content, version, created_at, missed from series`.execute(database.admin);
  const violations: string[] = [];
  for (const row of series) {
    const [token] = readToken(row);
    const wish = token === undefined ? undefined : wishes.get(token);
    if (token === undefined || !wish || wish.isForgotten || row.version > 1) continue;
    const [rule, ...others] = wish.series.rules;
    const isChanged = history.some(
      (entry) => entry.kind === 'shown' && listTokens(entry.text).includes(token) && CHANGES.test(entry.text),
    );
    if (!rule || others.length > 0 || isChanged || !isSeriesToken(token)) continue;
    const { rows: posts } = await sql<{ publish_at: Date | null; item: number }>`
      select publish_at, item from held_post where series = ${row.id}`.execute(database.admin);
    const keys = new Set(posts.map(({ item }) => item));
    const first = Math.ceil((row.created_at.getTime() + START_MS) / MINUTE) * MINUTE;
    for (let at = first; at < time.now(); at += 15 * MINUTE) {
      const instant = Math.floor(at / (15 * MINUTE)) * 15 * MINUTE;
      const isBlackout = BLACKOUT_DAYS.includes(readClock(instant, rule.zone).day);
      if (!isDateOf(rule, instant) || isBlackout || wish.series.sent.has(instant)) continue;
      const isKept = posts.some(({ publish_at: publishAt }) => publishAt?.getTime() === instant);
      const key = toKey(instant, rule.zone);
      if (isKept || keys.has(key) || row.missed?.split(',').includes(String(key))) continue;
      violations.push(`${token} has no post for ${new Date(instant).toISOString()}, and nobody was told`);
    }
  }
  return violations;
}

/** What the clock of the zone shows, in minutes since 1970. */
function toKey(at: number, zone: string): number {
  const { day, clock } = readClock(at, zone);
  return Date.parse(`${day}T${clock}Z`) / MINUTE;
}
