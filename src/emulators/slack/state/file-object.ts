import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannel } from './directory.ts';
import { sharesPart, thumbsPart } from './file-parts.ts';
import { findFileType } from './file-types.ts';
import { findFile, isImage, isProcessed } from './files.ts';
import type { StoredFile } from './saved-file.ts';
import { snippetPart } from './snippet.ts';

/** The name as it stands in an address. */
function fileNameInUrl(file: StoredFile): string {
  return file.name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '_');
}

function urlsPart(site: Site, file: StoredFile): Json {
  const { id: team } = site.state.team;
  const name = fileNameInUrl(file);
  const home = `${site.url}/files-pri/${team}-${file.id}`;
  const permalink = `${site.url}/files/${file.user}/${file.id}/${name}`;
  return {
    url_private: `${home}/${name}`,
    url_private_download: `${home}/download/${name}`,
    permalink,
    permalink_public: `${site.url}/public/${team}-${file.id}`,
    ...(isImage(file) ? thumbsPart(file, `${site.url}/files-tmb/${team}-${file.id}/${name}`) : {}),
    ...snippetPart(file, permalink),
  };
}

/** Slack's names of a type. Those of a snippet come with its upload. */
function typePart(file: StoredFile): Json {
  const { mimetype, snippet } = file;
  const { filetype, prettyType } = findFileType(file.name);
  if (!snippet) return { mimetype, filetype, pretty_type: prettyType };
  if (['auto', 'text'].includes(snippet.type))
    return { mimetype, filetype: 'text', pretty_type: 'Plain Text' };
  const [first = '', ...rest] = snippet.type;
  return { mimetype, filetype: snippet.type, pretty_type: `${first.toUpperCase()}${rest.join('')}` };
}

/** A file as Slack shows it in messages and forms. Until it was looked through, its type is not known. */
export function fileObject(site: Site, file: StoredFile): Json {
  const seconds = Math.floor(file.madeAt / 1000);
  const inPublic = file.shares.some((share) => findChannel(site, share.channel)?.kind === 'public');
  return {
    id: file.id,
    created: seconds,
    timestamp: seconds,
    name: file.name,
    title: file.title,
    ...(isProcessed(site, file) ? typePart(file) : { mimetype: '', filetype: '', pretty_type: '' }),
    user: file.user,
    user_team: site.state.team.id,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: inPublic,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    ...(file.altText === undefined ? {} : { alt_txt: file.altText }),
    ...urlsPart(site, file),
    has_rich_preview: false,
    file_access: 'visible',
  };
}

/** A file as files.info shows it, with the conversations that it is shared in. */
export function fileInfo(site: Site, file: StoredFile): Json {
  const sharedIn = (...kinds: Channel['kind'][]) => {
    const ids = new Set(file.shares.map((share) => share.channel));
    return [...ids].filter((id) => kinds.some((kind) => findChannel(site, id)?.kind === kind));
  };
  return {
    ...fileObject(site, file),
    comments_count: 0,
    is_starred: false,
    shares: sharesPart(site, file),
    has_more_shares: false,
    channels: sharedIn('public'),
    groups: sharedIn('private', 'mpim'),
    ims: sharedIn('im'),
  };
}

/** The files of a message; of a deleted one only the trace is left. */
export function fileObjects(site: Site, ids: readonly string[]): Json[] {
  return ids.map((id) => {
    const file = findFile(site, id);
    return file ? fileObject(site, file) : { id, mode: 'tombstone' };
  });
}
