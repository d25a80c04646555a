import type { Locator, Page } from 'playwright-core';

/** Uses a page by one input device. The same stories run by mouse and by keyboard. */
export interface InputMethod {
  press(element: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** Opens a list and chooses the option with this label. */
  choose(list: Locator, option: string): Promise<void>;
}

export const createMouse = (page: Page): InputMethod => ({
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

/** Maximum number of tab stops of a form. */
const MAX_STOPS = 120;

/** Uses only the keyboard: Tab moves the focus to an element, and Enter presses the element. */
export function createKeyboard(page: Page): InputMethod {
  const focus = async (element: Locator) => {
    await element.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      if (await element.evaluate((node) => node === node.ownerDocument.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    const focusedHtml = await page.evaluate('document.activeElement.outerHTML.slice(0, 300)');
    throw new Error(`Tab doesn't reach ${element}; the focus is on ${focusedHtml}`);
  };
  return {
    async press(element) {
      const group = await element.getAttribute('name');
      if ((await element.getAttribute('type')) !== 'radio' || group === null) {
        await focus(element);
        return page.keyboard.press('Enter');
      }
      // A group of radio buttons is one tab stop, at the selected button. Arrow keys move within the group.
      await focus(page.locator(`input[type=radio][name="${group}"]:checked`));
      while (!(await element.isChecked())) await page.keyboard.press('ArrowDown');
    },
    async write(field, text) {
      await focus(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    async choose(list, option) {
      await focus(list);
      await page.keyboard.type(option);
      await page.getByRole('option', { name: option, exact: true }).waitFor();
      await page.keyboard.press('Enter');
    },
  };
}
