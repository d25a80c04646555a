import { findGroup } from '../interactions/change-person.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannelByName, findPersonByName } from '../state/directory.ts';
import type { UserGroup } from '../state/saved-state.ts';
import { ActingError } from './acting-error.ts';

export function requirePerson(site: Site, name: string): Person {
  const found = findPersonByName(site, name);
  if (found) return found;
  const names = site.state.people
    .filter(({ deactivated }) => deactivated !== true)
    .map(({ realName }) => realName);
  throw new ActingError(
    'unknown_person',
    `Nobody in this workspace is called ${name}. There is: ${names.join(', ')}`,
  );
}

export function requireChannel(site: Site, name: string): Channel {
  const found = findChannelByName(site, name);
  if (found) return found;
  const names = site.state.channels.filter(({ kind }) => kind !== 'im').map((channel) => `#${channel.name}`);
  throw new ActingError(
    'unknown_channel',
    `There is no channel ${name} in this workspace. There is: ${names.join(', ')}`,
  );
}

export function requireGroup(site: Site, handle: string): UserGroup {
  const group = findGroup(site, handle);
  if (group) return group;
  throw new ActingError('unknown_group', `There is no user group ${handle} in this workspace`);
}

/** The name of an app, if the workspace has several. Defaults to the first app. */
export interface AppChoice {
  app?: string;
}

/** Finds the workspace for the app of this name. Defaults to the first app. */
export function requireApp(site: Site, name: string | undefined): Site {
  const found = name === undefined ? site : site.apps.find(({ manifest }) => manifest.name === name);
  if (found) return found;
  const names = site.apps.map(({ manifest }) => manifest.name);
  throw new ActingError('unknown_app', `There is no app “${name}”. There is: ${names.join(', ')}`);
}

/** Finds the app of this name, which must have a Home tab. Defaults to the first app. */
export function requireHome(site: Site, name: string | undefined): Site {
  const app = requireApp(site, name);
  if (app.manifest.hasHomeTab) return app;
  throw new ActingError('no_home_tab', `The manifest of ${app.manifest.name} has no home_tab_enabled: true`);
}
