import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/app/schema.ts';
import { createSeenRequests, createStoredRequests } from '../../src/app/seen-requests.ts';
import { findSendingStop, resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import { openDatabase } from '../../src/store/database.ts';
import { onEveryDatabase } from '../support/databases.ts';

const RETENTION_MS = 600_000;

onEveryDatabase((create) => {
  test('if several instances receive a request at the same time, only one counts the request as new', async () => {
    const database = await create();
    let now = Date.parse('2026-11-20T12:00:00Z');
    const openConnection = () => openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const connections = [await openConnection(), await openConnection(), await openConnection()];
    const markSeenFunctions = connections.map((db) =>
      createSeenRequests(db, { retentionMs: RETENTION_MS, now: () => now }),
    );
    for (let round = 0; round < 20; round += 1) {
      for (const request of [`a${round}`, `b${round}`]) {
        const arrivals = await Promise.all(markSeenFunctions.map((markSeen) => markSeen(request)));
        expect(arrivals.filter((arrival) => arrival === 'first')).toHaveLength(1);
      }
    }
    now += 1_500;
    expect(await markSeenFunctions[1]?.('a0')).toBe(1_500);
    expect(await markSeenFunctions[1]?.('new')).toBe('first');
    now += RETENTION_MS + 1;
    expect(await markSeenFunctions[0]?.('later')).toBe('first');
    const remainingRows = await connections[0]?.selectFrom('seen_request').select('signature').execute();
    expect(remainingRows).toEqual([{ signature: 'later' }]);
    await Promise.all(connections.map((db) => db.destroy()));
    await database.close();
  });

  test('after a restart, an instance recognises earlier requests until they can no longer be replayed', async () => {
    const database = await create();
    let now = Date.parse('2026-11-20T12:00:00Z');
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const options = { retentionMs: RETENTION_MS, now: () => now };
    await createStoredRequests(db, options).add(['a', 'b']);
    now += RETENTION_MS / 2;
    await createStoredRequests(db, options).add(['b', 'c']);
    const earlierTime = now - RETENTION_MS / 2;
    expect(await createStoredRequests(db, options).load()).toEqual(
      new Map([
        ['a', earlierTime],
        ['b', earlierTime],
        ['c', now],
      ]),
    );
    now += RETENTION_MS / 2 + 1;
    expect(await createStoredRequests(db, options).load()).toEqual(
      new Map([['c', now - RETENTION_MS / 2 - 1]]),
    );
    await db.destroy();
    await database.close();
  });

  test('sending stays stopped until a person resumes it, and a second stop doesn’t change the reason', async () => {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const since = new Date('2026-11-20T12:00:00Z');
    expect(await findSendingStop(db)).toBeUndefined();
    await stopSending(db, { reason: 'wrong copy in the launch posts', since });
    await stopSending(db, { reason: 'again', since: new Date() });
    expect(await findSendingStop(db)).toMatchObject({ reason: 'wrong copy in the launch posts', since });
    expect(await resumeSending(db, CAPABILITIES, since)).toBe(true);
    expect(await resumeSending(db, CAPABILITIES, since)).toBe(false);
    expect(await findSendingStop(db)).toBeUndefined();
    await db.destroy();
    await database.close();
  });
});
