import { type Kysely, sql } from 'kysely';
import { DateTime } from 'luxon';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { WORKSPACES } from '../cast.ts';
import type { Entry } from '../history.ts';
import type { World } from '../world.ts';

/** A digest is sent within so long, also after an outage. Later it is missed, which happens when its day ends. */
const SENT_WITHIN_MS = 13 * 3_600_000;
/** What ends a date, and whether its message is in the channel then. */
const ENDS: Readonly<Record<string, 'sent' | 'not sent' | 'unknown'>> = {
  sent: 'sent',
  silent: 'not sent',
  missed: 'not sent',
  paused: 'not sent',
  uncertain: 'unknown',
};

/** A digest with what it became on each of its dates. */
interface Digest {
  id: string;
  workspace: string;
  channel: string;
  owner: string;
  state: string;
  zone: string;
  minute: number;
  days: string;
  occurrences: { id: string; date: string; state: string; changed_at: string }[];
}

/**
 * Checks that each digest was sent once on each of its local dates, or that its owner was told why not. Digests that people
 * paused, changed or removed have other dates, of which nothing is missing.
 */
export async function checkDigests({
  database,
  slack,
  history,
  time,
}: World): Promise<{ violations: string[]; sentCount: number }> {
  const messageCounts = new Map<string, number>();
  for (const { id } of WORKSPACES)
    for (const { metadata, threadTs } of slack.listAppMessages(id)) {
      const payload = JSON.stringify(metadata ?? {});
      const [, occurrence] = /"occurrence":"([^"]+)"/u.exec(payload) ?? [];
      if (occurrence !== undefined && threadTs === undefined)
        messageCounts.set(occurrence, (messageCounts.get(occurrence) ?? 0) + 1);
    }
  const isChanged = history.some((entry) => entry.kind === 'deed' && isDigestDeed(entry));
  const found: string[] = [];
  for (const digest of await listDigests(database.admin)) {
    for (const { id, date, state, changed_at: changedAt } of digest.occurrences) {
      const count = messageCounts.get(id) ?? 0;
      const end = ENDS[state];
      const name = `digest of ${date} in ${digest.channel}`;
      if (count > 1 && !isChanged) found.push(`${name} was sent ${count} times`);
      if ((end === 'sent' && count === 0) || (end === 'not sent' && count > 0 && !isChanged))
        found.push(`${name} is ${state}, and ${count} messages are there`);
      const since = Date.parse(changedAt) - 60_000;
      const wasTold = history.some((entry) => isToldTo(entry, digest, since));
      if ((state === 'missed' || state === 'uncertain' || state === 'paused') && !wasTold && !isChanged)
        found.push(`nobody was told that the ${name} is ${state}`);
    }
    const firstDate = digest.occurrences.map(({ date }) => date).sort()[0];
    if (isChanged || digest.state !== 'on' || firstDate === undefined) continue;
    for (const date of listDates(digest, firstDate, time.now() - SENT_WITHIN_MS)) {
      const count = digest.occurrences.filter((occurrence) => occurrence.date === date).length;
      if (count !== 1) found.push(`the digest in ${digest.channel} has ${count} ends for ${date}`);
    }
  }
  return { violations: found, sentCount: messageCounts.size };
}

/** Deeds after which a digest may have other dates, or be sent again. */
function isDigestDeed({ text, pressed }: Extract<Entry, { kind: 'deed' }>): boolean {
  const labels = ['Pause', 'Resume', 'Remove', 'Edit', 'Post again', 'It’s there', 'submit'];
  return /uninstalls|is now|leaves/u.test(text) || (pressed !== undefined && labels.includes(pressed));
}

function isToldTo(entry: Entry, { owner, workspace, channel }: Digest, since: number): boolean {
  if (entry.kind !== 'shown' || entry.at < since || entry.workspace !== workspace) return false;
  return (entry.reader === owner || entry.channel === channel) && /digest/iu.test(entry.text);
}

/** The dates of a digest from one on, whose times have passed. A time that the clocks skip is later on the same date. */
function listDates({ zone, minute, days }: Digest, from: string, until: number): string[] {
  const dates: string[] = [];
  for (let date = DateTime.fromISO(from, { zone }); ; date = date.plus({ days: 1 })) {
    const slot = date.set({ hour: Math.floor(minute / 60), minute: minute % 60 });
    if (slot.toMillis() > until) return dates;
    if (days.split(',').includes(String(date.weekday))) dates.push(date.toISODate() ?? '');
  }
}

async function listDigests(db: Kysely<BotSchema>): Promise<Digest[]> {
  const { rows } = await sql<Digest>`
    select digest.id, workspace, channel, owner, state, zone, minute, days, coalesce((
      select json_agg(json_build_object(
        'id', occurrence.id, 'date', occurrence.slot, 'state', occurrence.state, 'changed_at', occurrence.changed_at))
      from digest_occurrence as occurrence where occurrence.digest = digest.id and occurrence.requested_at is null), '[]') as occurrences
    from digest`.execute(db);
  return rows;
}
