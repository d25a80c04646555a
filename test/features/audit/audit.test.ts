import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AuditEntry, createAuditRecord } from '../../../src/access/access.ts';
import { features } from '../../../src/app/features.ts';
import { formatRecordCsv, isListedDeed, renderAuditList } from '../../../src/features/audit/audit.ts';
import { listDeeds } from '../../../src/features/audit/audit-sentence.ts';
import { listAuditRows } from '../../support/audit-record.ts';
import { NOW } from '../../support/bot.ts';
import { showMoreOptions } from '../../support/filled-form.ts';
import { expectParts, fillIn, submitWith } from '../../support/form-steps.ts';
import { data, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressAndSee, pressForForm } from '../../support/steps.ts';

const SECRET = 'Nobody else reads this text';
const { database, running, setPolicy, startBot } = setUpBot({
  membersDefaultRole: null,
  owners: { kind: 'emulator' },
});

const ana = () => running.workspace.as('Ana').in('#general');

async function getWorkspaceId(): Promise<string> {
  const entry = await database.db.selectFrom('audit_entry').select('workspace').executeTakeFirstOrThrow();
  return entry.workspace;
}

/** Adds entries with the given date to the audit log. */
async function addEntries(
  count: number,
  at: Date,
  createEntry: (index: number) => Omit<AuditEntry, 'workspace'>,
) {
  const record = createAuditRecord({
    db: database.db,
    now: () => at,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const workspace = await getWorkspaceId();
  await Promise.all(
    Array.from({ length: count }, (_, index) => record.add({ workspace, ...createEntry(index) })),
  );
}

test('the audit log shows actions and denials without ids, and the stored record contains no post text', async () => {
  const [ben, mira] = ['Ben', 'Mira'].map((name) => running.workspace.as(name).in('#general'));
  await mira?.type(`/schedule-post tomorrow 9am ${SECRET}`);
  await mira?.sees('You need the');
  await ben?.type('/schedule-post');
  const form = await ben?.modal('Schedule a post');
  await form?.fill('Text', SECRET);
  await form?.choose('Platforms', ['X']);
  await form?.press('More options');
  await ben?.sees('When you submit');
  await form?.choose('When you submit', 'Save as draft');
  await ben?.sees('[Save draft]');
  expect((await form?.submit())?.errors).toEqual({});
  await ask(ana(), '/upnext audit', 'Audit log: ');
  await ana().sees('Newest first, Lisbon time. What people only opened is in the CSV file.');
  const text = ana().read();
  expect(text).not.toContain('opened the audit log');
  expect(text).toContain('12:00  :no_entry: Denied: @Mira Vos tried to start a post');
  // One entry for one deed.
  expect(text).not.toContain('submitted the post form');
  expect(text).toContain('12:00  @Ben Okafor saved a draft “Nobody else reads this text” in Harbour Coffee');
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|\bp1\b|schedule-post view/);
  expect(JSON.stringify(await listAuditRows(database.db))).not.toContain(SECRET);
});

test('a form that sends a submission is one entry, so its own entry is left out', () => {
  const forms = features
    .filter(({ submissions = [] }) => submissions.length > 0)
    .flatMap(({ views = {} }) => Object.values(views));
  expect(forms.filter(({ deed }) => isListedDeed(deed)).map(({ deed }) => deed)).toEqual([]);
});

test('a post that Upnext keeps is one entry when it is saved, and one when it is edited', async () => {
  await setPolicy({ leadMinutes: 60 });
  await ana().type('/schedule-post 1 Dec 9am on x: We open at nine');
  await (await ana().modal('Schedule a post')).submit();
  const form = await pressForForm(ana(), 'Edit', 'Edit post');
  await (await submitWith(form, { Text: 'We open at ten' })).view?.close();
  await ask(ana(), '/upnext audit ana', '@Ana Ferreira edited a post in Harbour Coffee');
  const text = ana().messages().at(-1) ?? '';
  expect(text.match(/Ana Ferreira .*/g)).toEqual([
    'Ana Ferreira edited a post in Harbour Coffee',
    'Ana Ferreira saved a post in Harbour Coffee',
  ]);
});

test('a press whose answer failed, or that was refused, is one entry: what is known of it', async () => {
  await ask(ana(), '/upnext audit', 'udit log');
  const press = { actor: 'U02BENOKAF', action: 'series action series.pause', project: 'p1' } as const;
  const entries: Omit<AuditEntry, 'workspace'>[] = [
    { ...press, decision: 'allowed', reference: 'a' },
    { ...press, action: 'series pause', decision: 'done', reference: 'a' },
    { ...press, decision: 'unknown', reference: 'a' },
    { ...press, decision: 'allowed', reference: 'b' },
    { ...press, action: 'series pause', decision: 'refused', reference: 'b' },
    { ...press, decision: 'unchanged', reference: 'b' },
  ];
  await addEntries(entries.length, NOW, (index) => entries[index] ?? expect.unreachable());
  await ask(ana(), '/upnext audit ben', 'tried to pause a series');
  expect((ana().messages().at(-1) ?? '').match(/@Ben .* a series.*/g)).toEqual([
    '@Ben Okafor tried to pause a series in Harbour Coffee',
    '@Ben Okafor paused a series in Harbour Coffee',
  ]);
});

test('each audit entry is also one line of the log, with the id of its row and without post text', async () => {
  const earlierIds = (await listAuditRows(database.db)).map(({ id }) => id);
  await askForForm(ana(), `/schedule-post tomorrow 9am ${SECRET}`, 'Schedule a post');
  await ask(ana(), '/upnext use harbour', 'This channel now follows Harbour Coffee');
  await ask(ana(), '/upnext audit', 'Audit log: ');
  const newRows = (await listAuditRows(database.db)).filter(({ id }) => !earlierIds.includes(id));
  const loggedRows = running.logged.flatMap((line) => {
    const [, fields] = /^audit entry (.+)$/.exec(line) ?? [];
    return fields === undefined ? [] : [z.record(z.string(), z.string()).parse(JSON.parse(fields))];
  });
  expect(newRows.map(({ action }) => action)).toContain('projects use');
  expect(loggedRows).toEqual(newRows.map(({ seq: _, at, ...row }) => ({ ...row, at: at.toISOString() })));
  expect(running.logged.join('\n')).not.toContain(SECRET);
});

test('the audit log can be filtered by text and day, and the CSV export contains all matching entries', async () => {
  await ana().type('/upnext roles');
  await ana().type('/upnext audit');
  await addEntries(40, new Date(NOW.getTime() - 3 * 24 * 60 * 60 * 1000), (index) => ({
    ...{ actor: `U0FILLED${index % 5}`, action: 'roles give', target: `line ${index}`, decision: 'done' },
  }));
  await ask(ana(), '/upnext audit filled', 'Audit log with “filled”: 1–10 of 40');
  const messageCount = ana().messages().length;
  await pressAndSee(ana(), 'Next page', '11–20 of 40');
  expect(ana().messages()).toHaveLength(messageCount);
  await ana().type('/upnext audit filled line 7 yesterday');
  await ana().sees('Nothing in the audit log with “filled line 7”, ');
  await ask(ana(), '/upnext audit filled 17 november', 'Audit log with “filled”, ');
  await pressAndSee(ana(), 'Export as CSV', 'Sent to you as a direct message.');
  expect((await ana().inDirectMessage()).read()).toContain('as CSV: 40 entries');
});

describe('a post that is retried', () => {
  /** Saves a draft as Ana, while the service has no time for it. Resolves when the first decision is recorded. */
  async function saveDraft() {
    await startBot({ membersDefaultRole: null, owners: { kind: 'emulator' }, pace: FAST_RETRIES });
    running.service.on('POST /posts', json(429, {}));
    const form = await askForForm(ana(), '/schedule-post', 'Schedule a post');
    await showMoreOptions(ana(), form);
    await fillIn(form, { Text: 'Open late & loud', Platforms: ['X'], 'When you submit': ['Save as draft'] });
    await ana().sees('[Save draft]');
    await (await form.submit()).view?.close();
    await expect.poll(countDecisions).toBe(1);
  }

  /** Counts the recorded decisions to send the draft. */
  async function countDecisions(): Promise<number> {
    const rows = await listAuditRows(database.db);
    const { id } = await database.db.selectFrom('submission').select('id').executeTakeFirstOrThrow();
    return rows.filter(({ action, target }) => action === 'send post' && target === id).length;
  }

  test('is one entry in the audit log, and the first and the last decision to send it are in the CSV export', async () => {
    await saveDraft();
    await expect.poll(() => running.service.created().length).toBeGreaterThan(2);
    expect(await countDecisions()).toBe(1);
    running.service.on('POST /posts', data({ Id: 'made' }));
    await expect.poll(countDecisions).toBe(2);
    await ask(ana(), '/upnext audit @ana ferreira send post', 'with “send post”: 1 entry');
    expect(ana().read()).toMatch(/saved a draft “Open late & loud” in Harbour Coffee after \d+ retries/u);
    await ana().press('Export as CSV');
    await (await ana().inDirectMessage()).sees('as CSV: 2 entries');
  });

  test('is in the audit log even if the process ended before the first decision was written', async () => {
    await saveDraft();
    // As if the entry had been lost: it has the id of another submission. Not while the draft is being sent.
    const loseEntry = () =>
      database.db
        .updateTable('submission')
        .set({ id: randomUUID() })
        .where('lease_until', 'is', null)
        .executeTakeFirst();
    await expect.poll(async () => (await loseEntry()).numUpdatedRows).toBe(1n);
    expect(await countDecisions()).toBe(0);
    running.service.on('POST /posts', data({ Id: 'made' }));
    await expect.poll(countDecisions).toBe(1);
  });
});

test('the audit log can also be filtered by a person’s name or id', async () => {
  const [ben, mira] = ['Ben', 'Mira'].map((name) => running.workspace.as(name).in('#general'));
  for (const person of [ben, mira]) {
    await person?.type('/upnext audit');
    await person?.sees('You need the Owner role');
  }
  await ask(ana(), '/upnext audit audit denied', 'Audit log with “audit denied”: 2 entries');
  await ana().type('/upnext audit @ben okafor audit denied');
  await ana().sees('Audit log about @ben okafor with “audit denied”: 1 entry');
  await ana().type('/upnext audit <@U03MIRAVOS|mira> audit denied today');
  await ana().sees('Audit log about @mira with “audit denied”, ');
  await ana().press('Export as CSV');
  const directMessages = await ana().inDirectMessage();
  await directMessages.sees('about @mira with “audit denied”, ');
  expect(directMessages.read()).toContain('as CSV: 1 entry');
  await ana().in('#general').type('/upnext audit @benedict');
  await ana().sees(
    'Nothing in the audit log with “@benedict”.\nI can’t tell who that is, so I searched for the words.',
  );
});

test('the audit log can also be filtered by the text that it shows', async () => {
  await running.workspace.as('Mira').in('#general').type('/upnext posts');
  await ask(ana(), '/upnext use harbour', 'This channel now follows Harbour Coffee');
  await ana().type('/upnext audit chose harbour coffee for');
  await ana().sees('@Ana Ferreira chose Harbour Coffee for #general');
  await ana().type('/upnext audit denied tried to open the list of posts');
  await ana().sees('Audit log with “denied tried to open the list of posts”: 1 entry');
});

test('times use the reader’s time zone and 12-hour or 24-hour format, under a heading for each day', () => {
  const reader = { now: NOW, zone: 'America/New_York', locale: 'en-US' };
  const row = { workspace: 'T1', actor: 'U1', project: '', action: 'audit command audit', target: '' };
  const rows = [NOW, new Date('2026-11-20T03:30:00Z'), new Date('2026-11-17T17:05:00Z')].map((at, index) => ({
    ...{ ...row, at, seq: String(index), id: String(index), decision: 'allowed', reference: '' },
  }));
  const names = {
    ...{ projects: new Map(), areProjectsComplete: true, submissions: new Map() },
    deeds: listDeeds(features),
  };
  const state = { words: '', people: [], page: 0 };
  const message = renderAuditList({ rows, count: 3 }, { state, reader, names });
  const texts = JSON.stringify(message.blocks);
  expectParts(texts, '*Today*\\n7:00 AM  <@U1> opened the audit log', '*Yesterday*\\n10:30 PM  <@U1>');
  expect(texts).toContain('*Tue 17 Nov*\\n12:05 PM  <@U1>');
});

test('the CSV export contains no formulas', () => {
  const row = {
    workspace: 'T1',
    seq: '1',
    id: 'i',
    at: NOW,
    actor: '=1+1',
    project: '',
    action: 'a,b',
    target: '@x',
  };
  const csv = formatRecordCsv([{ ...row, decision: 'allowed', reference: 'r' }]);
  expect(csv).toContain(`i,2026-11-20T12:00:00.000Z,'=1+1,,"a,b",'@x,allowed,r`);
});

test('repeated denials that were recorded late are listed at the time of the last one', async () => {
  const entry = { actor: 'U0LATE', action: 'list-posts command posts' } as const;
  await addEntries(1, NOW, () => ({ actor: 'U0LATE', action: 'schedule-post share', decision: 'done' }));
  await addEntries(1, new Date(NOW.getTime() - 60 * 60 * 1000), () => ({
    ...{ ...entry, target: '2 more times', decision: 'refused' },
  }));
  await ask(ana(), '/upnext audit u0late', '2 entries');
  expect(ana().read()).toMatch(
    /12:00 .* shared a post\n11:00 .* tried to open the list of posts again \(2 times\)/,
  );
});
