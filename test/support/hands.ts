import type { Locator, Page } from 'playwright-core';

/** How a person does things on a page: the same story is told with each. */
export interface Hands {
  name: string;
  press(thing: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** Opens a list and takes what is called so. */
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

/** More than any form has stops. */
const MOST_STOPS = 120;

/** Never touches the mouse: what has focus is reached by Tab, and pressed by Enter or Space. */
export function keyboard(page: Page): Hands {
  const reach = async (thing: Locator) => {
    await thing.waitFor();
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      if (await thing.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    const here = await page.evaluate('document.activeElement.outerHTML.slice(0, 300)');
    throw new Error(`Tab never comes to ${thing}, it ends at ${here}`);
  };
  return {
    name: 'keyboard',
    async press(thing) {
      const group = await thing.getAttribute('name');
      if ((await thing.getAttribute('type')) !== 'radio' || group === null) {
        await reach(thing);
        return page.keyboard.press('Enter');
      }
      // A group of radio buttons is one stop, at the chosen one; the arrows go round in it.
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
