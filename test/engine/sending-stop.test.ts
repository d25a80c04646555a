import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { findSendingStop, resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import { onEveryDatabase, openTestDatabase } from '../support/databases.ts';

onEveryDatabase((create) => {
  test('sending stays stopped until a person resumes it, and a second stop doesn’t change the reason', async () => {
    const db = await openTestDatabase(create);
    const since = new Date('2026-11-20T12:00:00Z');
    expect(await findSendingStop(db)).toBeUndefined();
    await stopSending(db, { reason: 'wrong copy in the launch posts', since });
    await stopSending(db, { reason: 'again', since: new Date() });
    expect(await findSendingStop(db)).toMatchObject({ reason: 'wrong copy in the launch posts', since });
    expect(await resumeSending(db, CAPABILITIES, since)).toBe(true);
    expect(await resumeSending(db, CAPABILITIES, since)).toBe(false);
    expect(await findSendingStop(db)).toBeUndefined();
  });
});
