import { beforeEach, describe, expect, test } from 'vitest';
import { editHeldPost } from '../../../src/held-posts/change.ts';
import { cancelSeries } from '../../../src/held-posts/series/change-series.ts';
import { getDayStart } from '../../../src/held-posts/series/rule.ts';
import { emptyAuditRecord } from '../../support/audit-record.ts';
import { copyLastRequest, deliver } from '../../support/doubled-form.ts';
import { startSeries } from '../../support/filled-form.ts';
import { submitWith } from '../../support/form-steps.ts';
import { buildPost, holdPost, listHeldPosts } from '../../support/hold-posts.ts';
import { readExportedCsv } from '../../support/read-exported-csv.ts';
import { data, json, listedPost } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import {
  ask,
  askAndPress,
  chooseAndSee,
  confirmAndSee,
  pressAndSee,
  pressForForm,
  seeAll,
} from '../../support/steps.ts';
import { grantBen, revokeBen } from '../../support/two-projects.ts';

/** `/upnext series`: Ana owns the workspace, and Ben has the role that each test gives him. */
const { database, running, setPolicy, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ mode: 'http', pace: RECEIPT_PACE, membersDefaultRole: null });
  await setPolicy({ leadMinutes: 60 });
});

const person = (name: 'Ana' | 'Ben') => running.workspace.as(name).in('#harbour-coffee');
const listStates = async () =>
  (await listHeldPosts(database)).map(({ author, state }) => `${author} ${state}`);

const listVersions = async () => (await listHeldPosts(database)).map(({ version }) => version);

async function handOverFirst() {
  const [first] = await listHeldPosts(database);
  await database.db
    .updateTable('held_post')
    .set({ state: 'handed-over', next_at: null })
    .where('id', '=', first?.id ?? '')
    .execute();
}

async function start(name: 'Ana' | 'Ben') {
  await startSeries(person(name), '/schedule-post every monday at 9 on x: Hello');
  await expect.poll(listStates).toHaveLength(5);
}

test('a series is paused and resumed from the list', async () => {
  await start('Ana');
  await askAndPress(person('Ana'), '/upnext series', 'Open');
  await pressAndSee(person('Ana'), 'Pause', '5 posts won’t go out.');
  expect(new Set(await listStates())).toEqual(new Set(['U01ANAFERR cancelled']));
  await person('Ana').press('Resume');
  await expect.poll(async () => new Set(await listStates())).toEqual(new Set(['U01ANAFERR held']));
  await askAndPress(person('Ana'), '/upnext posts', 'Next week');
  await chooseAndSee(person('Ana'), 'More options', 'Open', 'Editable until Mon 23 Nov, 08:00.');
  await person('Ana').choose('More options', 'History');
  await person('Ana').sees('Its series was paused or cancelled, or no longer has it, so I cancelled it');
  await person('Ana').sees('Its series has it, or its project is there again, so I restored it');
});

test('a series of which no post is made yet is paused without a number', async () => {
  await startSeries(person('Ana'), '/schedule-post every year on 1 march 9:00 on x: Hello');
  await pressAndSee(person('Ana'), 'Pause', 'None of its posts goes out until somebody resumes it.');
  expect(person('Ana').read()).not.toContain('won’t go out');
});

test('a late press says who has paused the series, and the audit log that nothing was done', async () => {
  await grantBen(database.db, 'publisher', 'p1');
  await emptyAuditRecord(database.db);
  await start('Ana');
  const [ana, ben] = [person('Ana'), person('Ben')];
  for (const each of [ana, ben]) await askAndPress(each, '/upnext series', 'Open');
  await pressAndSee(ben, 'Pause', '5 posts won’t go out.');
  const late = 'This series has changed since, so nothing was done. @Ben Okafor paused it, ';
  await pressAndSee(ana, 'Pause', late);
  await ask(ana, '/upnext audit series', 'paused a series in Harbour Coffee');
  const text = ana.messages().at(-1) ?? '';
  expect(text.match(/paused a series/g)).toHaveLength(1);
  expect(text).toContain('@Ben Okafor paused a series in Harbour Coffee');
  expect(text).toContain('@Ana Ferreira tried to pause a series in Harbour Coffee, but nothing was done');
});

test('a press on a series that its person may not see any more has done nothing in the audit log', async () => {
  await grantBen(database.db, 'publisher', 'p1');
  await emptyAuditRecord(database.db);
  await start('Ana');
  const ben = person('Ben');
  await askAndPress(ben, '/upnext series', 'Open', 'Pause');
  await database.db.updateTable('series').set({ project: 'p2' }).execute();
  await pressAndSee(ben, 'Pause', 'I can’t find this series.');
  await ask(person('Ana'), '/upnext audit ben', '@Ben Okafor tried to pause a series, but nothing was done');
});

