import {
  archive,
  createChannel,
  deleteChannel,
  renameChannel,
  share,
  unarchive,
  unshare,
} from '../interactions/channel-life.ts';
import { revokeToken, uninstall } from '../interactions/end-app.ts';
import { join, leave } from '../interactions/membership.ts';
import { changePerson } from '../interactions/people-changes.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelByName, personByName } from '../state/directory.ts';
import { makeId } from '../state/ids.ts';
import { changeChannel, leaveEverywhere, putPerson } from '../state/team-changes.ts';
import { addGroup, changeGroup, groupByName } from '../state/user-groups.ts';

/** What can be said of a new person; the rest is as for most people. */
export type NewPerson = Partial<Pick<Person, 'role' | 'tz' | 'locale' | 'isBot' | 'from'>> & { name: string };

/** Colours of drawn avatars, in turn. */
const COLORS = ['#b4552d', '#2d6ab4', '#2d8a5f', '#7a4fb0', '#a83a6b'];

/** `name` is the full one; the handle is its first word. */
export function newPerson(about: NewPerson, index: number): Person {
  const {
    name: realName,
    role = 'member',
    tz = 'Europe/Berlin',
    locale = 'en-GB',
    isBot = false,
    from,
  } = about;
  return {
    id: makeId('U'),
    name: realName.toLowerCase().split(' ')[0] ?? '',
    realName,
    tz,
    locale,
    role,
    isBot,
    color: COLORS[index % COLORS.length] ?? '',
    ...(from && { from }),
  };
}

/** What the owners of a workspace do in a test: people, groups and channels come, change and go, by name. */
export class Admin {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** A new person, in no channel yet. Answers their user id. */
  addPerson(about: NewPerson): string {
    const person = newPerson(about, this.#site.state.people.length);
    putPerson(this.#site, person);
    return person.id;
  }

  /** The app hears of it (`user_change`). */
  changePerson(name: string, changes: Partial<Omit<Person, 'id' | 'isBot' | 'deactivated'>>): void {
    changePerson(this.#site, this.#person(name), changes);
  }

  /** Their account is ended: they are in no channel any more. */
  deactivate(name: string): void {
    const person = this.#person(name);
    leaveEverywhere(this.#site, person.id);
    changePerson(this.#site, person, { deactivated: true });
  }

  /** A new channel; the app is in it only if it is among the members (by the bot's name). Answers its id. */
  addChannel(
    name: string,
    about: { private?: boolean; shared?: boolean; orgShared?: boolean; members: readonly string[] },
  ): string {
    return createChannel(this.#site, {
      creator: this.#owner().id,
      name: name.replace(/^#/, ''),
      kind: about.private === true ? 'private' : 'public',
      members: about.members.map((member) => this.#person(member).id),
      ...(about.shared === true ? { shared: true } : {}),
      ...(about.orgShared === true ? { orgShared: true } : {}),
    }).id;
  }

  renameChannel(channel: string, name: string): void {
    renameChannel(this.#site, this.#channel(channel), name, this.#owner().id);
  }

  archive(channel: string): void {
    archive(this.#site, this.#channel(channel), this.#owner().id);
  }

  unarchive(channel: string): void {
    unarchive(this.#site, this.#channel(channel), this.#owner().id);
  }

  deleteChannel(channel: string): void {
    deleteChannel(this.#site, this.#channel(channel));
  }

  /** People of another workspace or organisation (`T…`, `E…`) come into a channel. */
  share(channel: string, team: string): void {
    share(this.#site, this.#channel(channel), team);
  }

  /** They were asked to, and have not said yes. */
  offerShare(channel: string): void {
    changeChannel(this.#site, this.#channel(channel), { sharePending: true });
  }

  unshare(channel: string, team: string): void {
    unshare(this.#site, this.#channel(channel), team);
  }

  invite(channel: string, person: string): void {
    join(this.#site, this.#channel(channel), this.#person(person).id, this.#owner().id);
  }

  remove(channel: string, person: string): void {
    leave(this.#site, this.#channel(channel), this.#person(person).id, this.#owner().id);
  }

  /** Only owners and admins write there from now on: the app gets `restricted_action`. */
  restrict(channel: string): void {
    changeChannel(this.#site, this.#channel(channel), { restricted: true });
  }

  /** A user group by its handle. Answers its id. */
  addGroup(
    handle: string,
    members: readonly string[],
    about: { name?: string; disabled?: boolean } = {},
  ): string {
    return addGroup(this.#site, {
      handle: handle.replace(/^@/, ''),
      name: about.name ?? handle,
      users: members.map((member) => this.#person(member).id),
      disabled: about.disabled ?? false,
    }).id;
  }

  changeGroup(handle: string, changes: { members?: readonly string[]; disabled?: boolean }): void {
    const group = groupByName(this.#site, handle);
    if (!group) throw new Error(`There is no user group ${handle} in this workspace`);
    const { members, disabled } = changes;
    changeGroup(this.#site, group, {
      ...(members && { users: members.map((member) => this.#person(member).id) }),
      ...(disabled !== undefined && { disabled }),
    });
  }

  /** An emoji of the workspace's own: the address of its picture, or `alias:` and another name. */
  addEmoji(name: string, picture: string): void {
    this.#site.state.emoji[name.replaceAll(':', '')] = picture;
    this.#site.touch();
  }

  /** The app gets `token_revoked`, and hears of it (`tokens_revoked`). */
  revokeToken(): void {
    revokeToken(this.#site);
  }

  /** The app gets `account_inactive`, and hears of it (`app_uninstalled`, `tokens_revoked`). */
  uninstall(): void {
    uninstall(this.#site);
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
