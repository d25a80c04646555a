import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPageFixture, type PageFixture } from './page-driver.ts';

let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture();
});
afterAll(() => fixture.close());

test('a message shows its reactions, and a press adds or removes the reader’s own', async () => {
  const ben = await fixture.open('ben');
  const ana = await fixture.open('ana');
  const message = ana.locator('.message').filter({ hasText: 'Good morning!' });
  await message.hover();
  await message.getByRole('button', { name: 'Add a reaction' }).click();
  await message.getByRole('menuitem', { name: 'raised hands' }).click();
  const ownReaction = message.locator('.reactions').getByRole('button', { name: 'raised hands 1' });
  await ownReaction.waitFor();
  expect(await ownReaction.getAttribute('aria-pressed')).toBe('true');
  expect(await ownReaction.getAttribute('title')).toBe('Ana Ferreira reacted with :raised_hands:');
  const bensView = ben.locator('.message').filter({ hasText: 'Good morning!' }).locator('.reactions');
  const anasReaction = bensView.getByRole('button');
  expect(await anasReaction.getAttribute('aria-pressed')).toBe('false');
  await anasReaction.click();
  await message.getByRole('button', { name: 'raised hands 2' }).click();
  await expect.poll(() => bensView.innerText()).toContain('1');
  await anasReaction.click();
  await bensView.waitFor({ state: 'detached' });
  expect(fixture.pageErrors).toEqual([]);
});
