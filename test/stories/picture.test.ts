import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import type { Page } from 'playwright-core';
import { uploadFile } from 'slack-workspace-emulator/test-support/upload-file';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_POLICY, savePolicy } from '../../src/preferences/project-policy.ts';
import { fillIn } from '../support/form-steps.ts';
import { openPracticePage, type PracticePage, sendLine } from '../support/practice-page.ts';

/** A picture in a channel becomes a post that others review. Pictures are looked at as the browser shows them. */

const ROOT = join(import.meta.dirname, '..', '..');
/** The screenshots of the last run, for a person to look at. */
const SCREENSHOTS = join(ROOT, '.cache', 'stories');
const PICTURE = readFileSync(join(ROOT, '.github', 'digest.png'));
const ALT_TEXT = 'The week in a table';

let practice: PracticePage;
let page: Page;
const ana = () => practice.startedBot.workspace.as('Ana').in('#harbour-coffee');

beforeAll(async () => {
  practice = await openPracticePage({ takesFiles: true });
  page = await practice.openPage('ana', { viewport: { width: 1100, height: 1300 } });
  await sendLine(page, '/upnext use Harbour Coffee');
  await page.getByText('This channel now follows').waitFor();
  const { db } = practice.startedBot;
  const { project } = await db.selectFrom('channel_project').select('project').executeTakeFirstOrThrow();
  await savePolicy(
    db,
    { workspace: 'T01HARBOUR', project },
    {
      ...DEFAULT_POLICY,
      ...{ leadMinutes: 60, review: 'required', channel: 'C02HARBOUR' },
      reviewSteps: [{ approvers: [{ kind: 'role', role: 'publisher' }], needs: 'any' }],
    },
  );
});
afterAll(() => practice?.close());

/** Takes a screenshot in light and in dark colours. */
async function takePictures(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: join(SCREENSHOTS, `picture-${name}-${colorScheme}.png`) });
  }
}

/** What the browser knows of a picture. */
interface ShownPicture {
  naturalWidth: number;
  naturalHeight: number;
  width: number;
  height: number;
}

/** Expects a picture with this alt text, which the browser has loaded, in its own shape. */
async function expectPicture(altText: string): Promise<void> {
  const picture = page.getByRole('img', { name: altText }).last();
  await picture.scrollIntoViewIfNeeded();
  const read = () =>
    picture.evaluate(({ naturalWidth, naturalHeight, width, height }: ShownPicture) => ({
      isLoaded: naturalWidth > 0,
      ratio: width / height / (naturalWidth / naturalHeight),
    }));
  await expect.poll(async () => (await read()).isLoaded).toBe(true);
  expect((await read()).ratio).toBeCloseTo(1, 1);
}

/**
 * Sends a form for review, and closes the answer, which covers the request on a slow machine. The page can still show
 * the form when the request is there, and requests of earlier posts stay: so both are waited for.
 */
async function submit(form: Awaited<ReturnType<ReturnType<typeof ana>['modal']>>): Promise<void> {
  const requests = page.getByText('Waiting for');
  const countBefore = await requests.count();
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  await expect.poll(() => requests.count()).toBeGreaterThan(countBefore);
  const saved = page.getByRole('dialog', { name: 'Saved' });
  await expect
    .poll(async () => (await page.getByRole('dialog').count()) === (await saved.count()))
    .toBe(true);
  if ((await saved.count()) > 0) await (await ana().modal('Saved')).close();
}

async function shareFile(name: string, bytes: Buffer, comment: string): Promise<void> {
  const { botToken, apiUrl } = practice.startedBot.workspace;
  await uploadFile(new WebClient(botToken, { slackApiUrl: apiUrl }), {
    ...{ channel_id: 'C02HARBOUR', initial_comment: comment, file: bytes, filename: name },
  });
  await page.getByText(comment).last().waitFor();
}

test('a picture in a channel becomes a post, and is seen in its form, its preview and its review', async () => {
  await shareFile('week.png', PICTURE, 'Our week');
  await ana().shortcut('Schedule this message', 'Our week');
  const form = await ana().modal('Schedule a post');
  await fillIn(form, { Platforms: ['LinkedIn'], When: '1 Dec 9am', 'Alt text': ALT_TEXT });
  await form.choose('Platforms', ['LinkedIn', 'X']);
  await expectPicture(ALT_TEXT);
  await takePictures('form');
  await form.press('Preview');
  const preview = await ana().modal('Preview');
  await expectPicture(ALT_TEXT);
  await takePictures('preview');
  await preview.close();
  await submit(form);
  await expectPicture(ALT_TEXT);
  await takePictures('review');
  await page.getByText(`Alt text: ${ALT_TEXT}`).first().waitFor();
});