test('a cancelled series is restored by Undo, and says how many of its posts can’t be stopped any more', async () => {
  await start('Ana');
  await confirmAndSee(person('Ana'), 'Cancel', 'You can undo this for 90 days.');
  // The list has the series as long as it can be restored.
  await ask(person('Ana'), '/upnext series', 'Series cancelled');
  await person('Ana').press('Open');
  await person('Ana').press('Undo');
  await expect.poll(async () => new Set(await listStates())).toEqual(new Set(['U01ANAFERR held']));
  await handOverFirst();
  await person('Ana').press('Cancel', { dialog: 'confirm' });
  await person('Ana').sees(
    '4 posts won’t go out. 1 post has gone to the scheduling service, or is on the way to it, so I can’t stop that.',
  );
});

test('a resumed series says which of its dates other posts have taken meanwhile', async () => {
  await start('Ana');
  await person('Ana').press('Pause');
  await holdPost(running, { text: 'Meanwhile', at: '2026-11-30T09:00Z' });
  // Nobody has scheduled it yet.
  await holdPost(running, { text: 'Perhaps', at: '2026-12-14T09:00Z', isDraft: true });
  await person('Ana').press('Resume');
  await person('Ana').sees(
    'Another post on its platforms has the same time:\n• Mon 30 Nov, 09:00 (Lisbon)\nNext:',
  );
});

test('a series says which of its dates are close to other posts, also those of the service', async () => {
  running.service.on(
    'GET /posts',
    data([
      listedPost('Same', '2026-11-30T09:00:00Z', { Id: 'same' }),
      listedPost('Near', '2026-12-07T09:20:00Z', { Id: 'near' }),
    ]),
  );
  await start('Ana');
  await askAndPress(person('Ana'), '/upnext series', 'Open');
  await seeAll(
    person('Ana'),
    'Another post on its platforms has the same time:\n• Mon 30 Nov, 09:00 (Lisbon)',
    'Another post on its platforms goes out less than 30 minutes before or after:\n• Mon 7 Dec, 09:00 (Lisbon)',
  );
});

test('a series says if the service’s posts couldn’t be checked', async () => {
  running.service.on('GET /posts', json(503, {}));
  await start('Ana');
  await askAndPress(person('Ana'), '/upnext series', 'Open');
  await person('Ana').sees('I couldn’t check the scheduling service’s posts, so others may be close.');
});

test('a post of a series that somebody moved to other platforms shares its time with posts on those only', async () => {
  await start('Ana');
  const posts = await listHeldPosts(database);
  const times = ['2026-11-23T09:00Z', '2026-11-30T09:00Z'];
  for (const [index, at] of times.entries()) {
    const { id, workspace, version } = posts[index] ?? { id: '', workspace: '', version: 0 };
    const press = { id, workspace, version, actor: 'U01ANAFERR' };
    await editHeldPost(
      running.bot.heldPosts,
      press,
      buildPost({ text: 'Hello', platforms: ['LINKEDIN'], at }),
    );
  }
  await holdPost(running, { text: 'On X', at: times[0] ?? '' });
  await holdPost(running, { text: 'On LinkedIn', at: times[1] ?? '', platforms: ['LINKEDIN'] });
  await askAndPress(person('Ana'), '/upnext series', 'Open');
  await person('Ana').sees(
    'Another post on its platforms has the same time:\n• Mon 30 Nov, 09:00 (Lisbon)\nNext:',
  );
});

test('an undone edit says how many posts may have gone out with it', async () => {
  await start('Ana');
  const ana = person('Ana');
  await askAndPress(ana, '/upnext series', 'Open');
  const form = await pressForForm(ana, 'Edit', 'Edit series');
  await (await submitWith(form, { Text: 'Hello again' })).view?.submit();
  await expect.poll(async () => new Set(await listVersions())).toEqual(new Set([2]));
  await handOverFirst();
  await askAndPress(ana, '/upnext series', 'Open');
  const sent = '1 post has gone to the scheduling service, or is on the way to it, so I can’t undo that.';
  await confirmAndSee(ana, 'Undo edit', `The edit is undone. ${sent}`);
});

