import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readFocus } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

describe('a form that replaces "Loading…"', () => {
  const openLoadingForm = async () => {
    const page = await fixture.openForm('/later');
    await expect.poll(() => readFocus(page)).toBe('Close');
    return page;
  };

  test('the first field of the form gets the focus', async () => {
    const page = await openLoadingForm();
    await fixture.examples.showForm();
    await expect.poll(() => readFocus(page)).toBe('Text');
  });

  test('the focus stays where the person has moved it meanwhile', async () => {
    const page = await openLoadingForm();
    await page.keyboard.press('Shift+Tab');
    const readFocusedClass = () => page.evaluate('document.activeElement.className');
    await expect.poll(readFocusedClass).toBe('icon-button');
    await fixture.examples.showForm();
    await page.getByLabel('Text').waitFor();
    expect(await readFocusedClass()).toBe('icon-button');
  });
});

async function fillIn(page: Page, when: string): Promise<void> {
  await page.getByLabel('Text').fill('Fresh roast');
  await page.getByRole('combobox', { name: 'Platforms' }).click();
  await page.keyboard.press('Enter');
  await page.getByLabel('When').fill(when);
}

test('if the focused element disappears, its replacement gets the focus', async () => {
  const page = await fixture.openForm('/schedule-post');
  await fillIn(page, 'update the form');
  await page.keyboard.press('Enter');
  await page.getByText('It is done.').waitFor();
  await expect.poll(() => readFocus(page)).toBe('Close');
});

test('radio buttons with an error get the focus', async () => {
  const page = await fixture.openForm('/schedule-post');
  await fillIn(page, 'status');
  await page.keyboard.press('Enter');
  await page.getByText('Not this one.').waitFor();
  await expect.poll(() => readFocus(page)).toBe('Scheduled');
});

test('the focus stays on a radio button if a submission isn’t answered', async () => {
  const page = await fixture.openForm('/schedule-post');
  await fillIn(page, 'never answer');
  await page.getByLabel('Draft').check();
  await page.keyboard.press('Enter');
  await page.getByText('We had some trouble connecting. Try again?').waitFor();
  await expect.poll(() => readFocus(page)).toBe('Draft');
});

test('closing a form after a reload returns the focus to the composer', async () => {
  const page = await fixture.openForm('/schedule-post');
  await page.reload();
  await expect.poll(() => readFocus(page)).toBe('Text');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(() => readFocus(page)).toBe('Message #general');
});

describe('on a narrow screen, with the keyboard', () => {
  test('the drawer’s open channel gets the focus, and Escape closes the drawer', async () => {
    const page = await fixture.open('ana', { width: 390, height: 780 });
    const drawer = page.getByRole('button', { name: 'Channels and people' });
    await drawer.press('Enter');
    await expect.poll(() => readFocus(page)).toBe('#general');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'random' }).waitFor({ state: 'hidden' });
    await expect.poll(() => readFocus(page)).toBe('Channels and people');
  });
});

test('dismissing the hint returns the focus to the composer', async () => {
  const page = await fixture.open();
  await page.getByRole('navigation').getByRole('button', { name: 'Upnext' }).click();
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect.poll(() => readFocus(page)).toBe('Message Upnext');
});
