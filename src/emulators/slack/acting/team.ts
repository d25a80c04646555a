import type { Site } from '../site.ts';
import { liveGrants } from '../state/grants.ts';
import { holderOf } from '../state/organisations.ts';
import { ActingError } from './acting-error.ts';
import { Actor } from './actor.ts';
import { Admin } from './admin.ts';
import { demandPerson } from './demand.ts';

/** A workspace in a test: its people, its owners, and the app's token. */
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

  /** The app's token for this workspace or its whole organisation. Throws if the app isn't installed. */
  get botToken(): string {
    const all = liveGrants(this.#site.slack, holderOf(this.#site), this.#site.now());
    const found = all.findLast(({ kind }) => kind === 'bot');
    if (!found || this.#site.state.app.absent === true)
      throw new ActingError('not_installed', `The app is not installed in ${this.name}`);
    return found.token;
  }

  /** A person to act as, by name, such as `Ana`. Returns the same actor each time, who stays in the same channel. */
  as(name: string): Actor {
    const person = demandPerson(this.#site, name);
    if (person.deactivated)
      throw new ActingError('deactivated_person', `The account of ${name} was deactivated`);
    const actor = this.#actors.get(person.id) ?? new Actor(this.#site, person);
    this.#actors.set(person.id, actor);
    return actor;
  }
}
