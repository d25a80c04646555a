import { acceptAttachments } from '../interactions/accept-content.ts';
import { buildUnfurlId, findLinks, findUnfurlDomain } from '../interactions/links.ts';
import { updateMessage } from '../interactions/write-message.ts';
import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { canSee, findChannel } from '../state/directory.ts';
import { findMessage, storeMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type Call, type Method, readFlag, readJson, readText } from './call.ts';

const SOURCES = new Set(['composer', 'conversations_history']);

function findVisibleMessage(site: Site, id: string, ts: string): StoredMessage {
  const channel = findChannel(site, id);
  if (!channel || !canSee(site, channel, site.state.app.botUserId)) throw new Refusal('cannot_find_channel');
  const message = findMessage(site, channel.id, ts);
  if (!message || message.ephemeralTo !== undefined) throw new Refusal('cannot_find_message');
  return message;
}

/** Reads the message with the links: by `channel` and `ts`, or by `unfurl_id` and `source`. */
function readLinkedMessage(call: Call): StoredMessage {
  const [channel, ts, id, source] = ['channel', 'ts', 'unfurl_id', 'source'].map((name) =>
    readText(call, name),
  );
  if (id === undefined && source === undefined) {
    if (channel === undefined) throw new Refusal('missing_channel');
    if (ts === undefined) throw new Refusal('missing_ts');
    return findVisibleMessage(call.site, channel, ts);
  }
  if (id === undefined) throw new Refusal('missing_unfurl_id');
  if (source === undefined) throw new Refusal('missing_source');
  if (!SOURCES.has(source)) throw new Refusal('invalid_source');
  const [channelOfId = '', seconds, micros] = id.split('.');
  const message = findMessage(call.site, channelOfId, `${seconds}.${micros}`);
  if (!message || buildUnfurlId(message) !== id) throw new Refusal('invalid_unfurl_id');
  return message;
}

function readUnfurls(call: Call): [url: string, preview: Json][] {
  const unfurls = readJson(call, 'unfurls', 'invalid_unfurls_format');
  if (unfurls === undefined) throw new Refusal('missing_unfurls');
  if (!isRecord(unfurls)) throw new Refusal('invalid_unfurls_format');
  return Object.entries(unfurls).map(([url, preview]) => {
    if (!isRecord(preview)) throw new Refusal('cannot_parse_attachment');
    return [url, preview];
  });
}

function requireUnfurlable(site: Site, message: StoredMessage, url: string): void {
  if (findUnfurlDomain(site, url) === undefined) throw new Refusal('cannot_unfurl_url');
  if (!findLinks(message.text).includes(url)) throw new Refusal('cannot_unfurl_message');
}

/** The invitation to sign in, which only the author of the message sees. Undefined if the app doesn't ask for one. */
function renderSignInText(call: Call): string | undefined {
  const [text, url] = [readText(call, 'user_auth_message'), readText(call, 'user_auth_url')];
  const { name } = call.site.manifest;
  if (text !== undefined) return text;
  if (url !== undefined) return `<${url}|Sign in to ${name}> to show previews of these links.`;
  return readFlag(call, 'user_auth_required')
    ? `Install ${name} to show previews of these links.`
    : undefined;
}

export const chatUnfurl: Method = (call) => {
  const { site } = call;
  const message = readLinkedMessage(call);
  const { channel } = message;
  const invitation = renderSignInText(call);
  if (invitation !== undefined) {
    const to = { channel, ephemeralTo: message.user, user: site.state.app.botUserId };
    storeMessage(site, { ...to, text: invitation });
    if (call.args.unfurls === undefined) return {};
  }
  const unfurls = readUnfurls(call);
  for (const [url] of unfurls) requireUnfurlable(site, message, url);
  const urls = unfurls.map(([url]) => url);
  const others = (message.attachments ?? []).filter(({ from_url: url }) => !urls.includes(String(url)));
  const { app } = site.state;
  const previews = unfurls.map(([url, preview]) => ({
    ...preview,
    from_url: url,
    original_url: url,
    app_unfurl_url: url,
    is_app_unfurl: true,
    app_id: app.id,
    bot_id: app.botId,
  }));
  const attachments = acceptAttachments(site, [...others, ...previews]);
  updateMessage(site, message, { ...message, attachments });
  return {};
};
