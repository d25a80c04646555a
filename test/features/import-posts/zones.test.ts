import { beforeEach, describe, expect, test } from 'vitest';
import { noteUsedOrder } from '../../../src/preferences/date-order.ts';
import { setZone } from '../../../src/preferences/zones.ts';
import { submitWith } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { createSlotPolicy } from '../../support/posting-times.ts';
import { readExportedCsv } from '../../support/read-exported-csv.ts';
import { data, listedPost, listProjects } from '../../support/scripted-service.ts';
import { failSlack } from '../../support/set-up-bot.ts';
import { csv, MONTH, setUpImports } from '../../support/set-up-imports.ts';
import { ask, askForForm, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';

/** The zone of an import's times is the file's or the row's, else the channel's, the project's or the person's. */

const { running, setPolicy, ana, drop, listHeld } = setUpImports();
const chooseZone = (scope: 'channel' | 'project', subject: string, zone: string) =>
  setZone(running.db, {
    ...{ workspace: 'T01HARBOUR', scope, subject, zone },
  });
const hideZones = () => failSlack(running, { method: 'users.info', fault: 'error', error: 'internal_error' });

test('a file has times without a zone while Slack hides the person’s, so the zone is asked for', async () => {
  const dm = await ana();
  const file = csv(['Time,Platforms,Project,Text', ...MONTH.slice(0, 1)]);
  await dm.drop(file);
  await dm.sees('1 post for Harbour Coffee, times in Lisbon:');
  await pressAndSee(dm, 'Discard', 'posts.csv is discarded.');
  hideZones();
  await dm.drop(file);
  await dm.sees('The rows don’t say the time zone. I couldn’t read your time zone from Slack.');
  expect(dm.read()).not.toContain('UTC');
  await dm.drop(
    csv(['Time,Time zone,Platforms,Text', '2026-12-01 09:00,Asia/Tokyo,X,Elsewhere'], 'other.csv'),
  );
  await dm.sees('1 post for Harbour Coffee, times in Tokyo:');
  await dm.drop(csv(['Time,Text', '2026-12-01 09:00,A new roast'], 'short.csv'));
  const form = await pressForForm(dm, 'Choose the platforms and the time zone…', 'Import settings');
  expect((await submitWith(form, { Platforms: ['LinkedIn'] })).errors).toEqual({
    'Time zone of the times': 'Choose the time zone.',
  });
  await submitWith(form, { 'Time zone of the times': ['Berlin'] });
  await dm.sees('times in Berlin:');
  running.workspace.faults.set({ webApi: [] });
  await pressAndSee(dm, 'Import 1 post', '1 post imported from short.csv');
  expect(await listHeld()).toEqual(['held 2026-12-01T08:00']);
});

test('a file has times of each row’s project, in the zone that was chosen for it', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  await setPolicy({ leadMinutes: 60 }, 'p2');
  await chooseZone('project', 'p2', 'America/New_York');
  const rows = ['Harbour Coffee,A', 'Night Market Books,B', 'Night Marked,C'];
  const dm = await drop('Time,Platforms,Project,Text', ...rows.map((row) => `2026-12-01 09:00,X,${row}`));
  await dm.sees('2 posts for Harbour Coffee and 1 other project, times in Lisbon and New York:');
  await pressAndSee(dm, 'Get the rows to correct', '[posts-to-correct.csv]');
  expect((await readExportedCsv(running)).text).toContain('2026-12-01 09:00,,Night Marked,');
  await pressAndSee(dm, 'Import 2 posts', '2 posts imported');
  expect(await listHeld()).toEqual(['held 2026-12-01T09:00', 'held 2026-12-01T14:00']);
});

