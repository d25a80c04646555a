import { expect, test } from 'vitest';
import { setZone } from '../../../src/preferences/zones.ts';
import { submitWith } from '../../support/form-steps.ts';
import { readExportedCsv } from '../../support/read-exported-csv.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { failSlack } from '../../support/set-up-bot.ts';
import { csv, MONTH, setUpImports } from '../../support/set-up-imports.ts';
import { ask, askForForm, pressAndSee, pressForForm } from '../../support/steps.ts';

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
