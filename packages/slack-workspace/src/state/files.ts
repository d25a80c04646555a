import { escapeText } from '../blocks/returned-text.ts';
import type { Json } from '../json.ts';
import type { Channel, FileEntry } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppByUser, findSitesOfApp, isOrgWide } from './apps.ts';
import { findChannel } from './directory.ts';
import { makeId, makeSecret } from './ids.ts';
import type { StoredFile } from './saved-state.ts';

type PictureSize = Required<Pick<StoredFile, 'width' | 'height'>>;

/** Reads the size of a PNG, GIF or JPEG from its header, in pixels. Undefined for other files. */
export function readPictureSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 24) return undefined;
  if (bytes.toString('latin1', 1, 4) === 'PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.toString('latin1', 0, 3) === 'GIF')
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  return bytes.readUInt16BE(0) === 0xffd8 ? readJpegSize(bytes) : undefined;
}

/** Markers between 0xC0 and 0xCF that aren't a "start of frame", which has the size (ITU-T T.81, table B.1). */
const OTHER_MARKERS = new Set([0xc4, 0xc8, 0xcc]);

function readJpegSize(bytes: Buffer): PictureSize | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && !OTHER_MARKERS.has(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Slack accepts 1 GB. The emulator accepts less, because it receives a file in memory. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** The file types that an image block can show (docs.slack.dev, "Slack file object"). */
const IMAGE_FILE_TYPES = new Set(['png', 'jpg', 'jpeg', 'gif']);

/** Creates a file whose bytes will be uploaded to the address with its ticket. */
export function createPendingFile(
  site: Site,
  about: { name: string; size: number; user: string; altText?: string; snippetType?: string },
): StoredFile {
  const { altText, snippetType, ...rest } = about;
  const file: StoredFile = {
    ...rest,
    id: makeId('F'),
    title: about.name,
    mimetype: findFileType(about.name).mimetype,
    madeAt: site.now(),
    ticket: makeSecret(),
    shares: [],
    ...(altText === undefined ? {} : { altText }),
    ...(snippetType === undefined
      ? {}
      : { snippet: { type: snippetType, lines: 0, text: '' }, mimetype: 'text/plain' }),
  };
  site.state.files[file.id] = file;
  site.touch();
  return file;
}

/** Finds a file by its id. Ignores deleted files unless `includesDeleted`. */
export function findFile(site: Site, id: string, includesDeleted = false): StoredFile | undefined {
  const sites = isOrgWide(site) ? findSitesOfApp(site) : [site];
  // An organisation's app can show its files in each of its workspaces.
  const file = sites.find(({ state }) => state.files[id])?.state.files[id];
  return file?.deleted === true && !includesDeleted ? undefined : file;
}

/**
 * Whether the app can read a file: its own, one from a modal, or one in a conversation of the app. Otherwise Slack
 * answers `file_not_found` (PipedreamHQ/pipedream #22031).
 */
export function canReadFile(site: Site, { user, shares }: StoredFile): boolean {
  const bot = site.state.app.botUserId;
  if (user === bot) return true;
  if (shares.length === 0) return findAppByUser(site, user) === undefined;
  return shares.some(({ channel }) => findChannel(site, channel)?.members.includes(bot));
}

/** Finds a file by its url_private, a thumbnail's address or its permalink. */
export function findFileByUrl(site: Site, address: string): StoredFile | undefined {
  const id = /\/files(?:-(?:pri|tmb)\/[A-Z0-9]+-|\/[A-Z0-9]+\/)(F[A-Z0-9]+)\//.exec(address)?.[1];
  return address.startsWith(`${site.url}/`) && id !== undefined ? findFile(site, id) : undefined;
}

/** Stores the uploaded bytes. The upload address is invalid from then on. */
export async function storeFileBytes(site: Site, file: StoredFile, bytes: Buffer): Promise<void> {
  delete file.ticket;
  Object.assign(file, readPictureSize(bytes));
  if (file.snippet) file.snippet = readSnippet(file.snippet.type, bytes);
  await site.fileStore.write(file.id, bytes);
  site.touch();
}

export function completeUpload(site: Site, file: StoredFile, title: string | undefined): void {
  file.completedAt = site.now();
  if (title !== undefined) file.title = title;
  site.touch();
}

/** Before Slack has processed a completed upload, the file has no type and no block can show it. */
export function isProcessed(site: Site, file: StoredFile): boolean {
  return file.completedAt !== undefined && site.now() - file.completedAt >= site.fileProcessingMs;
}

export const isImage = (file: StoredFile): boolean => IMAGE_FILE_TYPES.has(findFileType(file.name).filetype);

/** Stores a file that a person uploads in a form. */
export async function uploadByPerson(
  site: Site,
  user: string,
  name: string,
  bytes: Buffer,
): Promise<StoredFile> {
  const file = createPendingFile(site, { name, size: bytes.length, user });
  await storeFileBytes(site, file, bytes);
  completeUpload(site, file, undefined);
  return file;
}

export function buildFileEntry(file: StoredFile): FileEntry {
  const { id, name, title, mimetype, size, altText } = file;
  const url = `/page/slack-file?id=${id}`;
  return { id, name, title, mimetype, size, url, ...(altText === undefined ? {} : { altText }) };
}

interface FileType {
  /** Slack's name of the type, in the field of the same name. */
  filetype: string;
  mimetype: string;
  prettyType: string;
}

/** Extension → type (docs.slack.dev, "File types"). A selection of common types. */
const FILE_TYPES: Readonly<Record<string, FileType>> = {
  png: { filetype: 'png', mimetype: 'image/png', prettyType: 'PNG' },
  jpg: { filetype: 'jpg', mimetype: 'image/jpeg', prettyType: 'JPEG' },
  jpeg: { filetype: 'jpg', mimetype: 'image/jpeg', prettyType: 'JPEG' },
  gif: { filetype: 'gif', mimetype: 'image/gif', prettyType: 'GIF' },
  webp: { filetype: 'webp', mimetype: 'image/webp', prettyType: 'WebP' },
  svg: { filetype: 'svg', mimetype: 'image/svg+xml', prettyType: 'SVG' },
  mp4: { filetype: 'mp4', mimetype: 'video/mp4', prettyType: 'MPEG 4 Video' },
  mov: { filetype: 'mov', mimetype: 'video/quicktime', prettyType: 'QuickTime Movie' },
  pdf: { filetype: 'pdf', mimetype: 'application/pdf', prettyType: 'PDF' },
  csv: { filetype: 'csv', mimetype: 'text/csv', prettyType: 'CSV' },
  json: { filetype: 'json', mimetype: 'application/json', prettyType: 'JSON' },
  md: { filetype: 'markdown', mimetype: 'text/markdown', prettyType: 'Markdown' },
  txt: { filetype: 'text', mimetype: 'text/plain', prettyType: 'Plain Text' },
  ics: { filetype: 'calendar', mimetype: 'text/calendar', prettyType: 'Calendar' },
  zip: { filetype: 'zip', mimetype: 'application/zip', prettyType: 'Zip' },
};
const BINARY: FileType = { filetype: 'binary', mimetype: 'application/octet-stream', prettyType: 'Binary' };

/** The extension of a file name in lower case, without the dot. Empty without one. */
export const getExtension = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

function findFileType(name: string): FileType {
  const extension = getExtension(name);
  return Object.hasOwn(FILE_TYPES, extension) ? (FILE_TYPES[extension] ?? BINARY) : BINARY;
}

/** Sizes of square thumbnails, which have no `_w` and `_h`. */
const SQUARE_SIZES = [64, 80, 160];
/** Longest sides of the other thumbnails. All pictures have the first, and only larger pictures have the rest. */
const THUMBNAIL_SIDES = [360, 480, 720, 800, 960, 1024];

/** Addresses of thumbnails, as in the file_share messages of slackapi/bolt-python's tests. */
function buildThumbsPart(file: StoredFile, address: string): Json {
  const { width, height } = file;
  if (width === undefined || height === undefined) return {};
  const longestSide = Math.max(width, height);
  const sides = THUMBNAIL_SIDES.filter((side, index) => index === 0 || side < longestSide);
  const shorten = (length: number, side: number) =>
    Math.max(1, Math.floor(length * Math.min(1, side / longestSide)));
  return {
    media_display_type: 'unknown',
    ...Object.fromEntries([
      ...[...SQUARE_SIZES, ...sides].map((size) => [
        `thumb_${size}`,
        address.replace(/(\.\w+)?$/, `_${size}$1`),
      ]),
      ...sides.flatMap((side) => [
        [`thumb_${side}_w`, shorten(width, side)],
        [`thumb_${side}_h`, shorten(height, side)],
      ]),
    ]),
    original_w: width,
    original_h: height,
  };
}

/** The messages that show a file, by channel (docs.slack.dev/reference/objects/file-object, "shares"). */
function buildSharesPart(site: Site, file: StoredFile): Json {
  const kinds = { public: new Map<string, Json[]>(), private: new Map<string, Json[]>() };
  for (const { channel: id, ts } of file.shares) {
    const channel = findChannel(site, id);
    const message = site.state.messages[id]?.find((one) => one.ts === ts);
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

function buildUrlsPart(site: Site, file: StoredFile): Json {
  const { id: team } = site.state.team;
  const name = file.name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '_');
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

/** The number of lines in the preview of a snippet. */
const PREVIEW_LINES = 5;

/** The fields of a snippet, with its preview (docs.slack.dev/reference/objects/file-object). */
function buildSnippetPart({ snippet }: StoredFile, permalink: string): Json {
  if (!snippet) return {};
  const lines = snippet.text.split('\n');
  const preview = lines.slice(0, PREVIEW_LINES);
  const code = preview.map((line) => `<div><pre>${escapeText(line)}</pre></div>`).join('\n');
  return {
    mode: 'snippet',
    editable: true,
    edit_link: `${permalink}/edit`,
    preview: preview.join('\n'),
    preview_highlight: `<div class="CodeMirror cm-s-default CodeMirrorServer">\n<div class="CodeMirror-code">\n${code}\n</div>\n</div>\n`,
    lines: snippet.lines,
    lines_more: Math.max(0, snippet.lines - PREVIEW_LINES),
    preview_is_truncated: snippet.lines > PREVIEW_LINES,
  };
}

/** Reads the lines that a snippet's preview needs. */
function readSnippet(type: string, bytes: Buffer): NonNullable<StoredFile['snippet']> {
  const lines = bytes.toString('utf8').split('\n');
  return { type, lines: lines.length, text: lines.slice(0, PREVIEW_LINES).join('\n') };
}