test('a file says the zone with each time, so it isn’t asked for while Slack hides the person’s', async () => {
  const dm = await ana();
  await dm.drop(csv(['Time,Platforms,Project,Text', ...MONTH.slice(0, 1)], 'first.csv'));
  await dm.sees('1 post for Harbour Coffee, times in Lisbon:');
  hideZones();
  const columns = 'Time,Status,Platforms,Project,Text';
  const rows = [
    '2026-12-01T09:00:00+01:00,,X,Harbour Coffee,A new roast',
    '2 Dec 9am Berlin,,X,Harbour Coffee,Another roast',
    ',Draft,X,Harbour Coffee,Some day',
  ];
  await dm.drop(csv([columns, ...rows, '2026-12-03 09:00,,X,Harbour Coffee,Soon'], 'open.csv'));
  await dm.sees('The rows don’t say the time zone. I couldn’t read your time zone from Slack.');
  await dm.drop(csv([columns, ',Draft,X,Harbour Coffee,Never'], 'drafts.csv'));
  await dm.sees('1 post for Harbour Coffee:');
  await dm.drop(csv([columns, ...rows]));
  await dm.sees('3 posts for Harbour Coffee, times in UTC and Berlin:');
  await pressAndSee(dm, 'Import 3 posts', '3 posts imported');
  expect(await listHeld()).toEqual(['held 2026-12-01T08:00', 'held 2026-12-02T08:00', 'draft undefined']);
});

/** Pastes rows into the form of #harbour-coffee. */
async function paste(...lines: readonly string[]) {
  const channel = running.workspace.as('Ana').in('#harbour-coffee');
  const form = await askForForm(channel, '/upnext import', 'Import posts', 'Choose a file or paste rows…');
  await submitWith(form, { 'Or paste rows': lines.join('\n') });
  return ana();
}

/** Hides the zone of a person whose permission is known. */
async function loseProfile() {
  await ask(await ana(), '/upnext import', 'I read up to');
  hideZones();
}

test('a table from a channel has the channel’s zone, also after its settings were answered', async () => {
  await chooseZone('channel', 'C02HARBOUR', 'Asia/Tokyo');
  await chooseZone('project', 'p1', 'America/New_York');
  await noteUsedOrder(running.db, { workspace: 'T01HARBOUR', user: 'U01ANAFERR' }, '12/25');
  const dm = await paste('Date,Platforms,Text', '03/04/2027 9:00,X,A');
  await pressAndSee(dm, '3 Apr 2027', '1 post for Harbour Coffee, times in Tokyo:');
  const form = await pressForForm(dm, 'Change settings…', 'Import settings');
  await submitWith(form, { 'Dates such as 03/04/2026': ['Month first: 4 March'] });
  await dm.sees('4 Mar 2027, 09:00 (Tokyo)');
  await pressAndSee(dm, 'Import 1 post', '1 post imported');
  expect(await listHeld()).toEqual(['held 2027-03-04T00:00']);
});

test('the zone is asked for if one of the file’s projects has none, whichever project is chosen', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  await chooseZone('project', 'p2', 'America/New_York');
  await loseProfile();
  const rows = ['Harbour Coffee,A', 'Night Market Books,B'].map((row) => `2026-12-01 09:00,X,${row}`);
  const dm = await drop('Time,Platforms,Project,Text', ...rows);
  const form = await pressForForm(dm, 'Choose the time zone…', 'Import settings');
  await form.choose('Project', 'Night Market Books');
  expect((await form.submit()).errors).toEqual({ 'Time zone of the times': 'Choose the time zone.' });
  await submitWith(form, { 'Time zone of the times': ['Berlin'] });
  await dm.sees('2 posts for Harbour Coffee and 1 other project, times in Berlin and New York:');
  expect(dm.read()).not.toContain('UTC');
  const settings = await pressForForm(dm, 'Change settings…', 'Import settings');
  expect(settings.text()).toContain('Projects with a time zone of their own keep it.');
  await submitWith(settings, { 'Time zone of the times': ['Tokyo'] });
  await dm.sees('2 posts for Harbour Coffee and 1 other project, times in Tokyo and New York:');
  running.workspace.faults.set({ webApi: [] });
  const again = await pressForForm(dm, 'Change settings…', 'Import settings');
  await submitWith(again, { Platforms: ['LinkedIn'] });
  await dm.sees('Rows without a platform go to LinkedIn.');
  await dm.sees('2 posts for Harbour Coffee and 1 other project, times in Tokyo and New York:');
});

