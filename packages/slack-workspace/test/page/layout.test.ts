import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readFocus, typeCommand } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

const MIN_SPACE_PX = 12;

/** The vertical space between the content of each message and of the next one, in pixels. */
const readSpaces = (page: Page) =>
  page.evaluate<number[]>(`(() => {
    const boxes = [...document.querySelectorAll('.message .message-body')].map((body) => body.getBoundingClientRect());
    return boxes.slice(1).map(({ top }, index) => top - boxes[index].bottom);
  })()`);

/** The focus outline of an element: its width, style and color. */
const readOutline = (page: Page) =>
  page.evaluate<string>(`(() => {
    const box = document.activeElement.closest('.composer-box, .field') ?? document.activeElement;
    const { outlineWidth, outlineStyle, outlineColor } = getComputedStyle(box);
    return [outlineWidth, outlineStyle, outlineColor].join(' ');
  })()`);

/** Expects that all of the open list is in the window, and that it doesn't cover what opened it. */
async function expectVisibleList(page: Page, opener: Locator) {
  const [list, anchor] = await Promise.all([page.locator('.popup').boundingBox(), opener.boundingBox()]);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  if (list === null || anchor === null) throw new Error('There is no open list.');
  expect(list.x).toBeGreaterThanOrEqual(0);
  expect(list.y).toBeGreaterThanOrEqual(0);
  expect(list.x + list.width).toBeLessThanOrEqual(width);
  expect(list.y + list.height).toBeLessThanOrEqual(height);
  const isAbove = list.y + list.height <= anchor.y;
  const isBelow = list.y >= anchor.y + anchor.height;
  expect(isAbove || isBelow).toBe(true);
}

/** The texts of the highlighted options of the open list. */
const listHighlighted = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.popup .choice')]
    .filter((choice) => getComputedStyle(choice).backgroundColor !== 'rgba(0, 0, 0, 0)')
    .map((choice) => choice.textContent.trim())`);

test('messages are at least 12 pixels apart, and the first of an author’s has a name and a time', async () => {
  const page = await fixture.open();
  for (const text of ['Hello', 'Hello again', '/card ', '/card ']) await typeCommand(page, text);
  await expect.poll(() => page.getByText('Up next in Harbour Coffee').count()).toBe(2);
  for (const space of await readSpaces(page)) expect(space).toBeGreaterThanOrEqual(MIN_SPACE_PX);
  const cards = page.locator('.message', { hasText: 'Up next in Harbour Coffee' });
  expect(await cards.first().locator('.message-name').innerText()).toBe('Upnext');
  expect(await cards.first().locator('.message-time').isVisible()).toBe(true);
  expect(await cards.nth(1).locator('.message-name').count()).toBe(0);
});

describe('all of a list can be seen', () => {
  test.each([1280, 800, 390])('at a select menu of the newest message, %d pixels wide', async (width) => {
    const page = await fixture.open('ana', { width, height: 720 });
    await typeCommand(page, '/card ');
    await page.getByRole('combobox', { name: 'All platforms' }).last().click();
    await expectVisibleList(page, page.locator('.message .select-box').last());
  });

  test('at the current person in a narrow sidebar', async () => {
    const page = await fixture.open('ana', { width: 800, height: 720 });
    const person = page.getByRole('button', { name: /^Acting as/ });
    await person.click();
    await expectVisibleList(page, person);
  });

  test('at a high field in a low window', async () => {
    const page = await fixture.open('ana', { width: 700, height: 420 });
    await typeCommand(page, '/schedule-post ');
    const box = page.locator('.select-box', { has: page.getByLabel('Platforms') });
    await box.evaluate((field: HTMLElement) => {
      field.style.height = '120px';
    });
    await page.getByLabel('Platforms').click();
    await expectVisibleList(page, box);
  });
});

test('only one option of a list is highlighted', async () => {
  const page = await fixture.open();
  await typeCommand(page, '/card ');
  await page.getByRole('combobox', { name: 'All platforms' }).last().click();
  await page.getByRole('option', { name: 'X', exact: true }).hover();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => listHighlighted(page)).toEqual(['Instagram']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Acting as/ }).click();
  await page.getByRole('menuitemradio', { name: /^Ben Okafor/ }).hover();
  await expect.poll(() => listHighlighted(page)).toEqual([expect.stringMatching(/Ben Okafor/)]);
});

describe('on a narrow screen', () => {
  const NARROW = { width: 390, height: 780 };

  test('the menu of a message opens to the side on which all of it can be seen', async () => {
    const page = await fixture.open('ana', NARROW);
    await typeCommand(page, '/card ');
    const button = page.getByRole('button', { name: 'More options' }).last();
    await button.click();
    await expectVisibleList(page, button);
  });

  test('the faults and the inspector are in one menu, which gets the focus back', async () => {
    const page = await fixture.open('ana', NARROW);
    const menu = page.getByRole('button', { name: 'Practice tools' });
    await menu.waitFor();
    for (const [item, panel] of [
      ['Faults', 'Practice faults'],
      ['Inspector', 'Inspector'],
    ] as const) {
      expect(await page.getByRole('button', { name: item, exact: true }).count()).toBe(0);
      await menu.click();
      await page.getByRole('menuitem', { name: item }).click();
      const aside = page.getByRole('complementary', { name: panel });
      await aside.getByRole('button', { name: /^Close/ }).click();
      await aside.waitFor({ state: 'hidden' });
      await expect.poll(() => readFocus(page)).toBe('Practice tools');
    }
  });

  test('the title of a channel stays on one line', async () => {
    const page = await fixture.open('ana', { width: 320, height: 780 });
    const title = page.locator('.channel-head h2');
    await title.evaluate((heading) => {
      heading.textContent = 'A long name '.repeat(12);
    });
    expect((await title.boundingBox())?.height).toBeLessThan(30);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});

test('the focus has the same outline on fields, buttons and links', async () => {
  const page = await fixture.openForm('/examples');
  const outlines = new Set<string>();
  for (let stop = 0; stop < 12; stop += 1) {
    await page.keyboard.press('Tab');
    outlines.add(await readOutline(page));
  }
  await page.keyboard.press('Escape');
  // Before, no element outside the form can have the focus.
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(() => readFocus(page)).toBe('Message #general');
  outlines.add(await readOutline(page));
  expect([...outlines]).toEqual(['2px solid rgb(22, 115, 214)']);
});
