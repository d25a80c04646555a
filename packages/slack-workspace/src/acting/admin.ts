import {
  archiveChannel,
  createChannel,
  deleteChannel,
  joinChannel,
  leaveChannel,
  renameChannel,
  shareChannel,
  unarchiveChannel,
  unshareChannel,
} from '../interactions/change-channel.ts';
import { addGroup, addPerson, changeGroup, changePerson } from '../interactions/change-person.ts';
import { revokeBotToken, uninstallApp } from '../interactions/installation.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { changeChannel, removeFromAllChannels } from '../state/directory.ts';
import { makeId } from '../state/ids.ts';
import {
  type AppChoice,
  requireApp,
  requireChannel,
  requireGroup,
  requirePerson,
} from './require-by-name.ts';

/** A new person. Everything but the name has a default. */
export type NewPerson = Partial<
  Pick<Person, 'role' | 'tz' | 'locale' | 'isBot' | 'from' | 'email' | 'phone' | 'title'>
> & { name: string };

/** The colours of drawn avatars, used in turn. */
const COLORS = ['#b4552d', '#2d6ab4', '#2d8a5f', '#7a4fb0', '#a83a6b'];

/** `name` is the full name, and its first word becomes the handle. */
export function newPerson(about: NewPerson, index: number): Person {
  // Unlike spread defaults, these are also for options that are undefined.
  const { role = 'member', tz = 'Europe/Berlin', locale = 'en-GB', isBot = false, ...others } = about;
  const [firstName = ''] = about.name.toLowerCase().split(' ');
  return {
    ...others,
    ...{ role, tz, locale, isBot },
    color: COLORS[index % COLORS.length] ?? '',
    ...{ id: makeId('U'), name: firstName, realName: about.name },
  };
}

/** The actions of a workspace's owners in a test. People, groups and channels are given by name. */
export class Admin {
  readonly #site: Site;

  constructor(site: Site) {
    this.#site = site;
  }

  /** Adds a person, who is in no channel yet, and sends `team_join` to the app. Returns their user id. */
  addPerson(about: NewPerson): string {
    const person = newPerson(about, this.#site.state.people.length);
    addPerson(this.#site, person);
    return person.id;
  }

  /** Changes a person, and sends `user_change` to the app. */
  changePerson(name: string, changes: Partial<Omit<Person, 'id' | 'isBot' | 'deactivated'>>): void {
    changePerson(this.#site, this.#person(name), changes);
  }

  /** Deactivates a person, who leaves all channels. */
  deactivate(name: string): void {
    const person = this.#person(name);
    removeFromAllChannels(this.#site, person.id);
    changePerson(this.#site, person, { deactivated: true });
  }

  /** Gives a deactivated person their account back. They are in no channel. */
  reactivate(name: string): void {
    const { deactivated: _, ...person } = this.#person(name);
    changePerson(this.#site, person, { deactivated: false });
  }

  /** Adds a channel. The app is in it only if its bot's name is among the members. Returns the channel's id. */
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
    archiveChannel(this.#site, this.#channel(channel), this.#owner().id);
  }

  unarchive(channel: string): void {
    unarchiveChannel(this.#site, this.#channel(channel), this.#owner().id);
  }

  deleteChannel(channel: string): void {
    deleteChannel(this.#site, this.#channel(channel), this.#owner().id);
  }

  /** Shares a channel with another workspace or organisation (`T…`, `E…`). */
  share(channel: string, team: string): void {
    shareChannel(this.#site, this.#channel(channel), team);
  }

  /** Offers to share a channel. The others haven't accepted yet. */
  offerShare(channel: string): void {
    changeChannel(this.#site, this.#channel(channel), { sharePending: true });
  }

  unshare(channel: string, team: string): void {
    unshareChannel(this.#site, this.#channel(channel), team);
  }

  invite(channel: string, person: string): void {
    joinChannel(this.#site, this.#channel(channel), this.#person(person).id, this.#owner().id);
  }

  remove(channel: string, person: string): void {
    leaveChannel(this.#site, this.#channel(channel), this.#person(person).id, this.#owner().id);
  }

  /** Lets only owners and admins write in a channel. The app gets `restricted_action`. */
  restrict(channel: string): void {
    changeChannel(this.#site, this.#channel(channel), { restricted: true });
  }

  /** Adds a user group. Returns its id. */
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

  /** Changes a user group. If its members change, apps receive `subteam_members_changed`. */
  changeGroup(handle: string, changes: { members?: readonly string[]; disabled?: boolean }): void {
    const group = requireGroup(this.#site, handle);
    const { members, disabled } = changes;
    changeGroup(this.#site, group, {
      ...(members && { users: members.map((member) => this.#person(member).id) }),
      ...(disabled !== undefined && { disabled }),
    });
  }

  /** Adds a custom emoji. `picture` is the address of its picture, or `alias:` and another emoji's name. */
  addEmoji(name: string, picture: string): void {
    this.#site.state.emoji[name.replaceAll(':', '')] = picture;
    this.#site.touch();
  }

  /** Revokes an app's token, and sends it `tokens_revoked`. Its calls get `token_revoked`. */
  revokeToken({ app }: AppChoice = {}): void {
    revokeBotToken(requireApp(this.#site, app));
  }

  /** Uninstalls an app, and sends it `app_uninstalled` and `tokens_revoked`. Its calls get `account_inactive`. */
  uninstall({ app }: AppChoice = {}): void {
    uninstallApp(requireApp(this.#site, app));
  }

  #owner(): Person {
    const [owner] = this.#site.state.people;
    if (!owner) throw new Error('This workspace has no people');
    return owner;
  }

  #person(name: string): Person {
    return requirePerson(this.#site, name);
  }

  #channel(name: string): Channel {
    return requireChannel(this.#site, name);
  }
}