test('the file’s zone counts for all projects, and so does one that is chosen instead', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  await chooseZone('project', 'p2', 'America/New_York');
  await loseProfile();
  const rows = ['Harbour Coffee,A', 'Night Market Books,B'].map((row) => `2026-12-01 09:00,X,${row}`);
  const dm = await drop('Time (Europe/Berlin),Platforms,Project,Text', ...rows);
  await dm.sees('2 posts for Harbour Coffee and 1 other project, times in Berlin:');
  const form = await pressForForm(dm, 'Change settings…', 'Import settings');
  expect(form.text()).not.toContain('keep it');
  await submitWith(form, { Project: ['Night Market Books'], 'Time zone of the times': ['Tokyo'] });
  await dm.sees('2 posts for Harbour Coffee and 1 other project, times in Tokyo:');
});

test('a project’s zone is replaced by one that is chosen although none is asked for', async () => {
  await chooseZone('project', 'p1', 'America/New_York');
  await loseProfile();
  const dm = await drop('Time,Text', '2026-12-01 09:00,A');
  const form = await pressForForm(dm, 'Choose the platforms…', 'Import settings');
  await submitWith(form, { Platforms: ['LinkedIn'], 'Time zone of the times': ['Berlin'] });
  await dm.sees('1 post for Harbour Coffee, times in Berlin:');
});

test('the zone isn’t asked for if each of the file’s projects has one', async () => {
  running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books'));
  await chooseZone('project', 'p1', 'Asia/Tokyo');
  await chooseZone('project', 'p2', 'America/New_York');
  await loseProfile();
  const rows = ['Harbour Coffee,A', 'Night Market Books,B'].map((row) => `2026-12-01 09:00,${row}`);
  const dm = await drop('Time,Project,Text', ...rows);
  const form = await pressForForm(dm, 'Choose the platforms…', 'Import settings');
  await submitWith(form, { Project: ['Night Market Books'], Platforms: ['LinkedIn'] });
  await dm.sees('2 posts for Harbour Coffee and 1 other project, times in Tokyo and New York:');
});

test('the zone of one project is enough for a file that names none', async () => {
  await chooseZone('project', 'p1', 'America/New_York');
  await loseProfile();
  const dm = await paste('Time,Text', '2026-12-01 09:00,A');
  const form = await pressForForm(dm, 'Choose the platforms…', 'Import settings');
  await submitWith(form, { Platforms: ['LinkedIn'] });
  await dm.sees('1 post for Harbour Coffee, times in New York:');
});

test('a zone that can be several has to be chosen', async () => {
  const dm = await drop('Time IST,Platforms,Project,Text', '2026-12-01 09:00,X,Harbour Coffee,A');
  await dm.sees('“IST” can be several time zones.');
  const form = await pressForForm(dm, 'Choose the time zone…', 'Import settings');
  expect((await form.submit()).errors).toEqual({ 'Time zone of the times': 'Choose the time zone.' });
  await submitWith(form, { 'Time zone of the times': ['Kolkata'] });
  await dm.sees('times in Kolkata:');
});

