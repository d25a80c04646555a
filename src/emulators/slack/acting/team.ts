import type { Site } from '../site.ts';
import { personByName } from '../state/directory.ts';
import { liveGrants } from '../state/grants.ts';
import { holderOf } from '../state/organisations.ts';
import { Actor } from './actor.ts';
import { Admin } from './admin.ts';

/** One workspace in a test: its people, its owners, and the app's token in it. */
export class Team {
  readonly admin: Admin;
  readonly #site: Site;
  readonly #actors = new Map<string, Actor>();

  constructor(site: Site) {
    this.#site = site;
    this.admin = new Admin(site);
  }

  /** `T…` */
  get id(): string {
    return this.#site.state.team.id;
  }

  get name(): string {
    return this.#site.state.team.name;
  }

  /** The app's token here; its organisation's, where that has it. Throws where the app is not installed. */
  get botToken(): string {
    const all = liveGrants(this.#site.slack, holderOf(this.#site), this.#site.now());
    const found = all.findLast(({ kind }) => kind === 'bot');
    if (!found || this.#site.state.app.absent === true)
      throw new Error(`The app is not installed in ${this.name}`);
    return found.token;
  }

  /** A person to act as, by name: `Ana`. The same one each time, so that they stay where they went. */
  as(name: string): Actor {
    const person = personByName(this.#site, name);
    if (!person) throw new Error(`Nobody in this workspace is called ${name}`);
    if (person.deactivated) throw new Error(`The account of ${name} was deactivated`);
    const actor = this.#actors.get(person.id) ?? new Actor(this.#site, person);
    this.#actors.set(person.id, actor);
    return actor;
  }
}
