import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { storePerson } from '../state/team-changes.ts';
import { buildUserObject } from '../state/user-object.ts';
import { sendEvent } from './send-event.ts';

/** Adds a person, who is in no channel yet, and sends team_join to all apps, unless they belong to another workspace. */
export function addPerson(site: Site, person: Person): void {
  storePerson(site, person);
  if (!person.from) notifyApps(site, person, 'team_join');
}

function notifyApps(site: Site, person: Person, type: 'team_join' | 'user_change'): void {
  forEachApp(site, (app) => {
    const user = buildUserObject(app, person, true);
    sendEvent(app, type, { user, cache_ts: Math.floor(app.now() / 1000) });
  });
}

/** Changes a person, such as their name, zone or role, or deactivates them, and sends user_change to all apps. */
export function changePerson(site: Site, person: Person, changes: Partial<Omit<Person, 'id'>>): void {
  const changed = { ...person, ...changes };
  storePerson(site, changed);
  notifyApps(site, changed, 'user_change');
}
