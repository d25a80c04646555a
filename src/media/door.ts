import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { MEDIA_TYPES } from '../posts/media-reference.ts';
import type { Log } from '../slack/log.ts';
import { type StoredMedia, TOKEN } from './media-store.ts';

export const MEDIA_PATH = '/media/';

/** Files that are read at the same time. Each takes the memory of two chunks. */
const MAX_READERS = 40;
/** A reader that takes nothing for this long loses its connection. */
const IDLE_TIMEOUT_MS = 30_000;

interface DoorOptions {
  find(token: string): Promise<StoredMedia | undefined>;
  read(file: StoredMedia, range: { start: number; end: number }): AsyncIterable<Buffer>;
  log: Log;
}

/**
 * Creates the door: it serves a file to everybody who knows its address, because the scheduling service has no account
 * here. There is no list of files. Only pictures and videos are stored, and the server's headers forbid scripts, frames
 * and guesses of another type.
 */
export function createDoor({ find, read, log }: DoorOptions) {
  let readers = 0;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return end(response, 405, { allow: 'GET, HEAD' });
    if (readers >= MAX_READERS) return end(response, 503, { 'retry-after': '5' });
    readers += 1;
    try {
      const file = await findRequested(request, find);
      if (!file) return end(response, 404);
      const { bytes, type } = file.facts;
      const range = parseRange(request.headers.range, bytes);
      const headers = {
        'accept-ranges': 'bytes',
        'content-disposition': `inline; filename="${file.id.slice(0, 12)}.${MEDIA_TYPES[type].extension}"`,
        etag: `"${file.id}"`,
      };
      if (range === 'unsatisfiable')
        return end(response, 416, { ...headers, 'content-range': `bytes */${bytes}` });
      const { start, end: after } = range ?? { start: 0, end: bytes };
      response.writeHead(range ? 206 : 200, {
        ...headers,
        'content-type': type,
        'content-length': after - start,
        ...(range && { 'content-range': `bytes ${start}-${after - 1}/${bytes}` }),
      });
      if (request.method === 'HEAD') {
        response.end();
        return;
      }
      response.setTimeout(IDLE_TIMEOUT_MS, () => response.destroy());
      await pipeline(read(file, { start, end: after }), response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else end(response, 500);
      // The reader has gone away.
      const isAborted =
        error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
      if (!isAborted) log.warn({ err: error }, 'could not serve a media file');
    } finally {
      readers -= 1;
    }
  };
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...headers, 'content-length': 0 }).end();
}

async function findRequested({ url = '' }: IncomingMessage, find: DoorOptions['find']) {
  const [path = ''] = url.slice(MEDIA_PATH.length).split('?');
  const [token = ''] = path.split('.');
  return TOKEN.test(token) ? find(token) : undefined;
}

/**
 * Parses a Range header with one range (RFC 9110, 14.2). Undefined if all of the file is to be sent: without a range, and
 * with several, which a server may ignore.
 */
function parseRange(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  return start < end ? { start, end } : 'unsatisfiable';
}
