import { recordsIn } from '../json.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { homeOf } from '../state/homes.ts';
import { choose } from './choose.ts';
import type { Place } from './place.ts';
import { dispatch, pressButton } from './use-element.ts';
import { visibleText } from './visible-text.ts';

/** The app's Home tab in front of a person. */
export class HomeTab {
  readonly #site: Site;
  readonly #person: Person;

  constructor(site: Site, person: Person) {
    this.#site = site;
    this.#person = person;
  }

  text(): string {
    const home = homeOf(this.#site, this.#person.id);
    if (!home) return '';
    const reading = { site: this.#site, reader: this.#person, values: home.values };
    return visibleText(reading, recordsIn(home.view, 'blocks'));
  }

  press(button: string): Promise<void> {
    return pressButton(this.#place(), button);
  }

  /** Chooses an option of a menu. */
  choose(menu: string, wanted: string): Promise<void> {
    const place = this.#place();
    return choose(place, (placed, state) => dispatch(place, placed, state), menu, wanted);
  }

  #place(): Place {
    const home = homeOf(this.#site, this.#person.id);
    return {
      site: this.#site,
      person: this.#person,
      container: { type: 'home' },
      name: 'Home',
      blocks: () => (home ? recordsIn(home.view, 'blocks') : []),
      values: () => home?.values ?? {},
    };
  }
}
