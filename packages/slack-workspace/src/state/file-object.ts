import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannel } from './directory.ts';
import { listThumbnailSizes, SQUARE_SIZES } from './draw-thumbnail.ts';
import { findFile, findFileType, isImage, isProcessed } from './files.ts';
import { findMessage } from './messages.ts';
import type { StoredFile } from './saved-state.ts';
import { buildSnippetPart } from './snippet.ts';

/** Addresses of thumbnails, as in the file_share messages of slackapi/bolt-python's tests. */
function buildThumbsPart(file: StoredFile, address: string): Json {
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
function buildSharesPart(site: Site, file: StoredFile): Json {
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

function buildFileNameInUrl(file: StoredFile): string {
  return file.name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '_');
}

function buildUrlsPart(site: Site, file: StoredFile): Json {
  const { id: team } = site.state.team;
  const name = buildFileNameInUrl(file);
  const base = `${site.url}/files-pri/${team}-${file.id}`;
  const permalink = `${site.url}/files/${file.user}/${file.id}/${name}`;
  return {
    url_private: `${base}/${name}`,
    url_private_download: `${base}/download/${name}`,
    permalink,
    permalink_public: `${site.url}/public/${team}-${file.id}`,
    ...(isImage(file) ? buildThumbsPart(file, `${site.url}/files-tmb/${team}-${file.id}/${name}`) : {}),
    ...buildSnippetPart(file, permalink),
  };
}

/** The type of a file. The type of a snippet comes from its upload. */
function buildTypePart(file: StoredFile): Json {
  const { mimetype, snippet } = file;
  const { filetype, prettyType } = findFileType(file.name);
  if (!snippet) return { mimetype, filetype, pretty_type: prettyType };
  if (['auto', 'text'].includes(snippet.type))
    return { mimetype, filetype: 'text', pretty_type: 'Plain Text' };
  const [first = '', ...rest] = snippet.type;
  return { mimetype, filetype: snippet.type, pretty_type: `${first.toUpperCase()}${rest.join('')}` };
}

/** A file in Slack's own shape, as in messages and forms. Its type is empty until Slack has processed it. */
export function buildFileObject(site: Site, file: StoredFile): Json {
  const seconds = Math.floor(file.madeAt / 1000);
  const isPublic = file.shares.some((share) => findChannel(site, share.channel)?.kind === 'public');
  return {
    id: file.id,
    created: seconds,
    timestamp: seconds,
    name: file.name,
    title: file.title,
    ...(isProcessed(site, file) ? buildTypePart(file) : { mimetype: '', filetype: '', pretty_type: '' }),
    user: file.user,
    user_team: site.state.team.id,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: isPublic,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    ...(file.altText === undefined ? {} : { alt_txt: file.altText }),
    ...buildUrlsPart(site, file),
    has_rich_preview: false,
    file_access: 'visible',
  };
}

/** A file in the shape of files.info, with the conversations where it is shared. */
export function buildFileInfo(site: Site, file: StoredFile): Json {
  const findChannels = (...kinds: Channel['kind'][]) => {
    const ids = new Set(file.shares.map((share) => share.channel));
    return [...ids].filter((id) => kinds.some((kind) => findChannel(site, id)?.kind === kind));
  };
  return {
    ...buildFileObject(site, file),
    comments_count: 0,
    is_starred: false,
    shares: buildSharesPart(site, file),
    has_more_shares: false,
    channels: findChannels('public'),
    groups: findChannels('private', 'mpim'),
    ims: findChannels('im'),
  };
}

/** The files of a message. A deleted file leaves a tombstone. */
export function buildFileObjects(site: Site, ids: readonly string[]): Json[] {
  return ids.map((id) => {
    const file = findFile(site, id);
    return file ? buildFileObject(site, file) : { id, mode: 'tombstone' };
  });
}