describe('a slot in the column of the times', () => {
  /** It is a Friday at noon. */
  const CHRISTMAS = { from: '2026-12-24', to: '2026-12-26', name: 'Christmas' };

  beforeEach(() => setPolicy(createSlotPolicy({ X: 'weekdays 9:00, 16:30' }, [CHRISTMAS])));

  const listTimes = async () =>
    (await running.db.selectFrom('held_post').select('publish_at').orderBy('publish_at').execute()).map(
      ({ publish_at: time }) => time?.toISOString().slice(0, 16),
    );
  const dropRows = (rows: readonly string[], columns = 'Time,Platforms,Project,Text') =>
    drop(columns, ...rows);

  test('each row takes the next free slot, in order, and the check says which', async () => {
    const dm = await dropRows([
      'next slot,X,Harbour Coffee,A',
      'Next free slot,X,Harbour Coffee,B',
      'next slot after tuesday,X,Harbour Coffee,C',
      '25 Dec 2026 9:00,X,Harbour Coffee,D',
    ]);
    await dm.sees('4 posts for Harbour Coffee');
    await dm.sees(
      'Next slots: row 2 Fri 20 Nov, 16:30 (Lisbon); row 3 Mon 23 Nov, 09:00 (Lisbon); row 4 Wed 25 Nov, 09:00 (Lisbon).',
    );
    await dm.sees('Row 5: Fri 25 Dec is a blackout day of this project (Christmas).');
    await holdPost(running, { text: 'Faster', at: '2026-11-20T16:30Z' });
    await pressAndSee(dm, 'Import 4 posts', '4 posts imported from posts.csv');
    expect(await listTimes()).toEqual([
      '2026-11-20T16:30',
      '2026-11-23T09:00',
      '2026-11-23T16:30',
      '2026-11-25T09:00',
      '2026-12-25T09:00',
    ]);
  });

  const WITH_DATES = 'Date,Time,Platforms,Project,Text';

  test('“next slot” beside a date is the first slot from that date on', async () => {
    const days = ['"Tue, 24 Nov"', '27/11/2026', '2026-12-05'];
    const dm = await dropRows(
      days.map((day, index) => `${day},next slot,X,Harbour Coffee,Day ${index}`),
      WITH_DATES,
    );
    await dm.sees('3 posts for Harbour Coffee');
    await dm.sees(
      'row 2 Tue 24 Nov, 09:00 (Lisbon); row 3 Fri 27 Nov, 09:00 (Lisbon); row 4 Mon 7 Dec, 09:00',
    );
  });

  test.each([
    ['2026-11-19,next slot', '“2026-11-19” has passed.'],
    ['1 décembre 2026,next slot!', 'row 2 Tue 1 Dec, 09:00 (Lisbon)'],
    ['24/11,next slot', 'row 2 Tue 24 Nov, 09:00 (Lisbon)'],
  ])('“%s” is read, or refused with a reason', async (times, answer) =>
    (await dropRows([`${times},X,Harbour Coffee,A`], WITH_DATES)).sees(answer),
  );

  test('a row that can have no slot says why', async () => {
    const dm = await dropRows([
      'next slot,Reddit,Harbour Coffee,A',
      'next slot after never,X,Harbour Coffee,B',
    ]);
    await dm.sees('This project has no posting times for Reddit.');
    await seeAll(dm, 'I don’t understand “never” after “next slot”.', 'No row can be imported.');
  });

  test('a text that has its slot already gets no second one', async () => {
    const rows = [
      'next slot,X,Harbour Coffee,A',
      'next slot,X,Harbour Coffee,B',
      'next slot,X,Harbour Coffee,A',
    ];
    const dm = await dropRows(rows);
    await dm.sees('1 row left out: the same post exists already.');
    await pressAndSee(dm, 'Import 2 posts', '2 posts imported from posts.csv');
    await dropRows(rows);
    await dm.sees('3 rows left out: the same post exists already.');
    expect(await listTimes()).toHaveLength(2);
  });

  test('a row that is faulty, or repeated, takes no slot from the others', async () => {
    const dm = await dropRows([
      `next slot,X,Harbour Coffee,${'Too long. '.repeat(60)}`,
      'next slot,X,Harbour Coffee,A',
      'next slot,X,Harbour Coffee,A',
      'next slot,X,Harbour Coffee,B',
    ]);
    await dm.sees('Next slots: row 3 Fri 20 Nov, 16:30 (Lisbon); row 5 Mon 23 Nov, 09:00 (Lisbon).');
  });

  const listServicePost = () =>
    running.service.on('GET /posts', data([listedPost('Earlier', '2026-11-20T16:30:00Z')]));

  test('rows leave the slots of posts that were made in the service since the check', async () => {
    const dm = await dropRows(['next slot,X,Harbour Coffee,A']);
    await dm.sees('Next slots: row 2 Fri 20 Nov, 16:30 (Lisbon).');
    listServicePost();
    await pressAndSee(dm, 'Import 1 post', '1 post imported from posts.csv');
    expect(await listTimes()).toEqual(['2026-11-23T09:00']);
  });

  test('rows leave the slots of posts that were made in the service', async () => {
    listServicePost();
    const dm = await dropRows(['next slot,X,Harbour Coffee,A']);
    await dm.sees('Next slots: row 2 Mon 23 Nov, 09:00 (Lisbon).');
    await pressAndSee(dm, 'Import 1 post', '1 post imported from posts.csv');
    expect(await listTimes()).toEqual(['2026-11-23T09:00']);
  });
});
