import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { openDirectMessage } from '../state/directory.ts';
import { findHome } from '../state/home-tabs.ts';
import { buildViewObject } from '../state/view-object.ts';
import { makeEventTs, sendEvent } from './send-event.ts';

/**
 * Opens the app's Home or Messages tab. Slack sends the event each time, and the view only for Home
 * (docs.slack.dev/reference/events/app_home_opened).
 */
export function openAppTab(site: Site, person: string, tab: 'home' | 'messages'): void {
  // An app has a Home tab only if its manifest enables it (docs.slack.dev/surfaces/app-home).
  if (tab === 'home' && !site.manifest.hasHomeTab) throw new Refusal('not_enabled');
  const home = tab === 'home' ? findHome(site, person) : undefined;
  sendEvent(site, 'app_home_opened', {
    type: 'app_home_opened',
    user: person,
    channel: openDirectMessage(site, person, site.state.app.botUserId).id,
    tab,
    event_ts: makeEventTs(site),
    ...(home ? { view: buildViewObject(site, home) } : {}),
  });
}
