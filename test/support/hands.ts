import type { Locator, Page } from 'playwright-core';

/** A way to use a page. The same stories run by mouse and by keyboard. */
export interface Hands {
  name: string;
  press(element: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** Opens a list and chooses the option with this label. */
  choose(list: Locator, option: string): Promise<void>;
}

export const mouse = (page: Page): Hands => ({
  name: 'mouse',
  press: (element) => element.click(),
  async write(field, text) {
    await field.click();
    await field.fill(text);
  },
  async choose(list, option) {
    await list.click();
    await page.getByRole('option', { name: option, exact: true }).click();
  },
});

/** More tab stops than any form has. */
const MAX_STOPS = 120;

/** Uses only the keyboard: Tab reaches elements, and Enter presses them. */
export function keyboard(page: Page): Hands {
  const reach = async (element: Locator) => {
    await element.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      if (await element.evaluate((node) => node === node.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    const focused = await page.evaluate('document.activeElement.outerHTML.slice(0, 300)');
    throw new Error(`Tab doesn't reach ${element}; the focus is on ${focused}`);
  };
  return {
    name: 'keyboard',
    async press(element) {
      const group = await element.getAttribute('name');
      if ((await element.getAttribute('type')) !== 'radio' || group === null) {
        await reach(element);
        return page.keyboard.press('Enter');
      }
      // A group of radio buttons is one tab stop, at the selected button. Arrow keys move within the group.
      await reach(page.locator(`input[type=radio][name="${group}"]:checked`));
      while (!(await element.isChecked())) await page.keyboard.press('ArrowDown');
    },
    async write(field, text) {
      await reach(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    async choose(list, option) {
      await reach(list);
      await page.keyboard.type(option);
      await page.getByRole('option', { name: option, exact: true }).waitFor();
      await page.keyboard.press('Enter');
    },
  };
}