test('an edit, and its undo, name the person on the card and in the audit log', async () => {
  await grantBen(database.db, 'publisher', 'p1');
  await start('Ana');
  const ben = person('Ben');
  await askAndPress(ben, '/upnext series', 'Open');
  expect(ben.read()).not.toContain('Edited by');
  const form = await pressForForm(ben, 'Edit', 'Edit series');
  await (await submitWith(form, { Text: 'Hello again' })).view?.submit();
  await ben.sees('Author: @Ana Ferreira Edited by @Ben Okafor');
  await ask(person('Ana'), '/upnext audit', '@Ben Okafor edited a series in Harbour Coffee');
  await person('Ana').sees('@Ana Ferreira saved a series in Harbour Coffee');
  await expect.poll(async () => new Set(await listVersions())).toEqual(new Set([2]));
  await askAndPress(person('Ana'), '/upnext series', 'Open');
  await confirmAndSee(person('Ana'), 'Undo edit', 'The edit is undone.');
  expect(person('Ana').read().split('The edit is undone.').at(-1)).not.toContain('Edited by');
  await ask(person('Ana'), '/upnext audit', '@Ana Ferreira restored an earlier version of a series');
  await expect.poll(async () => new Set(await listVersions())).toEqual(new Set([3]));
  await askAndPress(person('Ana'), '/upnext posts', 'Next week');
  await chooseAndSee(person('Ana'), 'More options', 'Open', 'Editable until Mon 23 Nov, 08:00.');
  await chooseAndSee(person('Ana'), 'More options', 'History', 'I updated it from its series');
  expect(person('Ana').read()).toContain('@Ben Okafor edited it');
  expect(person('Ana').read()).not.toContain('@Ana Ferreira edited it');
});

describe('a copy of a press', () => {
  const countHeld = async () => (await listStates()).filter((state) => state.endsWith(' held')).length;

  test('on [Cancel] does nothing after [Undo]', async () => {
    await start('Ana');
    await person('Ana').press('Cancel', { dialog: 'confirm' });
    const copy = copyLastRequest(running);
    await person('Ana').press('Undo');
    await expect.poll(countHeld).toBe(5);
    await deliver(running, copy);
    await ask(person('Ana'), '/upnext series', 'Next:');
    expect(await countHeld()).toBe(5);
  });

  test('on [Undo] of a whole series, and a second press, leave its later posts cancelled', async () => {
    await start('Ana');
    const [row] = await database.db.selectFrom('series').selectAll().execute();
    const posts = await listHeldPosts(database);
    if (!row) throw new Error('the series is missing');
    const context = running.bot.heldPosts;
    const press = { id: row.id, workspace: row.workspace, actor: 'U01ANAFERR', version: row.version };
    await cancelSeries(context, { ...press, from: posts[2]?.item });
    await cancelSeries(context, press);
    await askAndPress(person('Ana'), '/upnext series', 'Open');
    await person('Ana').press('Undo');
    await expect.poll(countHeld).toBe(2);
    const copy = copyLastRequest(running);
    await deliver(running, copy);
    await deliver(running, { ...copy, trigger_id: 'second' });
    await person('Ana').sees('This series has changed since');
    expect(await database.db.selectFrom('series').select(['state', 'ends_before']).execute()).toEqual([
      { state: 'running', ends_before: getDayStart(posts[2]?.item ?? 0) },
    ]);
    await person('Ana').press('Undo');
    await expect.poll(countHeld).toBe(5);
  });
});

test('without a series, the list says how to start one', () =>
  ask(person('Ana'), '/upnext series', 'I found no series.'));

test('the list is exported as a CSV file', async () => {
  await start('Ana');
  await askAndPress(person('Ana'), '/upnext series', 'Export as CSV', '1 series as a CSV file.');
  const { text } = await readExportedCsv(running);
  expect(text).toContain(
    'running,every Monday at 09:00 (Lisbon),2026-11-23 09:00:00,Europe/Lisbon,Harbour Coffee,X,Hello,U01ANAFERR',
  );
});

test('a viewer sees a series, without buttons to change it', async () => {
  await grantBen(database.db, 'viewer', 'p1');
  await start('Ana');
  await askAndPress(person('Ben'), '/upnext series', 'Open', 'Next:\n• Mon 23 Nov, 9:00 AM');
  expect(person('Ben').read()).not.toContain('[Pause]');
});

test('if its author loses the role, a manager is asked, and takes it over', async () => {
  await grantBen(database.db, 'publisher', 'p1');
  await start('Ben');
  await revokeBen(database.db, 'p1');
  await running.bot.heldPosts.recheckAuthority('T01HARBOUR');
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ana.sees('I paused a series.');
  expect(new Set(await listStates())).toEqual(new Set(['U02BENOKAF cancelled']));
  await ask(ana, '/upnext outbox', 'Posts that wait for you');
  await ana.press('Open');
  await ana.press('Take over');
  await expect.poll(async () => new Set(await listStates())).toEqual(new Set(['U01ANAFERR held']));
  expect(ana.read()).not.toContain('Needs you');
  await askAndPress(ana, '/upnext series', 'Open', 'Author: @Ana Ferreira Written by @Ben Okafor');
  expect(ana.read()).not.toContain('Edited by');
});
