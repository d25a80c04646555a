import type { Locator, Page } from 'playwright-core';

/** How a person uses a page. The same stories run with mouse and keyboard. */
export interface Hands {
  name: string;
  press(thing: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** Opens a list and chooses the option with this label. */
  choose(list: Locator, option: string): Promise<void>;
}

export const mouse = (page: Page): Hands => ({
  name: 'mouse',
  press: (thing) => thing.click(),
  async write(field, text) {
    await field.click();
    await field.fill(text);
  },
  async choose(list, option) {
    await list.click();
    await page.getByRole('option', { name: option, exact: true }).click();
  },
});

/** More than the tab stops of any form. */
const MAX_STOPS = 120;

/** Keyboard only: elements are reached by Tab and pressed by Enter or Space. */
export function keyboard(page: Page): Hands {
  const reach = async (thing: Locator) => {
    await thing.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      if (await thing.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    const here = await page.evaluate('document.activeElement.outerHTML.slice(0, 300)');
    throw new Error(`Tab doesn't reach ${thing}; the focus is on ${here}`);
  };
  return {
    name: 'keyboard',
    async press(thing) {
      const group = await thing.getAttribute('name');
      if ((await thing.getAttribute('type')) !== 'radio' || group === null) {
        await reach(thing);
        return page.keyboard.press('Enter');
      }
      // A group of radio buttons is one tab stop, at the chosen one; arrow keys move within it.
      await reach(page.locator(`input[type=radio][name="${group}"]:checked`));
      while (!(await thing.isChecked())) await page.keyboard.press('ArrowDown');
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
