import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readFocus, typeCommand } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

const findDialog = (page: Page) => page.getByRole('dialog');
const waitUntilClosed = (page: Page) => findDialog(page).waitFor({ state: 'hidden' });

test('a form can be filled in, corrected and sent with the keyboard alone', async () => {
  const page = await fixture.openForm('/schedule-post');
  await expect.poll(() => readFocus(page)).toBe('Text');
  await page.keyboard.type('Fresh roast');
  await page.keyboard.press('Tab');
  await page.keyboard.type('insta');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.keyboard.type('never');
  await page.keyboard.press('Enter');

  await page.getByText('I do not understand “never”').waitFor();
  await expect.poll(() => readFocus(page)).toBe('When');
  const when = page.getByLabel('When');
  expect(await when.getAttribute('aria-invalid')).toBe('true');
  const descriptionIds = (await when.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const descriptions = await Promise.all(
    descriptionIds.map((id) => page.locator(`[id="${id}"]`).innerText()),
  );
  expect(descriptions.join(' ')).toMatch(/In your own words.*I do not understand/);
  expect(await page.getByLabel('Text').inputValue()).toBe('Fresh roast');

  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('tomorrow 9am');
  await page.getByText('I do not understand').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await waitUntilClosed(page);
  await page.getByText('Scheduled for tomorrow 9am.').waitFor();
  await expect.poll(() => readFocus(page)).toBe('Message #general');
  expect(fixture.examples.submitted.at(-1)).toMatchObject({
    text: { text: { type: 'plain_text_input', value: 'Fresh roast' } },
    platforms: { platforms: { selected_options: [{ value: 'Instagram' }, { value: 'X' }] } },
    status: { status: { selected_option: { value: 'Scheduled' } } },
  });
});

test('Tab stays inside the form, and Escape closes the form and returns the focus', async () => {
  const page = await fixture.openForm('/schedule-post');
  const visited = new Set<string>();
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    visited.add(await readFocus(page));
    expect(await page.evaluate('document.querySelector("dialog").contains(document.activeElement)')).toBe(
      true,
    );
  }
  expect([...visited].sort()).toEqual([
    'Cancel',
    'Close',
    'Platforms',
    'Schedule',
    'Scheduled',
    'Text',
    'When',
  ]);
  await page.keyboard.press('Escape');
  await waitUntilClosed(page);
  await expect.poll(() => readFocus(page)).toBe('Message #general');
});

test('an empty required field shows an error before the app gets a request', async () => {
  const page = await fixture.openForm('/examples');
  await findDialog(page).getByRole('button', { name: 'Send' }).click();
  await page.getByText('Please complete this required field.').waitFor();
  await expect.poll(() => readFocus(page)).toBe('Required');
  await page.getByLabel('Required').fill('here');
  await page.keyboard.press('Enter');
  await waitUntilClosed(page);
  expect(fixture.examples.submitted).toHaveLength(1);
});

test('typing into a select menu that has a selection starts a new search', async () => {
  const page = await fixture.openForm('/examples');
  const drink = page.getByLabel('Drink');
  await drink.focus();
  await page.keyboard.type('lem');
  await page.keyboard.press('Enter');
  await expect.poll(() => drink.inputValue()).toBe('Lemonade');
  await page.keyboard.type('tea');
  await page.keyboard.press('Enter');
  await expect.poll(() => drink.inputValue()).toBe('Tea');
});

/** Opens a form on a clock that stands still, so that a busy machine makes no pause in typing. */
async function openFormOnClock(): Promise<Page> {
  const page = await fixture.openForm('/examples');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  return page;
}

/** Types with pauses between the letters that are too short to end the typing. */
async function typeSlowly(field: Locator, text: string): Promise<void> {
  for (const letter of text) {
    await field.press(letter);
    await field.page().clock.runFor(200);
  }
}

