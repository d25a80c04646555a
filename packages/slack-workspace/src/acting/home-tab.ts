import { getRecords } from '../json.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findHome, storeHomeValues } from '../state/views.ts';
import { choose } from './choose.ts';
import type { Place } from './place.ts';
import { readBlocks } from './read-blocks.ts';
import { type DialogChoice, dispatch, dispatches, fill, pressButton } from './use-element.ts';

/** The app's Home tab in front of a person, who finds its fields and buttons by the text that they see. */
export class HomeTab {
  readonly #site: Site;
  readonly #person: Person;

  constructor(site: Site, person: Person) {
    this.#site = site;
    this.#person = person;
  }

  /** Everything visible, with one element on each line, buttons in brackets and values in parentheses. */
  text(): string {
    const home = findHome(this.#site, this.#person.id);
    if (!home) return '';
    const reading = { site: this.#site, reader: this.#person, values: home.values };
    return readBlocks(reading, getRecords(home.view, 'blocks'));
  }

  press(button: string, choice: DialogChoice = {}): Promise<void> {
    return pressButton(this.place, button, choice);
  }

  /** Writes into a field: text, a number, `2026-12-01`, `09:00`; into a datetimepicker an ISO 8601 date and time. */
  fill(label: string, text: string, choice: DialogChoice = {}): Promise<void> {
    return fill(this.place, label, text, choice);
  }

  /** Chooses options of a menu by their text, or a person or channel by name. */
  choose(menu: string, wanted: string | readonly string[], choice: DialogChoice = {}): Promise<void> {
    return choose(this.place, menu, wanted, choice);
  }

  get place(): Place {
    const site = this.#site;
    const home = () => findHome(site, this.#person.id);
    return {
      site,
      person: this.#person,
      container: { type: 'home', app: site.state.app.botUserId },
      name: 'Home',
      blocks: () => getRecords(home()?.view ?? {}, 'blocks'),
      values: () => home()?.values ?? {},
      setState: async (placed, state) => {
        const { blockId, actionId } = placed;
        const stored = home();
        if (dispatches(placed)) await dispatch(this.place, placed, state);
        else if (stored)
          storeHomeValues(site, stored, { [blockId]: { ...stored.values[blockId], [actionId]: state } });
      },
    };
  }
}
