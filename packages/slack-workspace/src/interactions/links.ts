import { createHash } from 'node:crypto';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { forEachApp } from '../state/apps.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { sendEvent } from './send-event.ts';

/** The `unfurl_domains` entry of the manifest that an address belongs to. */
export function findUnfurlDomain(site: Site, url: string): string | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  return site.manifest.unfurlDomains.find((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** The link addresses in the text of a message, without duplicates. */
export function findLinks(text: string): string[] {
  const found = [...text.matchAll(/<(https?:[^<>|]+)(?:\|[^<>]*)?>/g)].map(([, url = '']) => url);
  return [...new Set(found.map((url) => url.replaceAll('&amp;', '&')))];
}

/** The form is that of the example in docs.slack.dev, "link_shared". */
export function buildUnfurlId({ channel, ts }: Pick<StoredMessage, 'channel' | 'ts'>): string {
  return `${channel}.${ts}.${createHash('sha256').update(`${channel} ${ts}`).digest('hex')}`;
}

/** Sends link_shared to each app, which gets it also in channels where it isn't a member. */
export function announceLinks(site: Site, channel: Channel, message: StoredMessage): void {
  forEachApp(site, (app) => sendLinkShared(app, channel, message));
}

function sendLinkShared(site: Site, channel: Channel, message: StoredMessage): void {
  const links = findLinks(message.text).flatMap((url) => {
    const domain = findUnfurlDomain(site, url);
    return domain === undefined ? [] : [{ url, domain }];
  });
  if (links.length === 0) return;
  const event = {
    channel: channel.id,
    is_bot_user_member: channel.members.includes(site.state.app.botUserId),
    user: message.user,
    message_ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    unfurl_id: buildUnfurlId(message),
    source: 'conversations_history',
    links,
  };
  sendEvent(site, 'link_shared', event, { channel });
}
