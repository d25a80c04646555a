import type { Json } from '../json.ts';
import type { Site } from '../site.ts';
import { fileKind } from './file-kinds.ts';
import { fileById, isImage, isProcessed } from './files.ts';
import type { StoredFile } from './saved-state.ts';

/** The name as it stands in an address. */
function nameInAddress(file: StoredFile): string {
  return file.name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '_');
}

function addresses(site: Site, file: StoredFile): Json {
  const { id: team } = site.state.team;
  const name = nameInAddress(file);
  const home = `${site.url}/files-pri/${team}-${file.id}`;
  return {
    url_private: `${home}/${name}`,
    url_private_download: `${home}/download/${name}`,
    permalink: `${site.url}/files/${file.user}/${file.id}/${name}`,
    permalink_public: `${site.url}/public/${team}-${file.id}`,
    // One size for all: nothing here makes smaller pictures.
    ...(isImage(file) ? { thumb_360: `${home}/${name}`, thumb_720: `${home}/${name}` } : {}),
  };
}

/** A file as Slack shows it to an app. Until it was looked through, its type is not known. */
export function fileObject(site: Site, file: StoredFile): Json {
  const seconds = Math.floor(file.madeAt / 1000);
  const processed = isProcessed(site, file);
  const { filetype, prettyType } = fileKind(file.name);
  const inPublic = file.shares.some((share) => share.channel.startsWith('C'));
  const sharedIn = (kind: string) => [
    ...new Set(file.shares.map((share) => share.channel).filter((channel) => channel.startsWith(kind))),
  ];
  return {
    id: file.id,
    created: seconds,
    timestamp: seconds,
    name: file.name,
    title: file.title,
    mimetype: processed ? file.mimetype : '',
    filetype: processed ? filetype : '',
    pretty_type: processed ? prettyType : '',
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
    ...addresses(site, file),
    comments_count: 0,
    channels: sharedIn('C'),
    groups: [],
    ims: sharedIn('D'),
    has_rich_preview: false,
    file_access: 'visible',
  };
}

/** The files of a message; of a deleted one only the trace is left. */
export function fileObjects(site: Site, ids: readonly string[]): Json[] {
  return ids.map((id) => {
    const file = fileById(site, id);
    return file ? fileObject(site, file) : { id, mode: 'tombstone' };
  });
}
