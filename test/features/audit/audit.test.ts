import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { createAuditRecord, createEncryption } from '../../../src/access/access.ts';
import { listRowsAfter } from '../../../src/access/record/rows.ts';
import { formatRecordCsv } from '../../../src/features/audit/audit-list.ts';
import { NOW } from '../../support/bot.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const SECRET = 'Nobody else reads this text';
const { database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ membersDefaultRole: null, owners: { kind: 'emulator' } });
});

const ana = () => running.workspace.as('Ana').in('#general');

async function findWorkspaceId(): Promise<string> {
  const head = await database.db.selectFrom('record_head').select('workspace').executeTakeFirstOrThrow();
  return head.workspace;
}

/** Adds lines to the record, all with the date `recordedAt`. */
async function addLines(count: number, recordedAt: Date) {
  const record = createAuditRecord({
    db: database.db,
    encryption: createEncryption([{ id: 'filled', key: randomBytes(32) }]),
    now: () => recordedAt,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const entry = {
    workspace: await findWorkspaceId(),
    actor: 'U0FILLED',
    action: 'filled in',
    decision: 'allowed',
  } as const;
  await Promise.all(
    Array.from({ length: count }, (_, index) => record.add({ ...entry, target: `line ${index}` })),
  );
}

test('the audit record lists actions and refusals, but contains no text of a post', async () => {
  const [ben, mira] = ['Ben', 'Mira'].map((name) => running.workspace.as(name).in('#general'));
  await mira?.type(`/schedule-post tomorrow 9am ${SECRET}`);
  await mira?.sees('it needs the role');
  await ben?.type('/schedule-post');
  const form = await ben?.modal('Schedule a post');
  await form?.fill('Text', SECRET);
  await form?.choose('Platforms', ['X']);
  await form?.choose('Save as', 'Draft');
  await form?.submit();
  await ana().type('/upnext audit');
  await ana().sees('The record: ');
  const text = ana().read();
  expect(text).toMatch(/schedule-post command schedule: refused/);
  expect(text).toMatch(/schedule-post view schedule-post: allowed/);
  expect(text).toMatch(/send post \([\w-]+, project p1\): allowed/);
  const rows = await listRowsAfter(database.db, {
    workspace: await findWorkspaceId(),
    after: 0,
    limit: 1_000,
  });
  expect(JSON.stringify(rows)).not.toContain(SECRET);
});

test('the audit record can be filtered by words and days, paged in the same message, and exported with all matching lines', async () => {
  await ana().type('/upnext roles');
  await ana().type('/upnext audit');
  await addLines(40, new Date(NOW.getTime() - 3 * 24 * 60 * 60 * 1000));
  await ana().type('/upnext audit filled');
  await ana().sees('The record with “filled”: 40 lines, 1 to 14');
  const messageCount = ana().messages().length;
  await ana().press('Next');
  await ana().sees('40 lines, 15 to 28');
  expect(ana().messages()).toHaveLength(messageCount);
  await ana().type('/upnext audit filled line 7 yesterday');
  await ana().sees('The audit log has nothing with “filled line 7”, ');
  await ana().type('/upnext audit filled 17 november');
  await ana().sees('The record with “filled”, ');
  await ana().press('Export as CSV');
  await ana().sees('Sent to you as a direct message.');
  const directMessages = await ana().inDirectMessage();
  expect(directMessages.read()).toContain('as CSV: 40 lines.');
});

test('the audit record can be filtered by a person’s name or id', async () => {
  const [ben, mira] = ['Ben', 'Mira'].map((name) => running.workspace.as(name).in('#general'));
  for (const person of [ben, mira]) {
    await person?.type('/upnext audit');
    await person?.sees('it needs the role owner');
  }
  await ana().type('/upnext audit audit refused');
  await ana().sees('The record with “audit refused”: 2 lines');
  await ana().type('/upnext audit @ben okafor audit refused');
  await ana().sees('The record about @ben okafor with “audit refused”: one line, newest first');
  await ana().type('/upnext audit <@U03MIRAVOS|mira> audit refused today');
  await ana().sees('The record about @mira with “audit refused”, ');
  await ana().press('Export as CSV');
  const directMessages = await ana().inDirectMessage();
  await directMessages.sees('about @mira with “audit refused”, ');
  expect(directMessages.read()).toContain('as CSV: one line.');
  await ana().in('#general').type('/upnext audit @benedict');
  await ana().sees('The audit log has nothing with “@benedict”.');
});

test('only owners can read the audit record', async () => {
  const ben = running.workspace.as('Ben').in('#general');
  await ben.type('/upnext audit');
  await ben.sees('it needs the role owner. You have publisher. Nothing was done.');
});

test('an exported audit record contains no formulas', () => {
  const row = { workspace: 'T1', seq: 1, at: NOW, actor: '=1+1', project: '', action: 'a,b', target: '@x' };
  const csv = formatRecordCsv([{ ...row, decision: 'allowed', reference: 'r', previous: '0', hash: 'f' }]);
  expect(csv).toContain(`1,2026-11-20T12:00:00.000Z,'=1+1,,"a,b",'@x,allowed,r,0,f`);
});
