import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import { storePerson } from '../state/team-changes.ts';
import { buildUserObject } from '../state/user-object.ts';
import { makeEventTs, sendEvent } from './send-event.ts';

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
