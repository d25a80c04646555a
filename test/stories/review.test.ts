import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveGrant } from '../../src/access/access.ts';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { openChannel, openPracticePage, type PracticePage, sendLine } from '../support/practice-page.ts';

/** The screenshots of the last run, for a person to look at. */
const SCREENSHOTS = join(import.meta.dirname, '..', '..', '.cache', 'stories');

const [ANA, BEN, MIRA, CHANNEL] = ['U01ANAFERR', 'U02BENOKAF', 'U03MIRAVOS', 'C02HARBOUR'];
const HARBOUR = { workspace: 'T01HARBOUR' };

let practice: PracticePage;
/** Mira writes posts but may not schedule them. Ben reviews them, and Ana manages the project. */
let [mira, ben, ana] = [] as unknown as [Page, Page, Page];
const VIEWPORT = { width: 1100, height: 1000 };

beforeAll(async () => {
  practice = await openPracticePage();
  ana = await practice.openPage('ana', { viewport: VIEWPORT });
  await sendLine(ana, '/upnext use Harbour Coffee');
  await ana.getByText('This channel now follows').waitFor();
  const { db } = practice.startedBot;
  const { project } = await db.selectFrom('channel_project').select('project').executeTakeFirstOrThrow();
  const at = new Date();
  await saveGrant(db, {
    ...HARBOUR,
    ...{ subjectKind: 'person', subject: MIRA, project: '', role: 'contributor' },
    ...{ reason: 'given', grantedBy: ANA, grantedAt: at },
  });
  await savePolicy(
    db,
    { ...HARBOUR, project },
    {
      ...DEFAULT_POLICY,
      leadMinutes: 60,
      review: 'required',
      reviewSteps: [{ approvers: [{ kind: 'role', role: 'publisher' }], needs: 'any' }],
      channel: CHANNEL,
    },
  );
  mira = await practice.openPage('mira', { viewport: VIEWPORT });
  ben = await practice.openPage('ben', { viewport: VIEWPORT });
});
afterAll(() => practice?.close());

const takePicture = (name: string, page: Page) =>
  page.screenshot({ path: join(SCREENSHOTS, `review-${name}.png`) });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();

async function openUpnext(page: Page) {
  const workspace = page.getByRole('navigation', { name: 'Workspace' });
  await workspace
    .getByRole('button', { name: /Upnext/ })
    .last()
    .click();
}

async function sendDraftForReview() {
  await sendLine(mira, '/schedule-post 1 Dec 9am on x, linkedin draft: We open at nine on Friday');
  await press(mira, 'Save draft');
  await mira.getByText('Saved as a draft').waitFor();
  await takePicture('1-draft', mira);
  await press(mira, 'Send for review');
  await mira.getByText('Waiting for review').last().waitFor();
  await takePicture('2-sent', mira);
}

/** Home shows first what waits for Ben, and opens it. */
async function findReviewAtHome() {
  const home = await practice.openPage('ben', { viewport: VIEWPORT, colorScheme: 'dark' });
  await openUpnext(home);
  await home
    .getByRole('tab', { name: 'Home' })
    .or(home.getByRole('button', { name: 'Home', exact: true }))
    .first()
    .click();
  await home.getByText('Waiting for your review').waitFor();
  await takePicture('3-home', home);
  await home.getByRole('button', { name: /^Review: / }).click();
  await home.getByRole('dialog').getByText('Please review this post').waitFor();
  await takePicture('3-home-open', home);
}

async function requestChanges() {
  await ben.getByText('Please review this post').waitFor();
  await takePicture('3-request', ben);
  await findReviewAtHome();
  await press(ben, 'Request changes');
  const form = ben.getByRole('dialog', { name: 'Request changes' });
  await form.getByRole('checkbox', { name: 'Facts' }).check();
  await form.getByRole('textbox', { name: /What should change/ }).fill('It’s ten on Fridays');
  await takePicture('4-reason', ben);
  await form.getByRole('button', { name: 'Request changes' }).click();
  await ben.getByText('Edit it, then send it for review again.').last().waitFor();
  await takePicture('5-returned', ben);
}

async function editAndSendAgain() {
  await openUpnext(mira);
  await mira.getByText(/requested changes: “Facts: It’s ten on Fridays”/).waitFor();
  await takePicture('6-author', mira);
  await press(mira, 'Edit');
  const editor = mira.getByRole('dialog', { name: 'Edit post' });
  await editor.getByRole('textbox', { name: 'Text' }).fill('We open at ten on Friday');
  await takePicture('6-edit', mira);
  await editor.getByRole('button', { name: 'Send for review', exact: true }).last().click();
  await mira.getByRole('dialog', { name: 'Saved' }).getByText('Sent for review').waitFor();
}

async function approve() {
  await ben.getByText('What changed since the last version').waitFor();
  await takePicture('7-new-version', ben);
  await press(ben, 'Approve');
  await ben.getByText('I’ll hand it over to the scheduling service in time.').last().waitFor();
  await takePicture('8-approved', ben);
  await mira
    .getByText(/Approved by Ben/)
    .last()
    .waitFor();
  await mira.keyboard.press('Escape');
  await takePicture('9-author', mira);
}

async function stopProject() {
  await sendLine(ben, '/upnext stop');
  await ben
    .getByRole('dialog', { name: 'Stop sending?' })
    .getByText(/I’ll send nothing more for/)
    .waitFor();
  await press(ben, 'Stop sending');
  const stopped = ben.getByRole('dialog', { name: 'Stopped' });
  await stopped.waitFor();
  await takePicture('10-stop', ben);
  await stopped.getByRole('button', { name: 'Close' }).last().click();
}

/** Moves the clock, and runs everything that is due. */
async function moveClock(to: string) {
  practice.moveClock(to);
  await practice.startedBot.bot.heldPosts.handleClockChange();
}

async function resumeProject() {
  await sendLine(ana, '/upnext resume');
  await ana.getByText('1 post goes out as planned when you resume.').waitFor();
  await takePicture('12-resume', ana);
  await press(ana, 'Resume');
  await ana.getByText('Harbour Coffee is resumed.').waitFor();
}

const readPosts = () => practice.startedBot.db.selectFrom('held_post').select(['state', 'reason']).execute();
const readSubmissions = () =>
  practice.startedBot.db.selectFrom('submission').select(['state', 'author']).execute();

test('Mira’s post is returned, approved, stopped and resumed, and is handed over', async () => {
  await sendDraftForReview();
  await requestChanges();
  await editAndSendAgain();
  await approve();

  await stopProject();
  await moveClock('2026-12-01T07:00:10Z');
  await mira.getByText('Sending is stopped, so it waits.').last().waitFor();
  await takePicture('11-stopped', mira);
  expect([await readPosts(), await readSubmissions()]).toEqual([[{ state: 'held', reason: 'stopped' }], []]);

  await resumeProject();
  await ben.getByText('The scheduling service publishes it at its time.').last().waitFor();
  await openChannel(ben);
  await takePicture('13-handed-over', ben);
  expect(await readSubmissions()).toEqual([{ state: 'confirmed', author: BEN }]);
});
