import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannel } from './directory.ts';
import { buildSharesPart, buildThumbsPart } from './file-parts.ts';
import { findFileType } from './file-types.ts';
import { findFile, isImage, isProcessed } from './files.ts';
import type { StoredFile } from './saved-file.ts';
import { buildSnippetPart } from './snippet.ts';

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
