import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { storePerson } from '../state/team-changes.ts';
import { buildUserObject } from '../state/user-object.ts';
import { makeEventTs, sendEvent } from './send-event.ts';

/** Adds a person, who is in no channel yet, and sends team_join to all apps, unless they belong to another workspace. */
export function addPerson(site: Site, person: Person): void {
  storePerson(site, person);
  if (person.from) return;
  forEachApp(site, (app) =>
    sendEvent(app, 'team_join', {
      type: 'team_join',
      user: buildUserObject(app, person, true),
      cache_ts: Math.floor(app.now() / 1000),
      event_ts: makeEventTs(app),
    }),
  );
}

/** Changes a person, such as their name, zone or role, or deactivates them, and sends user_change to all apps. */
export function changePerson(site: Site, person: Person, changes: Partial<Omit<Person, 'id'>>): void {
  const changed = { ...person, ...changes };
  storePerson(site, changed);
  forEachApp(site, (app) =>
    sendEvent(app, 'user_change', {
      type: 'user_change',
      user: buildUserObject(app, changed, true),
      cache_ts: Math.floor(app.now() / 1000),
      event_ts: makeEventTs(app),
    }),
  );
}
