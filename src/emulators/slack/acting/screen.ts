import type { PlacedElement } from '../blocks/elements-of.ts';
import { act } from '../interactions/act.ts';
import { Refusal } from '../refusal.ts';
import { personById } from '../state/directory.ts';
import type { Actor } from './actor.ts';
import { choose, listOptions, search } from './choose.ts';
import type { Form } from './form.ts';
import { HomeTab } from './home-tab.ts';
import { elementNamed, findByName, isButton, isField, type Place } from './place.ts';
import { attach, fill, isWritable, type LocalFile, pressButton } from './use-element.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** A value for a field: text, chosen options, or files. Null empties the field. */
export type FieldValue = string | readonly string[] | { files: readonly LocalFile[] } | null;

/** What a person waits for. All parts have to be true at the same time. */
interface ScreenCondition {
  text?: string | undefined;
  noText?: string | undefined;
  /** The title of the modal on top. */
  modal?: string | undefined;
}

/**
 * What a person has in front of them: a channel or the app's Home tab, with a modal on top if one is open. Fields and
 * buttons are searched in the modal if there is one, as behind a modal nothing can be used. In a channel, the newest
 * message that has the element counts. Each action waits until its element is visible.
 */
export class Screen {
  readonly actor: Actor;
  readonly #home: HomeTab;
  #isHomeOpen = false;

  constructor(actor: Actor) {
    this.actor = actor;
    this.#home = new HomeTab(actor.site, actor.person);
  }

  openChannel(name: string): void {
    this.actor.in(name);
    this.#isHomeOpen = false;
  }

  /** Opens a tab of the app. */
  async openTab(tab: 'home' | 'messages'): Promise<void> {
    this.#isHomeOpen = tab === 'home';
    if (tab === 'messages') {
      await this.actor.inDirectMessage();
      await this.actor.openMessages();
    } else await act(this.actor.site, this.actor.person.id, { id: 0, act: 'home-opened' });
  }

  /** The name of the channel or tab: `#general`, `Home`, `@ben`. */
  placeName(): string {
    if (this.#isHomeOpen) return 'Home';
    const { site, person, channel } = this.actor;
    if (channel.kind !== 'im') return `#${channel.name}`;
    const other = channel.members.find((id) => id !== person.id) ?? person.id;
    return `@${personById(site, other)?.name ?? other}`;
  }

  get isHomeOpen(): boolean {
    return this.#isHomeOpen;
  }

  /** Everything visible, as text. */
  text(): string {
    if (!this.#isHomeOpen) return this.actor.read();
    const modal = this.actor.topModal();
    return [this.#home.text(), ...(modal ? [modal.text()] : [])].join('\n');
  }

  /** Gives fields new values, by label. Resolves when the app has acknowledged all of them that it is told of. */
  async fill(fields: Readonly<Record<string, FieldValue>>, options: WaitOptions = {}): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      const place = await this.#placeWith(label, isField, options);
      await setField(place, label, value);
    }
  }

  /** Presses a button, also the submit or close button of a modal. Resolves when the app has acknowledged. */
  async press(button: string, options: WaitOptions = {}): Promise<void> {
    const press = await this.#waitFor(`a button [${button}]`, options, () => {
      const modal = this.actor.topModal();
      const own = modal && findModalButton(modal, button);
      if (own) return own;
      const place = this.#places().findLast((each) => findByName(each, button, isButton));
      return place && (() => pressButton(place, button));
    });
    await press();
  }

  /** The options that a menu offers, after typing a text into it if the app loads its options. */
  async listOptions(menu: string, typed: string | undefined, options: WaitOptions = {}): Promise<string[]> {
    const place = await this.#placeWith(menu, isField, options);
    const loads = elementNamed(place, menu, isField).type.endsWith('external_select');
    return loads ? search(place, menu, typed ?? '') : listOptions(place, menu);
  }

  async wait({ text, noText, modal }: ScreenCondition, options: WaitOptions = {}): Promise<void> {
    const parts = [
      text === undefined ? undefined : `“${text}”`,
      noText === undefined ? undefined : `“${noText}” to disappear`,
      modal === undefined ? undefined : `a modal “${modal}”`,
    ];
    await this.#waitFor(parts.filter((part) => part !== undefined).join(' and '), options, () => {
      const visible = this.text();
      const isMet =
        (text === undefined || visible.includes(text)) &&
        (noText === undefined || !visible.includes(noText)) &&
        (modal === undefined || this.actor.topModal()?.title() === modal);
      return isMet ? true : undefined;
    });
  }

  /** The places whose elements can be used, the newest last. */
  #places(): Place[] {
    const modal = this.actor.topModal();
    if (modal) return [modal.place];
    return this.#isHomeOpen ? [this.#home.place] : this.actor.messagePlaces();
  }

  #placeWith(label: string, fits: (placed: PlacedElement) => boolean, options: WaitOptions): Promise<Place> {
    return this.#waitFor(`a field “${label}”`, options, () =>
      this.#places().findLast((place) => findByName(place, label, fits)),
    );
  }

  #waitFor<T>(description: string, options: WaitOptions, find: () => T | undefined): Promise<T> {
    const { site, person } = this.actor;
    const readVisible = () => this.text();
    return waitFor(site, person.id, { description, find, readVisible, ...options });
  }
}

/** The modal's own submit or close button. */
function findModalButton(modal: Form, name: string): (() => Promise<void>) | undefined {
  const { submit, close } = modal.buttons();
  if (name === close) return () => modal.close();
  if (name !== submit) return undefined;
  return async () => {
    const { trouble } = await modal.submit();
    if (trouble !== undefined) throw new Refusal(trouble);
  };
}

async function setField(place: Place, label: string, value: FieldValue): Promise<void> {
  const placed = elementNamed(place, label, isField);
  if (placed.type === 'file_input') {
    const files = value !== null && typeof value === 'object' && 'files' in value ? value.files : [];
    await attach(place, label, files);
  } else if (isWritable(placed)) {
    await fill(place, label, typeof value === 'string' ? value : '');
  } else await choose(place, label, typeof value === 'string' || Array.isArray(value) ? value : []);
}
