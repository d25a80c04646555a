import type { AppManifest } from '../app-manifest.ts';
import type { Person } from '../protocol.ts';

/** The id of the first app in all workspaces. */
export const FIRST_APP_ID = 'A01UPNEXTA';

/** Creates the app's bot user with this user id. */
export function buildBotUser(manifest: AppManifest, id: string): Person {
  return {
    id,
    name: manifest.botName.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    realName: manifest.botName,
    tz: 'America/Los_Angeles',
    locale: 'en-US',
    role: 'member',
    isBot: true,
    color: '#d9a21b',
  };
}
