import { expect, test } from 'vitest';
import { openFilledForm, showMoreOptions } from '../../support/filled-form.ts';
import { buildJpeg, buildPng } from '../../support/media-files.ts';
import { data } from '../../support/scripted-service.ts';
import { seeAfterChange } from '../../support/see-after-change.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

/** The service has no field for the alt text, so it stays with the post in Upnext. */

const { running, startBot } = setUpBot();
const FIELD = 'Picture or video';
const PHOTO = 'https://example.com/photo.jpg';

async function sendPost(): Promise<Record<string, unknown>> {
  const { ana, form } = await openFilledForm(running);
  await showMoreOptions(ana, form);
  await form.fill('Media', PHOTO);
  await seeAfterChange(form, 'Describe the picture for people who can’t see it.');
  await form.fill('Alt text', 'Our door');
  running.service.on('POST /posts', data({ Id: 'made' }));
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  await expect.poll(() => running.service.created()).toHaveLength(1);
  return running.service.created()[0] ?? {};
}

async function openListedPost() {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/upnext posts scheduled');
  await ana.sees('1 scheduled post');
  await ana.press('Open: We open at nine');
  return { ana, view: await ana.modal('Post') };
}

test('the alt text of a post at the service is in its card and its duplicate', async () => {
  await startBot();
  const request = await sendPost();
  expect(JSON.stringify(request)).not.toContain('Our door');
  running.service.on('GET /posts', data([{ ...request, Id: 'made' }]));
  const { ana, view } = await openListedPost();
  expect(view.text()).toContain('Alt text: Our door');
  await view.press('Duplicate');
  expect((await ana.modal('Schedule a post')).value('Alt text')).toBe('Our door');
});

test('a picture that was replaced on the service’s page doesn’t get the alt text of the earlier one', async () => {
  await startBot();
  const request = await sendPost();
  running.service.on('GET /posts', data([{ ...request, Id: 'made', Media: 'https://example.com/new.jpg' }]));
  const { view } = await openListedPost();
  expect(view.text()).toContain('https://example.com/new.jpg');
  expect(view.text()).not.toContain('Our door');
});

async function openFormWithDescribedPicture() {
  await startBot({ takesFiles: true });
  const { form } = await openFilledForm(running);
  await form.attach(FIELD, [{ name: 'door.jpg', bytes: buildJpeg({ width: 1200, height: 1000 }) }]);
  await seeAfterChange(form, 'JPEG, 1,200 × 1,000');
  await form.fill('Alt text', 'Our door');
  return form;
}

test('the alt text of a picture stays while a new file can’t be taken', async () => {
  const form = await openFormWithDescribedPicture();
  await form.attach(FIELD, [{ name: 'new.png', bytes: buildPng({ width: 60_000, height: 60_000 }) }]);
  await seeAfterChange(form, 'This has 60,000 × 60,000 pixels');
  expect(form.value('Alt text')).toBe('Our door');
  await form.attach(FIELD, []);
  await seeAfterChange(form, 'JPEG, 1,200 × 1,000');
  expect(form.value('Alt text')).toBe('Our door');
});
