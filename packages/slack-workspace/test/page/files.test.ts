import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { SMALL_PNG } from '../support/small-png.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

const makeFile = (name: string) => ({ name, mimeType: 'image/png', buffer: SMALL_PNG });

/** Whether the image is loaded. */
const isImageLoaded = (page: Page, alt: string) =>
  page.evaluate<boolean>(`document.querySelector('img[alt="${alt}"]')?.naturalWidth > 0`);

async function chooseFiles(page: Page, form: Locator, ...names: string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    form.getByText('Choose files').click(),
  ]);
  await chooser.setFiles(names.map(makeFile));
}

test('files can be selected with the mouse, removed and sent; unsuitable files show an error', async () => {
  const page = await fixture.openForm('/examples');
  const form = page.getByRole('dialog');
  await form.getByLabel('Required').fill('here');
  await chooseFiles(page, form, 'menu.pdf');
  await form.getByText('Only these file types are allowed: png.').waitFor();
  await chooseFiles(page, form, 'one.png', 'two.png', 'three.png');
  await form.getByText('That’s too many files.').waitFor();
  await form.getByRole('button', { name: 'Remove one.png' }).click();
  await chooseFiles(page, form, 'three.PNG');
  await form.getByRole('button', { name: 'Remove three.PNG' }).waitFor();
  await form.getByRole('button', { name: 'Send' }).click();
  await form.waitFor({ state: 'hidden' });
  expect(fixture.examples.submitted.at(-1)).toMatchObject({
    pictures: { field: { files: [{ name: 'two.png' }, { name: 'three.PNG' }] } },
  });
});

test('a file can be attached to a message or dropped into the channel, and be removed before it’s sent', async () => {
  const page = await fixture.open();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByTitle('Attach files').first().click(),
  ]);
  await chooser.setFiles(['cup.png', 'pot.png'].map(makeFile));
  await page.getByRole('button', { name: 'Remove pot.png' }).click();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => isImageLoaded(page, 'cup.png')).toBe(true);
  expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  // As a browser reports a file that is dropped.
  await page.evaluate(`{
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Time,Text'], 'plan.csv', { type: 'text/csv' }));
    document.querySelector('.message').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }`);
  await page.getByRole('button', { name: 'Remove plan.csv' }).waitFor();
  await page.getByRole('textbox', { name: 'Message #general' }).fill('Our plan for December');
  await page.getByRole('textbox', { name: 'Message #general' }).press('Enter');
  await page.getByText('Our plan for December').waitFor();
  await page.getByRole('link', { name: 'plan.csv' }).waitFor();
});

test('a failed upload shows an error, and the form stays unchanged', async () => {
  const page = await fixture.openForm('/examples');
  await page.route('**/page/files?*', (route) => route.abort());
  const form = page.getByRole('dialog');
  await chooseFiles(page, form, 'one.png');
  await form.getByText('one.png couldn’t be uploaded. Please try again.').waitFor();
  expect(await form.getByRole('button', { name: 'Remove one.png' }).count()).toBe(0);
  // The failed upload.
  fixture.pageErrors.length = 0;
});

test('the files of a message are displayed or can be downloaded', async () => {
  const page = await fixture.open();
  const { client } = fixture.examples;
  const channel_id = 'C01GENERAL';
  const cup = { filename: 'cup.png', title: 'Our cup', file: SMALL_PNG };
  await client.files.uploadV2({ ...cup, channel_id, initial_comment: 'The new menu' });
  await page.getByText('The new menu').waitFor();
  await expect.poll(() => isImageLoaded(page, 'Our cup')).toBe(true);
  const text = Buffer.from('Coffee');
  await client.files.uploadV2({ channel_id, filename: 'menu.txt', title: 'The menu', file: text });
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'The menu' }).click();
  expect((await download).suggestedFilename()).toBe('menu.txt');
});

test('an image block displays a file of the workspace, given by its id or address', async () => {
  const page = await fixture.open();
  const { client } = fixture.examples;
  await client.files.uploadV2({ channel_id: 'C01GENERAL', filename: 'cup.png', file: SMALL_PNG });
  const { messages = [] } = await client.conversations.history({ channel: 'C01GENERAL' });
  const [{ id = '', url_private: url = '' } = {}] = messages.flatMap((message) => message.files ?? []);
  await client.chat.postMessage({
    channel: 'C01GENERAL',
    text: 'Pictures',
    blocks: [
      { type: 'image', alt_text: 'By id', slack_file: { id } },
      { type: 'image', alt_text: 'By address', slack_file: { url } },
    ],
  });
  await expect.poll(() => isImageLoaded(page, 'By id')).toBe(true);
  await expect.poll(() => isImageLoaded(page, 'By address')).toBe(true);
});
