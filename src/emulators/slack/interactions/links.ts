import { createHash } from 'node:crypto';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { eventTs, sendEvent } from './send-event.ts';

/** The domain of the app's manifest under which this address is. */
export function unfurlDomainOf(site: Site, url: string): string | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  return site.manifest.unfurlDomains.find((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** The addresses in the text of a message, without duplicates. */
export function linksIn(text: string): string[] {
  const found = [...text.matchAll(/<(https?:[^<>|]+)(?:\|[^<>]*)?>/g)].map(([, url = '']) => url);
  return [...new Set(found.map((url) => url.replaceAll('&amp;', '&')))];
}

/** Its form is that of docs.slack.dev, "link_shared". */
export function unfurlIdOf({ channel, ts }: Pick<StoredMessage, 'channel' | 'ts'>): string {
  return `${channel}.${ts}.${createHash('sha256').update(`${channel} ${ts}`).digest('hex')}`;
}

/** Announces the links of a message to each app, also where it isn't a member. */
export function announceLinks(site: Site, channel: Channel, message: StoredMessage): void {
  forEachApp(site, (app) => notifyOfLinks(app, channel, message));
}

function notifyOfLinks(site: Site, channel: Channel, message: StoredMessage): void {
  const links = linksIn(message.text).flatMap((url) => {
    const domain = unfurlDomainOf(site, url);
    return domain === undefined ? [] : [{ url, domain }];
  });
  if (links.length === 0) return;
  const event = {
    type: 'link_shared',
    channel: channel.id,
    is_bot_user_member: channel.members.includes(site.state.app.botUserId),
    user: message.user,
    message_ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    unfurl_id: unfurlIdOf(message),
    source: 'conversations_history',
    links,
    event_ts: eventTs(site),
  };
  sendEvent(site, 'link_shared', event, { channel });
}
