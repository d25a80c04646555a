import type { Json } from '../json.ts';
import type { Bookmark, Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { makeId } from '../state/ids.ts';
import { changeChannel } from '../state/team-changes.ts';
import { type Call, type Method, readRequired, readText } from './call.ts';
import { readChannel } from './channel-arguments.ts';

/** For each channel (docs.slack.dev/reference/methods/bookmarks.add, “Usage info”). */
const MAX_BOOKMARKS = 100;

/** Reads a channel that the app is in. It can't change bookmarks elsewhere. */
function readJoinedChannel(call: Call): Channel {
  const channel = readChannel(call, 'channel_id');
  if (!channel.members.includes(call.site.state.app.botUserId)) throw new Refusal('permission_denied');
  return channel;
}

function readLink(call: Call): string | undefined {
  const link = readText(call, 'link');
  if (link !== undefined && !/^https?:\/\/\S+$/i.test(link)) throw new Refusal('invalid_link');
  return link;
}

function readEmoji(call: Call): { emoji?: string } {
  const emoji = readText(call, 'emoji');
  if (emoji === undefined) return {};
  if (!/^:[a-z0-9_+'-]+(::skin-tone-[2-6])?:$/.test(emoji)) throw new Refusal('invalid_emoji');
  return { emoji };
}

/** Returns a rank in letters, in whose alphabetical order clients show bookmarks: `g` to `x`, then `yg` to `yx`. */
function toRank(index: number): string {
  return index < 18 ? String.fromCharCode(103 + index) : `y${toRank(index - 18)}`;
}

function buildBookmarkObject(call: Call, channel: Channel, bookmark: Bookmark): Json {
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
    rank: toRank(Math.max(index, 0)),
    last_updated_by_user_id: bookmark.by,
    last_updated_by_team_id: call.site.state.team.id,
    shortcut_id: null,
    app_id: null,
  };
}

export const bookmarksAdd: Method = (call) => {
  const channel = readJoinedChannel(call);
  const title = readRequired(call, 'title');
  if (readRequired(call, 'type') !== 'link') throw new Refusal('invalid_bookmark_type');
  const link = readLink(call);
  if (link === undefined) throw new Refusal('invalid_link');
  const before = channel.bookmarks ?? [];
  if (before.length >= MAX_BOOKMARKS) throw new Refusal('too_many_bookmarks');
  const added: Bookmark = {
    id: makeId('Bk'),
    title,
    link,
    ...readEmoji(call),
    by: call.site.state.app.botUserId,
    createdAt: call.site.now(),
  };
  changeChannel(call.site, channel, { bookmarks: [...before, added] });
  return { bookmark: buildBookmarkObject(call, channel, added) };
};

function readBookmark(call: Call, channel: Channel): Bookmark {
  const id = readRequired(call, 'bookmark_id');
  const found = channel.bookmarks?.find((bookmark) => bookmark.id === id);
  if (!found) throw new Refusal('not_found');
  return found;
}

export const bookmarksEdit: Method = (call) => {
  const channel = readJoinedChannel(call);
  const before = readBookmark(call, channel);
  const changed: Bookmark = {
    ...before,
    title: readText(call, 'title') ?? before.title,
    link: readLink(call) ?? before.link,
    ...readEmoji(call),
    by: call.site.state.app.botUserId,
    updatedAt: call.site.now(),
  };
  const bookmarks = (channel.bookmarks ?? []).map((each) => (each === before ? changed : each));
  changeChannel(call.site, channel, { bookmarks });
  return { bookmark: buildBookmarkObject(call, channel, changed) };
};

export const bookmarksRemove: Method = (call) => {
  const channel = readJoinedChannel(call);
  const removed = readBookmark(call, channel);
  const bookmarks = (channel.bookmarks ?? []).filter((each) => each !== removed);
  changeChannel(call.site, channel, { bookmarks });
  return {};
};

export const bookmarksList: Method = (call) => {
  const channel = readChannel(call, 'channel_id');
  return { bookmarks: (channel.bookmarks ?? []).map((each) => buildBookmarkObject(call, channel, each)) };
};
