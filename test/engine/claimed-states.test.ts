import { type Kysely, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { LIFECYCLE as DIGESTS } from '../../src/digests/occurrence.ts';
import { addOccurrences } from '../../src/digests/sql/digests.ts';
import { buildClaimFilter, type ClaimFilter, createClaims } from '../../src/engine/claims.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import { ACTIVE_STATES, FINAL_STATES, LIFECYCLE as SUBMISSIONS } from '../../src/submissions/submission.ts';
import { onEveryDatabase, openTestDatabase } from '../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

function groupStates<State extends string>(lifecycle: Readonly<Record<State, { waitsFor: string }>>) {
  const states = Object.keys(lifecycle) as State[];
  return {
    states,
    claimedStates: states.filter((state) => lifecycle[state].waitsFor === 'upnext').toSorted(),
  };
}

onEveryDatabase((create) => {
  let db: Kysely<BotSchema>;
  beforeEach(async () => {
    db = await openTestDatabase(create);
  });

  const listClaimedIds = async (filter: ClaimFilter) => {
    const claims = createClaims({
      db,
      clock: () => NOW,
      getClaimFilter: () => filter,
      leaseMs: 60_000,
      getLimit: () => 100,
      onError: (error) => expect(error).toBeUndefined(),
    });
    return (await claims.claim(100)).map(({ id }) => id).toSorted();
  };

  test('submissions are claimed in exactly the states in which they wait for Upnext', async () => {
    const { states, claimedStates } = groupStates(SUBMISSIONS);
    for (const state of states) {
      const sharedColumns = { id: state, workspace: 'T1', author: 'U1', kind: 'post', origin: state };
      await insertSubmission(db, {
        ...sharedColumns,
        item: 0,
        revision: 0,
        channel: null,
        content: null,
        createdAt: NOW,
      });
      await db.updateTable('submission').set({ state, next_at: NOW }).where('id', '=', state).execute();
    }
    expect(
      await listClaimedIds(buildClaimFilter({ table: 'submission', lifecycle: SUBMISSIONS }, [])),
    ).toEqual(claimedStates);
  });

  test.each([
    ['submission_active', ACTIVE_STATES],
    ['submission_unfinished', FINAL_STATES],
    ['submission_unfinished_publish_at', FINAL_STATES],
    ['submission_state', ACTIVE_STATES],
    ['held_post_author_waiting', ['draft', 'needs-person']],
    ['held_post_waiting', ['draft', 'awaiting-review', 'needs-person']],
    ['held_post_delivered', ['delivered']],
  ])(
    'the condition of the index %s names exactly the states of its lifecycle',
    async (index, expectedStates) => {
      const { rows } = await sql<{ definition: string }>`select indexdef as definition from pg_indexes
      where indexname = ${index}`.execute(db);
      const [, states = ''] = /WHERE (.*)/.exec(rows[0]?.definition ?? '') ?? [];
      const indexedStates = [...states.matchAll(/'([\w-]+)'/g)].flatMap(([, state]) => state ?? []);
      expect(indexedStates.toSorted()).toEqual(expectedStates.toSorted());
    },
  );

  test('digests are claimed in exactly the states in which they wait for Upnext', async () => {
    const { states, claimedStates } = groupStates(DIGESTS);
    const sharedColumns = { workspace: 'T1', digest: 'd', channel: 'C1', owner: 'U1' };
    await addOccurrences(
      db,
      states.map((state) => ({
        ...sharedColumns,
        id: state,
        slot: state,
        state,
        due_at: NOW,
        next_at: NOW,
        created_at: NOW,
        changed_at: NOW,
      })),
    );
    const definition = { table: 'digest_occurrence', lifecycle: DIGESTS } as const;
    expect(await listClaimedIds(buildClaimFilter(definition, []))).toEqual(claimedStates);
  });
});
