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
/** Mira writes posts but may not schedule them. Ben reviews them. */
let [mira, ben] = [] as unknown as [Page, Page];

beforeAll(async () => {
  practice = await openPracticePage();
  const ana = await practice.openPage('ana');
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
    { changedBy: ANA, changedAt: at },
  );
  mira = await practice.openPage('mira', { viewport: { width: 1100, height: 1000 } });
  ben = await practice.openPage('ben', { viewport: { width: 1100, height: 1000 } });
}, 240_000);
afterAll(() => practice?.close());

const takePicture = (name: string, page: Page) =>
  page.screenshot({ path: join(SCREENSHOTS, `review-${name}.png`) });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();

test('Mira sends a draft for review, Ben requests changes and approves the next version, and it is handed over', async () => {
  await sendLine(mira, '/schedule-post 1 Dec 9am on x, linkedin draft: We open at nine on Friday');
  await press(mira, 'Save draft');
  await mira.getByText('Saved as a draft.').waitFor();
  await takePicture('1-draft', mira);
  await press(mira, 'Send for review');
  await mira.getByText('Waiting for review').last().waitFor();
  await takePicture('2-sent', mira);

  await ben.getByText('Please review this post').waitFor();
  await takePicture('3-request', ben);
  const home = await practice.openPage('ben', {
    viewport: { width: 1100, height: 1000 },
    colorScheme: 'dark',
  });
  await home
    .getByRole('navigation', { name: 'Workspace' })
    .getByRole('button', { name: /Upnext/ })
    .last()
    .click();
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
  await press(ben, 'Request changes');
  const form = ben.getByRole('dialog', { name: 'Request changes' });
  await form.getByRole('checkbox', { name: 'Facts' }).check();
  await form.getByRole('textbox', { name: /What should change/ }).fill('It’s ten on Fridays');
  await takePicture('4-reason', ben);
  await form.getByRole('button', { name: 'Request changes' }).click();
  await ben.getByText('It’s a draft again').last().waitFor();
  await takePicture('5-returned', ben);

  await mira
    .getByRole('navigation', { name: 'Workspace' })
    .getByRole('button', { name: /Upnext/ })
    .last()
    .click();
  await mira.getByText(/requested changes: “Facts: It’s ten on Fridays”/).waitFor();
  await takePicture('6-author', mira);
  await press(mira, 'Edit');
  const editor = mira.getByRole('dialog');
  await editor.getByRole('textbox', { name: 'Text' }).fill('We open at ten on Friday');
  await editor.getByRole('button', { name: 'Save', exact: true }).last().click();
  await mira.getByRole('dialog', { name: 'Saved' }).waitFor();
  await press(mira, 'Send for review');
  await expect
    .poll(() => ben.getByText('What changed since the last version').count(), { timeout: 30_000 })
    .toBe(1);
  await takePicture('7-new-version', ben);

  await press(ben, 'Approve');
  await ben.getByText('I’ll hand it over to the scheduling service in time.').last().waitFor();
  await takePicture('8-approved', ben);
  await takePicture('9-author', mira);

  practice.moveClock('2026-12-01T07:00:10Z');
  await practice.startedBot.bot.heldPosts.handleClockChange();
  await ben.getByText('Handed over to the service').last().waitFor();
  await openChannel(ben);
  await takePicture('10-handed-over', ben);
  const rows = await practice.startedBot.db.selectFrom('submission').select(['state', 'author']).execute();
  expect(rows).toEqual([{ state: 'confirmed', author: BEN }]);
}, 240_000);
