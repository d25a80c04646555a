import type { Site } from '../site.ts';
import { findBotToken } from '../state/grants.ts';
import { ActingError } from './acting-error.ts';
import type { Actor } from './actor.ts';
import { Admin } from './admin.ts';
import { AppTraffic } from './app-traffic.ts';
import { type AppChoice, requireApp, requirePerson } from './require-by-name.ts';
import { Screen } from './screen.ts';

/** A workspace in a test: its people, its owners, and the app's token. */
export class Team {
  readonly admin: Admin;
  /** The traffic with the app: its calls, and the requests to it. */
  readonly app: AppTraffic;
  readonly #site: Site;
  readonly #screens = new Map<string, Screen>();

  constructor(site: Site) {
    this.#site = site;
    this.admin = new Admin(site);
    this.app = new AppTraffic(site);
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
    return this.botTokenOf({});
  }

  /** The token of one of several apps for this workspace. Throws if the app isn't installed. */
  botTokenOf({ app: name }: AppChoice): string {
    const app = requireApp(this.#site, name);
    const token = findBotToken(app);
    if (token !== undefined) return token;
    throw new ActingError('not_installed', `${app.manifest.name} is not installed in ${this.name}`);
  }

  /** The traffic with one of several apps: its calls, and the requests to it. */
  trafficOf({ app }: AppChoice): AppTraffic {
    return new AppTraffic(requireApp(this.#site, app));
  }

  /** Finds a person by name, such as `Ana`. Returns the same actor each time, who stays in the same channel. */
  as(name: string): Actor {
    return this.screen(name).actor;
  }

  /** The screen of a person, by their name. For the control API, whose clients have no form objects. */
  screen(name: string): Screen {
    const person = requirePerson(this.#site, name);
    if (person.deactivated)
      throw new ActingError('deactivated_person', `The account of ${name} was deactivated`);
    const screen = this.#screens.get(person.id) ?? new Screen(this.#site, person);
    this.#screens.set(person.id, screen);
    return screen;
  }
}
