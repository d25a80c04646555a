import { expect, test } from 'vitest';
import { openFilledForm, showMoreOptions } from '../../support/filled-form.ts';
import { buildJpeg, buildPng } from '../../support/media-files.ts';
import { data } from '../../support/scripted-service.ts';
import { seeAfterChange } from '../../support/see-after-change.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

/** What people enter as media, and what becomes of it. */
const { ana, running, startBot } = setUpBot();

const PHOTO = 'https://example.com/photo.jpg';

async function openForm(text: string, platform: string, media: string) {
  await startBot();
  const { ana, form } = await openFilledForm(running, { text });
  await showMoreOptions(ana, form);
  await form.fill('Media', media);
  await form.choose('Platforms', [platform]);
  return { ana, form };
}

test('a picture without a text is scheduled where the platform takes it', async () => {
  const { form } = await openForm('', 'Instagram', PHOTO);
  // Until the form has noticed the picture, it requires a text.
  await expect.poll(async () => (await form.submit()).errors).toEqual({});
  expect(running.service.created()).toMatchObject([{ Media: PHOTO, Platforms: ['INSTAGRAM'] }]);
  expect(running.service.created()[0]).not.toHaveProperty('Content');
});

test('a platform that needs a text gets no picture without one', async () => {
  const { ana, form } = await openForm('', 'Reddit', PHOTO);
  await ana.sees('Reddit needs a title and a subreddit');
  const answer = await form.submit();
  expect([answer.closed, Object.keys(answer.errors)]).toEqual([false, ['Text']]);
  expect(running.service.created()).toEqual([]);
});

test('a link in angle brackets is sent without them', async () => {
  const { form } = await openForm('We open at nine', 'Instagram', `<${PHOTO}>`);
  expect((await form.submit()).errors).toEqual({});
  expect(running.service.created()).toMatchObject([{ Media: PHOTO }]);
});

test('the path of a file on a computer is refused, and says why', async () => {
  const { form } = await openForm('We open at nine', 'Facebook', 'C:\\Users\\me\\photo.jpg');
  expect((await form.submit()).errors).toEqual({
    Media: `The service can’t open files on a computer. Enter a link to an image or video, such as ${PHOTO}.`,
  });
});

test.each([
  [
    'https://example.com/my photo.jpg',
    'This link has a space in it. Copy it again, or write %20 for the space.',
  ],
  ['example.com/photo.jpg', 'Begin the link with https://, as in https://example.com/photo.jpg'],
  ['www.example.com', 'Begin the link with https://, as in https://www.example.com'],
])('%s is refused under the field, which says what to change', async (media, expected) => {
  const { form } = await openForm('We open at nine', 'Facebook', media);
  expect((await form.submit()).errors).toEqual({ Media: expected });
});

test('a link to a page is told apart from the picture itself, and can still be scheduled', async () => {
  const { ana, form } = await openForm(
    'We open at nine',
    'Facebook',
    'https://drive.google.com/file/d/1a2b3c/view?usp=sharing',
  );
  await ana.sees('⚠️ This link opens a page on Google Drive, and not the picture itself.');
  expect((await form.submit()).errors).toEqual({});
});

test('where a link leads is shown under it, and can still be scheduled', async () => {
  await startBot({ probeLink: async (link) => (link.endsWith('.jpg') ? 'media' : 'missing') });
  const { ana, form } = await openFilledForm(running);
  await showMoreOptions(ana, form);
  await form.fill('Media', 'https://example.com/gone');
  await ana.sees('⚠️ There’s nothing at this link.');
  expect((await form.submit()).errors).toEqual({});
  expect(running.service.created()).toMatchObject([{ Media: 'https://example.com/gone' }]);
});

test('a file that the platform doesn’t take causes a warning, and can still be scheduled', async () => {
  const { ana, form } = await openForm('We open at nine', 'Instagram', 'https://example.com/a.heic');
  await ana.sees('⚠️ Instagram takes JPEG pictures and MP4 or MOV videos. This looks like HEIC.');
  expect((await form.submit()).errors).toEqual({});
});

/** The service has no field for the alt text, so it stays with the post in Upnext. */
const FIELD = 'Picture or video';

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
