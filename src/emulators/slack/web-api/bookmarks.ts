import type { Json } from '../json.ts';
import type { Bookmark, Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { makeId } from '../state/ids.ts';
import { changeChannel } from '../state/team-changes.ts';
import { type Call, type Method, neededArg, textArg } from './call.ts';
import { visibleChannel } from './channel-arg.ts';

/** Bookmarks of one conversation (docs.slack.dev, "bookmarks.add"). */
const MAX_BOOKMARKS = 100;

/** A conversation that the app is in. Nobody changes the bookmarks of another. */
function bookmarkedChannel(call: Call): Channel {
  const channel = visibleChannel(call, 'channel_id');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('permission_denied');
  return channel;
}

function linkArg(call: Call): string | undefined {
  const link = textArg(call, 'link');
  if (link !== undefined && !/^https?:\/\/\S+$/i.test(link)) throw new Refusal('invalid_link');
  return link;
}

function emojiArg(call: Call): { emoji?: string } {
  const emoji = textArg(call, 'emoji');
  if (emoji === undefined) return {};
  if (!/^:[a-z0-9_+'-]+(::skin-tone-[2-6])?:$/.test(emoji)) throw new Refusal('invalid_emoji');
  return { emoji };
}

/** Letters that sort as the bookmarks stand. Slack's own begin in the middle of the alphabet too. */
function rankOf(index: number): string {
  return index < 18 ? String.fromCharCode(103 + index) : `y${rankOf(index - 18)}`;
}

function bookmarkObject(call: Call, channel: Channel, bookmark: Bookmark): Json {
  const index = (channel.bookmarks ?? []).findIndex(({ id }) => id === bookmark.id);
  return {
    id: bookmark.id,
    channel_id: channel.id,
    title: bookmark.title,
    link: bookmark.link,
    emoji: bookmark.emoji ?? null,
    icon_url: new URL('/favicon.ico', bookmark.link).href,
    type: 'link',
    entity_id: null,
    date_created: Math.floor(bookmark.createdAt / 1000),
    date_updated: Math.floor((bookmark.updatedAt ?? 0) / 1000),
    rank: rankOf(Math.max(index, 0)),
    last_updated_by_user_id: bookmark.by,
    last_updated_by_team_id: call.site.state.team.id,
    shortcut_id: null,
    app_id: null,
  };
}

export const bookmarksAdd: Method = (call) => {
  const channel = bookmarkedChannel(call);
  const title = neededArg(call, 'title');
  if (neededArg(call, 'type') !== 'link') throw new Refusal('invalid_bookmark_type');
  const link = linkArg(call);
  if (link === undefined) throw new Refusal('invalid_link');
  const before = channel.bookmarks ?? [];
  if (before.length >= MAX_BOOKMARKS) throw new Refusal('too_many_bookmarks');
  const added: Bookmark = {
    id: makeId('Bk'),
    title,
    link,
    ...emojiArg(call),
    by: call.site.state.app.botUserId,
    createdAt: call.site.now(),
  };
  changeChannel(call.site, channel, { bookmarks: [...before, added] });
  return { bookmark: bookmarkObject(call, channel, added) };
};

function bookmarkArg(call: Call, channel: Channel): Bookmark {
  const id = neededArg(call, 'bookmark_id');
  const found = channel.bookmarks?.find((bookmark) => bookmark.id === id);
  if (!found) throw new Refusal('not_found');
  return found;
}

export const bookmarksEdit: Method = (call) => {
  const channel = bookmarkedChannel(call);
  const before = bookmarkArg(call, channel);
  const changed: Bookmark = {
    ...before,
    title: textArg(call, 'title') ?? before.title,
    link: linkArg(call) ?? before.link,
    ...emojiArg(call),
    by: call.site.state.app.botUserId,
    updatedAt: call.site.now(),
  };
  const bookmarks = (channel.bookmarks ?? []).map((one) => (one === before ? changed : one));
  changeChannel(call.site, channel, { bookmarks });
  return { bookmark: bookmarkObject(call, channel, changed) };
};

export const bookmarksRemove: Method = (call) => {
  const channel = bookmarkedChannel(call);
  const gone = bookmarkArg(call, channel);
  changeChannel(call.site, channel, { bookmarks: (channel.bookmarks ?? []).filter((one) => one !== gone) });
  return {};
};

export const bookmarksList: Method = (call) => {
  const channel = visibleChannel(call, 'channel_id');
  return { bookmarks: (channel.bookmarks ?? []).map((one) => bookmarkObject(call, channel, one)) };
};
