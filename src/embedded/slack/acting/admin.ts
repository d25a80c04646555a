import { archive, join, leave } from '../interactions/membership.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelByName, personByName } from '../state/directory.ts';
import { addChannel, deactivatePerson, endApp, restrict, setArchived } from '../state/team-changes.ts';

/** What the owners of a workspace do in a test: people and channels come, change and go, by name. */
export class Admin {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** A new channel; the app is in it only if it is among the members (by the bot's name). */
  addChannel(name: string, about: { private?: boolean; shared?: boolean; members: readonly string[] }): void {
    addChannel(this.#site, {
      name: name.replace(/^#/, ''),
      kind: about.private === true ? 'private' : 'public',
      members: about.members.map((member) => this.#person(member).id),
      ...(about.shared === true ? { shared: true } : {}),
    });
  }

  archive(channel: string): void {
    archive(this.#site, this.#channel(channel), this.#owner().id);
  }

  unarchive(channel: string): void {
    setArchived(this.#site, this.#channel(channel), false);
  }

  invite(channel: string, person: string): void {
    join(this.#site, this.#channel(channel), this.#person(person).id, this.#owner().id);
  }

  remove(channel: string, person: string): void {
    leave(this.#site, this.#channel(channel), this.#person(person).id);
  }

  deactivate(person: string): void {
    deactivatePerson(this.#site, this.#person(person));
  }

  /** Only owners and admins write there from now on: the app gets `restricted_action`. */
  restrict(channel: string): void {
    restrict(this.#site, this.#channel(channel));
  }

  /** The app gets `token_revoked`. */
  revokeToken(): void {
    endApp(this.#site, 'token_revoked');
  }

  /** The app gets `account_inactive`. */
  uninstall(): void {
    endApp(this.#site, 'account_inactive');
  }

  #owner(): Person {
    const [owner] = this.#site.state.people;
    if (!owner) throw new Error('This workspace has no people');
    return owner;
  }

  #person(name: string): Person {
    const found = personByName(this.#site, name);
    if (!found) throw new Error(`Nobody in this workspace is called ${name}`);
    return found;
  }

  #channel(name: string): Channel {
    const found = channelByName(this.#site, name);
    if (!found) throw new Error(`There is no channel ${name} in this workspace`);
    return found;
  }
}
