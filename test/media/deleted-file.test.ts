import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { DAY_MS } from '../../src/durations.ts';
import { beginFile } from '../../src/media/media-store.ts';
import { onEveryDatabase, openTestDatabase } from '../support/databases.ts';

onEveryDatabase((create) => {
  test('a file that is deleted while it is being stored ends with that, and not with an error of the database', async () => {
    const db = await openTestDatabase(create);
    const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
    const now = new Date('2026-11-20T12:00:00Z');
    const file = { workspace: 'T1', slackFile: 'F1', store: '', now };
    const writer = await beginFile({ db, encryption }, file);
    // As an uninstallation does.
    await db.deleteFrom('media_file').execute();
    await writer.write(Buffer.from('a picture'));
    const facts = { type: 'image/jpeg', isAnimated: false, hadPrivateData: false } as const;
    const completing = writer.complete(facts, new Date(now.getTime() + DAY_MS));
    await expect(completing).rejects.toThrow('the file was deleted while it was being stored');
    expect(await db.selectFrom('media_chunk').select('file').execute()).toEqual([]);
  });
});