describe('a list whose options come from the app', () => {
  test('a search starts after enough letters and a pause in typing, and shows the results of the latest text', async () => {
    const page = await openFormOnClock();
    const place = page.getByRole('combobox', { name: 'Place' });
    await place.click();
    await page.getByText('Type at least 2 letters to search.').waitFor();
    await typeSlowly(place, 'limas');
    expect(fixture.examples.searchTexts).toEqual([]);
    await page.clock.resume();
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['Limassol']);
    expect(fixture.examples.searchTexts).toEqual(['limas']);
    await place.fill('nowhere');
    await page.getByText('No results').waitFor();
    await place.fill('lis');
    await page.getByRole('option', { name: 'Lisbon' }).click();
    await expect.poll(() => place.inputValue()).toBe('Lisbon');
    await page.getByRole('button', { name: 'Clear Lisbon' }).click();
    await expect.poll(() => place.inputValue()).toBe('');
  });

  test('Enter waits for the results of the current text, and selects the first of them', async () => {
    const page = await fixture.openForm('/examples');
    const place = page.getByRole('combobox', { name: 'Place' });
    await place.fill('lis');
    await page.getByRole('option', { name: 'Lisbon' }).waitFor();
    await place.fill('ber');
    await place.press('Enter');
    await expect.poll(() => place.inputValue()).toBe('Berlin');
    expect(await page.getByRole('option').count()).toBe(0);
  });
});

test('an input with immediate updates is sent after a pause in typing', async () => {
  const page = await openFormOnClock();
  const listSentLetters = () =>
    fixture.examples.actions.filter(({ action_id }) => action_id === 'letters').map(({ value }) => value);
  await typeSlowly(page.getByLabel('Sent at each letter'), 'abc');
  expect(listSentLetters()).toEqual([]);
  await page.clock.resume();
  await expect.poll(listSentLetters).toEqual(['abc']);
});

test('a dangerous button asks for confirmation, and Escape leaves the form open', async () => {
  const page = await fixture.openForm('/examples');
  const countPresses = () => fixture.examples.actions.filter(({ action_id }) => action_id === 'sure').length;
  const remove = findDialog(page).getByRole('button', { name: 'Delete' });
  await remove.click();
  const question = page.getByRole('alertdialog', { name: 'Delete it?' });
  await question.getByText('It cannot be undone.').waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });
  expect(await findDialog(page).isVisible()).toBe(true);
  await expect.poll(() => readFocus(page)).toBe('Delete');
  expect(countPresses()).toBe(0);
  await remove.click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(countPresses).toBe(1);
});

test('a form on top of another leaves the lower form unchanged', async () => {
  const page = await fixture.openForm('/examples');
  await page.getByLabel('Required').fill('kept');
  await page.getByRole('button', { name: 'Open another' }).click();
  const topForm = page.getByRole('dialog', { name: 'On top' });
  await topForm.getByLabel('Text').fill('above');
  await page.keyboard.press('Escape');
  await topForm.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Required').inputValue()).toBe('kept');
  await expect.poll(() => readFocus(page)).toBe('Open another');
});

test('a form is locked during its submission, and unlocked with its content if the app doesn’t answer', async () => {
  const page = await fixture.openForm('/schedule-post');
  await page.getByLabel('Text').fill('Kept');
  await page.getByRole('combobox', { name: 'Platforms' }).click();
  await page.keyboard.press('Enter');
  await page.getByLabel('When').fill('never answer');
  await page.keyboard.press('Enter');
  // In one wait, because the form is unlocked soon.
  await page.locator('form[aria-busy=true]').getByLabel('Text').and(page.locator('[readonly]')).waitFor();
  await page.getByText('We had some trouble connecting. Try again?').waitFor();
  expect(await page.getByLabel('Text').inputValue()).toBe('Kept');
  await page.getByLabel('When').fill('tomorrow');
  await page.keyboard.press('Enter');
  await waitUntilClosed(page);
});

test('a lost connection is shown and restored, and no typed text is lost', async () => {
  const page = await fixture.open();
  let closeSocket = () => {};
  let isReachable = Promise.resolve();
  await page.routeWebSocket('**/page/live*', async (socket) => {
    await isReachable;
    socket.connectToServer();
    closeSocket = () => void socket.close();
  });
  await page.reload();
  await typeCommand(page, '/schedule-post ');
  await page.getByLabel('Text').fill('Still here');
  const restored = Promise.withResolvers<void>();
  isReachable = restored.promise;
  closeSocket();
  await page.getByText('The connection to the workspace was lost.').waitFor();
  restored.resolve();
  await page.getByText('The connection to the workspace was lost.').waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Text').inputValue()).toBe('Still here');
});
