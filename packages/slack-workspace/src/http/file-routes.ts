import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findAppByUser, getHolder } from '../state/apps.ts';
import { findPerson } from '../state/directory.ts';
import {
  buildFileEntry,
  buildFileObject,
  canReadFile,
  findFile,
  findFileByUrl,
  MAX_FILE_BYTES,
  storeFileBytes,
  uploadByPerson,
} from '../state/files.ts';
import { requireScope } from '../state/grants.ts';
import type { StoredFile } from '../state/saved-state.ts';
import { recordCall } from '../traffic/record-call.ts';
import { requireToken } from '../web-api/caller.ts';
import { answer, answerJson, type HttpCall, readBytes } from './answer.ts';
import { hasPageAccess, isOriginOurs } from './page-access.ts';

/** Types that browsers may show. They download other types. */
const SHOWN_TYPES = /^image\/(png|jpeg|gif|webp)$|^video\/(mp4|quicktime)$/;

/** The size of a form without its file. */
const MAX_FORM_OVERHEAD = 64 * 1024;

async function sendFile(site: Site, response: ServerResponse, file: StoredFile, download: boolean) {
  const bytes = await site.fileStore.read(file.id);
  if (!bytes) return answer(response, 404, 'Not found');
  const inline = SHOWN_TYPES.test(file.mimetype) && !download;
  answer(response, 200, bytes, {
    'Content-Type': file.mimetype,
    'Content-Disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    // A file with scripts must not act as a page of this workspace.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
}

/** `GET /page/slack-file?id=F…` or `?url=…`, for the page, without a token. `&download` saves the file. */
export async function servePageSlackFile({ site, response, url }: HttpCall): Promise<void> {
  const id = url.searchParams.get('id');
  const file = id === null ? findFileByUrl(site, url.searchParams.get('url') ?? '') : findFile(site, id);
  if (!file) return answer(response, 404, 'Not found');
  return sendFile(site, response, file, url.searchParams.has('download'));
}

function mayRead(site: Site, request: IncomingMessage, file: StoredFile | undefined): boolean {
  // Browsers add this header to requests of the workspace's own page only.
  const isPage = request.headers['sec-fetch-site'] === 'same-origin';
  if (isPage && hasPageAccess(request, site.slack.pageToken)) return true;
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  try {
    const grant = requireToken(site.slack, 'bot', token, site.now());
    const app = site.apps.find((each) => getHolder(each) === grant?.holder);
    if (!app) return false;
    requireScope(app, ['files:read']);
    return file === undefined || canReadFile(app, file);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Whether this is the address of a thumbnail that the file doesn't have. */
function isMissingThumbnail(site: Site, file: StoredFile, address: string): boolean {
  return address.includes('/files-tmb/') && !Object.values(buildFileObject(site, file)).includes(address);
}

/** `url_private`, `url_private_download` and thumbnails, which are the original. Redirects strangers, as Slack does. */
export async function serveUrlPrivate({ site, request, response, url }: HttpCall): Promise<void> {
  const address = `${site.url}${url.pathname}`;
  const file = findFileByUrl(site, address);
  if (!mayRead(site, request, file))
    return answer(response, 302, '', { Location: `/?redir=${encodeURIComponent(url.pathname)}` });
  if (!file || isMissingThumbnail(site, file, address)) return answer(response, 404, 'Not found');
  return sendFile(site, response, file, url.pathname.includes('/download/'));
}

/** Reads the file in a form, which Slack's SDKs send, or the plain body. */
async function readUpload(request: IncomingMessage): Promise<Buffer | undefined> {
  const type = request.headers['content-type'] ?? '';
  const body = await readBytes(request, MAX_FILE_BYTES + MAX_FORM_OVERHEAD);
  if (!type.startsWith('multipart/form-data')) return body;
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => undefined);
  for (const [, value] of form ?? []) {
    if (typeof value !== 'string') return Buffer.from(await value.arrayBuffer());
  }
  return undefined;
}

/** `POST /upload/v1/<ticket>`: receives the bytes of a file after files.getUploadURLExternal. Works once. */
export async function serveUpload({ site, request, response }: HttpCall, ticket: string): Promise<void> {
  const file = Object.values(site.state.files).find((entry) => entry.ticket === ticket);
  if (!file) return answer(response, 404, 'Not found');
  const { id, name, size } = file;
  const result = await recordCall(
    findAppByUser(site, file.user) ?? site,
    { kind: 'upload', label: name, payload: { file: id, size } },
    async () => {
      const bytes = await readUpload(request);
      if (bytes?.length !== size)
        return { status: 400, body: 'The length differs from that of files.getUploadURLExternal' };
      await storeFileBytes(site, file, bytes);
      return { status: 200, body: `OK - ${size}` };
    },
  );
  if (result) answer(response, result.status, String(result.body));
}

/** `POST /page/files?person=…&name=…`: receives the bytes of a person's file for a modal. */
export async function servePageUpload({ site, request, response, url }: HttpCall): Promise<void> {
  if (!isOriginOurs(request)) return answer(response, 403, 'This page may not do that.');
  const person = findPerson(site, url.searchParams.get('person') ?? '');
  const name = url.searchParams.get('name') ?? '';
  if (!person || name === '') return answerJson(response, 400, { ok: false, error: 'invalid_arguments' });
  const bytes = await readBytes(request, MAX_FILE_BYTES);
  if (bytes.length === 0) return answerJson(response, 400, { ok: false, error: 'file_empty' });
  const file = await uploadByPerson(site, person.id, name, bytes);
  answerJson(response, 200, { ok: true, file: buildFileEntry(file) });
}
