import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SMALL_PNG } from '../support/small-png.ts';
import { readFocus } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

const BUTTON = 'Enlarge picture: A cup from above';

const uploadCup = (fields: object = {}) =>
  fixture.examples.client.files.uploadV2({
    channel_id: 'C01GENERAL',
    filename: 'cup.png',
    alt_text: 'A cup from above',
    file: SMALL_PNG,
    ...fields,
  });

/** Waits until the picture is loaded. Before, it has another size. */
const waitUntilLoaded = (picture: Locator) =>
  expect
    .poll(() => picture.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth))
    .toBeGreaterThan(0);

async function sendPicture(page: Page): Promise<void> {
  await uploadCup();
  await page.getByRole('button', { name: BUTTON }).waitFor();
}

describe('a picture in a message', () => {
  test('a click enlarges the picture with its description, and a second click closes it and returns the focus', async () => {
    const page = await fixture.open();
    const foreignRequests: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(fixture.examples.workspace.url)) foreignRequests.push(request.url());
    });
    await sendPicture(page);
    await page.getByRole('button', { name: BUTTON }).click();
    const dialog = page.getByRole('dialog', { name: 'A cup from above' });
    const pictures = [dialog.getByRole('img'), page.locator('.image-large')];
    await Promise.all(pictures.map(waitUntilLoaded));
    const [large, small] = await Promise.all(pictures.map((picture) => picture.boundingBox()));
    expect(large?.width).toBeGreaterThan(small?.width ?? 0);
    await page.mouse.click(200, 700);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => readFocus(page)).toBe(BUTTON);
    expect(foreignRequests).toEqual([]);
  });

  test('Enter enlarges the picture, and Escape closes it', async () => {
    const page = await fixture.open();
    await sendPicture(page);
    await page.getByRole('button', { name: BUTTON }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'A cup from above' }).waitFor();
    await expect.poll(() => readFocus(page)).toBe('Close');
    await page.keyboard.press('Tab');
    expect(await readFocus(page)).toBe('Close');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => readFocus(page)).toBe(BUTTON);
  });

  test('on a phone, a tap enlarges the picture to fit the screen, and a tap on Close closes it', async () => {
    const page = await fixture.browser.newPage({ viewport: { width: 390, height: 700 }, hasTouch: true });
    await page.goto(`${fixture.examples.workspace.url}/?as=ana`);
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    await uploadCup();
    await page.getByRole('button', { name: BUTTON }).tap();
    const dialog = page.getByRole('dialog', { name: 'A cup from above' });
    await waitUntilLoaded(dialog.getByRole('img'));
    const box = await dialog.getByRole('img').boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await dialog.waitFor({ state: 'detached' });
  });
});

test('in a thread, Escape closes the picture and not the thread', async () => {
  const page = await fixture.open();
  const { client } = fixture.examples;
  const { ts = '' } = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'The menu' });
  await uploadCup({ thread_ts: ts });
  await page.getByRole('button', { name: /1 reply/ }).click();
  const thread = page.getByRole('complementary', { name: 'Thread' });
  await thread.getByRole('button', { name: BUTTON }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await thread.isVisible()).toBe(true);
});

describe('emoji', () => {
  /** Counts the colours of a drawn text besides black. A character without a glyph is drawn as a black box. */
  const countColours = (page: Page, text: string) =>
    page.evaluate<number>(
      `(async () => {
        const font = '40px ' + getComputedStyle(document.body).fontFamily;
        await document.fonts.load(font, ${JSON.stringify(text)});
        const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 60 });
        const drawing = canvas.getContext('2d');
        drawing.font = font;
        drawing.fillText(${JSON.stringify(text)}, 2, 46);
        const { data } = drawing.getImageData(0, 0, 60, 60);
        const colours = new Set();
        for (let index = 0; index < data.length; index += 4) {
          const [red, green, blue, opacity] = data.slice(index, index + 4);
          if (opacity === 255 && (red || green || blue)) colours.add([red, green, blue].join());
        }
        return colours.size;
      })()`,
    );

  test('emoji are drawn in colours, not as boxes', async () => {
    const page = await fixture.open();
    for (const emoji of ['📅', '✅', '🟢', '⚠️', '👋', '🎉', '☕', '🇵🇹', '👩‍🍳'])
      expect(await countColours(page, emoji), emoji).toBeGreaterThan(0);
    expect(await countColours(page, 'a\u{10FFFF}')).toBe(0);
  });

  test('the emoji font is loaded only when an emoji is shown', async () => {
    const page = await fixture.browser.newPage();
    const fonts: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.woff2')) fonts.push(new URL(request.url()).pathname);
    });
    await page.goto(`${fixture.examples.workspace.url}/?as=ana`);
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    expect(fonts).toEqual([]);
    await fixture.examples.client.chat.postMessage({ channel: 'C01GENERAL', text: 'In Lisbon 🇵🇹' });
    await expect.poll(() => fonts).toEqual(['/page/vendor/emoji.woff2']);
  });
});

// The last test, because its message with a foreign picture stays in the channel.
test('a picture that can’t be loaded is replaced by its description', async () => {
  const page = await fixture.open();
  await page.route('https://pictures.example/**', (route) => route.abort());
  const image = { type: 'image', image_url: 'https://pictures.example/cup.png', alt_text: 'A lost cup' };
  await fixture.examples.client.chat.postMessage({
    channel: 'C01GENERAL',
    text: 'A cup',
    blocks: [image],
  });
  await page.getByText('Picture: A lost cup').waitFor();
  expect(await page.getByRole('img', { name: 'A lost cup' }).count()).toBe(0);
  // The lost picture.
  fixture.pageErrors.length = 0;
});
