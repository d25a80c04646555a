import { sql } from 'kysely';
import type { Definition } from '../delivery/definition.ts';
import { LIFECYCLE, type State } from './lifecycle.ts';
import type { DigestPace } from './pace.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** What the last digest leaves for the next one. */
export interface LastPosted {
  /** When the message was posted, if it was just now. */
  posted_at?: Date;
  /** What its composer wants to know again the next time. */
  memory?: string | undefined;
}

/** Occurrences of digests, as deliveries. */
export function occurrenceDefinition(pace: DigestPace): Definition<State, OccurrenceRow> {
  return {
    table: 'digest_occurrence',
    lifecycle: LIFECYCLE,
    leaseMs: pace.leaseMs,
    beginMs: pace.beginMs,
    // The note is a `LastPosted`.
    beside: sql`update digest d set
        posted_at = coalesce((v.note->>'posted_at')::timestamptz, d.posted_at),
        memory = coalesce(v.note->>'memory', d.memory)
      from moved join v using (id) where d.id = moved.digest and v.note is not null`,
  };
}
