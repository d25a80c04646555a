import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { command, focused, openStage, type Stage } from './page-driver.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => stage.reset());
afterAll(() => stage.close());

async function openForm(text: string): Promise<Page> {
  const page = await stage.open();
  await command(page, text);
  await page.getByRole('dialog').waitFor();
  return page;
}

describe('a form in the place of "Loading…"', () => {
  const held = async () => {
    const page = await openForm('/later hold');
    await expect.poll(() => focused(page)).toBe('Close');
    return page;
  };

  test('takes focus to its first field', async () => {
    const page = await held();
    await stage.examples.showHeld();
    await expect.poll(() => focused(page)).toBe('Text');
  });

  test('leaves it where the person has moved it meanwhile', async () => {
    const page = await held();
    await page.keyboard.press('Shift+Tab');
    const place = () => page.evaluate('document.activeElement.className');
    expect(await place()).toBe('dialog-x');
    await stage.examples.showHeld();
    await page.getByLabel('Text').waitFor();
    expect(await place()).toBe('dialog-x');
  });
});

async function fillIn(page: Page, when: string): Promise<void> {
  await page.getByLabel('Text').fill('Fresh roast');
  await page.getByRole('combobox', { name: 'Platforms' }).click();
  await page.keyboard.press('Enter');
  await page.getByLabel('When').fill(when);
}

test('when what had focus is gone, focus goes to what is there instead', async () => {
  const page = await openForm('/schedule-post ');
  await fillIn(page, 'tell me later');
  await page.keyboard.press('Enter');
  await page.getByText('It is done.').waitFor();
  await expect.poll(() => focused(page)).toBe('Close');
});

test('an error of radio buttons takes focus to them', async () => {
  const page = await openForm('/schedule-post ');
  await fillIn(page, 'status');
  await page.keyboard.press('Enter');
  await page.getByText('Not this one.').waitFor();
  await expect.poll(() => focused(page)).toBe('Scheduled');
});

test('a submission from a radio button that is not answered leaves focus there', async () => {
  const page = await openForm('/schedule-post ');
  await fillIn(page, 'never answer');
  await page.getByLabel('Draft').check();
  await page.keyboard.press('Enter');
  await page.getByText('We had some trouble connecting. Try again?').waitFor();
  await expect.poll(() => focused(page)).toBe('Draft');
});

test('after a reload with an open form, closing it gives focus to the composer', async () => {
  const page = await openForm('/schedule-post ');
  await page.reload();
  await expect.poll(() => focused(page)).toBe('Text');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(() => focused(page)).toBe('Message #general');
});

test('a form that cannot be closed just now says so', async () => {
  const page = await stage.open();
  let lose = () => {};
  await page.routeWebSocket('**/page/live*', (socket) => {
    socket.connectToServer();
    lose = () => void socket.close();
  });
  await page.reload();
  await command(page, '/schedule-post ');
  await page.getByRole('dialog').waitFor();
  await page.routeWebSocket('**/page/live*', (socket) => socket.close());
  lose();
  await page.getByText('The connection to the workspace was lost.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('We had some trouble connecting. Try again?').waitFor();
});

describe('on a narrow screen, by keyboard', () => {
  test('the drawer takes focus to where one is, and Escape closes it and gives focus back', async () => {
    const page = await stage.open('ana', { width: 390, height: 780 });
    const drawer = page.getByRole('button', { name: 'Channels and people' });
    await drawer.press('Enter');
    await expect.poll(() => focused(page)).toBe('#general');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'random' }).waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page)).toBe('Channels and people');
  });
});

test('closing the inspector gives focus back to its button', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'Inspector' }).press('Enter');
  await page.getByRole('button', { name: 'Close the inspector' }).press('Enter');
  await expect.poll(() => focused(page)).toBe('Inspector');
});

test('dismissing the hint leaves focus in the composer', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect.poll(() => focused(page)).toBe('Message #general');
});

test('no page complained in its console', () => {
  expect(stage.complaints).toEqual([]);
});
