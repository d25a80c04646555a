import { expect, test } from 'vitest';
import { type AuditEntry, createAuditRecord, createEncryption } from '../../../src/access/access.ts';
import { MAX_SEARCHED_RECORDS } from '../../../src/features/audit/audit-search.ts';
import { NOW } from '../../support/bot.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { database, running, startBot } = setUpBot();

test('of many entries, the newest are searched, and a button continues with older ones', async () => {
  await startBot({ owners: { kind: 'emulator' } });
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext audit');
  await ana.sees('Audit log');
  const { workspace } = await database.db
    .selectFrom('audit_head')
    .select('workspace')
    .executeTakeFirstOrThrow();
  const record = createAuditRecord({
    db: database.db,
    encryption: createEncryption([{ id: 'filled', key: Buffer.alloc(32, 1) }]),
    now: () => NOW,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const entry = { workspace, actor: 'U0FILLED', action: 'roles give', decision: 'done' } satisfies AuditEntry;
  await Promise.all(
    Array.from({ length: MAX_SEARCHED_RECORDS + 10 }, (_, index) =>
      record.add({
        ...entry,
        target: index < 3 ? 'needle' : '',
        at: new Date(NOW.getTime() - (2 * MAX_SEARCHED_RECORDS - index) * 1000),
      }),
    ),
  );
  await ana.type('/upnext audit U0FILLED');
  await ana.sees('I searched the newest 4000 entries.');
  await ana.press('Export as CSV');
  await (await ana.inDirectMessage()).sees('as CSV: 4010 entries');
  await ana.type('/upnext audit needle');
  await ana.sees('Nothing in the newest 4000 entries with “needle”');
  await ana.press('Search older');
  await ana.sees('with “needle”, until ');
  await ana.sees(': 3 entries');
}, 60_000);
