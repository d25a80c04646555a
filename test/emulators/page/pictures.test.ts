import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStage, PIXEL, readFocus, type Stage } from './page-driver.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => stage.reset());
afterAll(() => stage.close());

const BUTTON = 'Enlarge picture: A cup from above';

async function sendPicture(page: Page): Promise<void> {
  await stage.examples.client.files.uploadV2({
    channel_id: 'C01GENERAL',
    filename: 'cup.png',
    alt_text: 'A cup from above',
    file: PIXEL,
  });
  await page.getByRole('button', { name: BUTTON }).waitFor();
}

describe('a picture in a message', () => {
  test('a press shows it large with its description, a second press closes it, and focus returns', async () => {
    const page = await stage.open();
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(stage.examples.workspace.url)) foreign.push(request.url());
    });
    await sendPicture(page);
    await page.getByRole('button', { name: BUTTON }).click();
    const dialog = page.getByRole('dialog', { name: 'A cup from above' });
    await dialog.waitFor();
    const [large, small] = await Promise.all([
      dialog.getByRole('img').boundingBox(),
      page.locator('.image-large').boundingBox(),
    ]);
    expect(large?.width).toBeGreaterThan(small?.width ?? 0);
    await page.mouse.click(200, 700);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => readFocus(page)).toBe(BUTTON);
    expect(foreign).toEqual([]);
    expect(stage.pageErrors).toEqual([]);
  });

  test('Enter opens it, and Escape closes it', async () => {
    const page = await stage.open();
    await sendPicture(page);
    await page.getByRole('button', { name: BUTTON }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'A cup from above' }).waitFor();
    expect(await readFocus(page)).toBe('Close');
    await page.keyboard.press('Tab');
    expect(await readFocus(page)).toBe('Close');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => readFocus(page)).toBe(BUTTON);
  });

  test('on a phone, a tap opens it within the screen, and a tap closes it', async () => {
    const page = await stage.browser.newPage({ viewport: { width: 390, height: 700 }, hasTouch: true });
    await page.goto(`${stage.examples.workspace.url}/?as=ana`);
    const { client } = stage.examples;
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    await client.files.uploadV2({
      channel_id: 'C01GENERAL',
      ...{ filename: 'cup.png', alt_text: 'A cup from above', file: PIXEL },
    });
    await page.getByRole('button', { name: BUTTON }).tap();
    const dialog = page.getByRole('dialog', { name: 'A cup from above' });
    const box = await dialog.getByRole('img').boundingBox();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await dialog.waitFor({ state: 'detached' });
  });
});

test('in a thread, Escape closes the picture and not the thread', async () => {
  const page = await stage.open();
  const { client } = stage.examples;
  const { ts = '' } = await client.chat.postMessage({ channel: 'C01GENERAL', text: 'The menu' });
  await client.files.uploadV2({
    ...{ channel_id: 'C01GENERAL', thread_ts: ts },
    ...{ filename: 'cup.png', alt_text: 'A cup from above', file: PIXEL },
  });
  await page.getByRole('button', { name: /1 reply/ }).click();
  const thread = page.getByRole('complementary', { name: 'Thread' });
  await thread.getByRole('button', { name: BUTTON }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await thread.isVisible()).toBe(true);
});

describe('emoji', () => {
  /** The colours of a drawn text. The box for a character without a glyph has only that of the text. */
  const coloursOf = (page: Page, text: string) =>
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
        for (let at = 0; at < data.length; at += 4) {
          const [red, green, blue, opacity] = data.slice(at, at + 4);
          if (opacity === 255 && (red || green || blue)) colours.add([red, green, blue].join());
        }
        return colours.size;
      })()`,
    );

  test.each(['📅', '✅', '🟢', '⚠️', '👋', '🎉', '☕', '🇵🇹', '👩‍🍳'])(
    'the emoji %s is drawn in colours, not as a box',
    async (emoji) => {
      const page = await stage.open();
      expect(await coloursOf(page, emoji)).toBeGreaterThan(0);
      expect(await coloursOf(page, 'a\u{10FFFF}')).toBe(0);
      expect(stage.pageErrors).toEqual([]);
    },
  );

  test('the font of emoji is loaded only when one is shown', async () => {
    const page = await stage.browser.newPage();
    const fonts: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.woff2')) fonts.push(new URL(request.url()).pathname);
    });
    await page.goto(`${stage.examples.workspace.url}/?as=ana`);
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    expect(fonts).toEqual([]);
    await stage.examples.client.chat.postMessage({ channel: 'C01GENERAL', text: 'In Lisbon 🇵🇹' });
    await expect.poll(() => fonts).toEqual(['/page/vendor/emoji.woff2']);
  });
});
