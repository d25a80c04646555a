import type { Json } from '../json.ts';
import type { Site } from '../site.ts';
import { findChannel } from './directory.ts';
import { listThumbnailSizes, SQUARE_SIZES } from './draw-thumbnail.ts';
import { findMessage } from './messages.ts';
import type { StoredFile } from './saved-file.ts';

/** Addresses of thumbnails, as in the file_share messages of slackapi/bolt-python's tests. */
export function buildThumbsPart(file: StoredFile, address: string): Json {
  const { width, height } = file;
  if (width === undefined || height === undefined) return {};
  const thumbUrl = (size: number) => address.replace(/(\.\w+)?$/, `_${size}$1`);
  const squares = SQUARE_SIZES.map((size) => [`thumb_${size}`, thumbUrl(size)]);
  const others = [...listThumbnailSizes(file)].flatMap(([side, thumbnail]) => [
    [`thumb_${side}`, thumbUrl(side)],
    [`thumb_${side}_w`, thumbnail.width],
    [`thumb_${side}_h`, thumbnail.height],
  ]);
  return {
    media_display_type: 'unknown',
    ...Object.fromEntries([...squares, ...others]),
    original_w: width,
    original_h: height,
  };
}

/** The messages that show a file, by channel (docs.slack.dev/reference/objects/file-object, "shares"). */
export function buildSharesPart(site: Site, file: StoredFile): Json {
  const kinds = { public: new Map<string, Json[]>(), private: new Map<string, Json[]>() };
  for (const { channel: id, ts } of file.shares) {
    const channel = findChannel(site, id);
    const message = findMessage(site, id, ts);
    if (!channel || !message) continue;
    const shares = kinds[channel.kind === 'public' ? 'public' : 'private'];
    const { threadTs, replyUsers = [], replyCount = 0, latestReply } = message;
    const share = {
      reply_users: replyUsers,
      reply_users_count: replyUsers.length,
      reply_count: replyCount,
      ts,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      ...(latestReply === undefined ? {} : { latest_reply: latestReply }),
      channel_name: channel.kind === 'im' ? '' : channel.name,
      team_id: site.state.team.id,
      share_user_id: message.user,
      source: 'UNKNOWN',
    };
    shares.set(id, [...(shares.get(id) ?? []), share]);
  }
  const filled = Object.entries(kinds).filter(([, shares]) => shares.size > 0);
  return Object.fromEntries(filled.map(([kind, shares]) => [kind, Object.fromEntries(shares)]));
}
