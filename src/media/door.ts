import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { getClient } from '../clients.ts';
import { createPlaces } from '../places.ts';
import { MEDIA_TYPES } from '../posts/media-reference.ts';
import type { Log } from '../slack/log.ts';
import { createStrangerQueries, type StrangerQueries, TooManyQueries } from '../stranger-queries.ts';
import { type StoredMedia, TOKEN } from './media-store.ts';

export const MEDIA_PATH = '/media/';

/** Files that are read at the same time. Each takes the memory of two chunks. */
const MAX_READERS = 40;
/** A reader that takes longer for a chunk of 64 KiB loses its connection. */
const MAX_CHUNK_MS = 15_000;
/** A reader that takes longer for a chunk gives way to others if there are too many. */
const MAX_PATIENCE_MS = 1_000;
interface DoorOptions {
  find(token: string): Promise<StoredMedia | undefined>;
  read(file: StoredMedia, range: { start: number; end: number }): AsyncIterable<Buffer>;
  log: Log;
  /** Runs the queries of all strangers. Defaults to those of this door. */
  queryForStranger?: StrangerQueries | undefined;
  /** Defaults to MAX_READERS. */
  maxReaders?: number | undefined;
  /** Defaults to MAX_CHUNK_MS. */
  maxChunkMs?: number | undefined;
  /** Defaults to MAX_PATIENCE_MS. */
  maxPatienceMs?: number | undefined;
}

/**
 * Creates the door: it serves a file to everybody who knows its address, because the scheduling service has no account
 * here. There is no list of files. Only pictures and videos are stored, and the server's headers forbid scripts, frames
 * and guesses of another type.
 */
export function createDoor(options: DoorOptions) {
  const { find, read, log, maxChunkMs = MAX_CHUNK_MS, maxPatienceMs = MAX_PATIENCE_MS } = options;
  const readers = createPlaces(options.maxReaders ?? MAX_READERS);
  const { queryForStranger: query = createStrangerQueries() } = options;
  async function sendFile(
    { request, response }: { request: IncomingMessage; response: ServerResponse },
    { file, range, status, headers }: Selection,
  ): Promise<void> {
    let askedAt = performance.now();
    const timer = setTimeout(() => response.destroy(), maxChunkMs);
    const place = readers.enter({
      // A file with many readers delays nobody who reads the files of other workspaces.
      keys: [`address ${getClient(request).address}`, `workspace ${file.workspace}`],
      isIdle: () => performance.now() - askedAt > maxPatienceMs,
      evict: () => (response.headersSent ? response.destroy() : end(response, 503, { 'retry-after': '5' })),
    });
    async function* readInPace() {
      const chunks = read(file, range)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await query(request, () => chunks.next());
          if (done) return;
          askedAt = performance.now();
          timer.refresh();
          yield value;
        }
      } finally {
        // The reader may have gone away.
        await chunks.return?.();
      }
    }
    try {
      // There was no place.
      if (response.headersSent) return;
      response.writeHead(status, headers);
      await pipeline(readInPace(), response);
    } finally {
      clearTimeout(timer);
      place.leave();
    }
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return end(response, 405, { allow: 'GET, HEAD' });
    try {
      const [token, ending] = parseName(request);
      const file = TOKEN.test(token) ? await query(request, () => find(token)) : undefined;
      if (!file) return end(response, 404);
      const { bytes, type } = file.facts;
      const { extension } = MEDIA_TYPES[type];
      if (ending !== undefined && ending !== extension) return end(response, 404);
      const range = parseRange(request.headers.range, bytes);
      const headers = {
        'accept-ranges': 'bytes',
        'content-disposition': `inline; filename="${file.id.slice(0, 12)}.${extension}"`,
        etag: `"${file.id}"`,
      };
      if (range === 'unsatisfiable')
        return end(response, 416, { ...headers, 'content-range': `bytes */${bytes}` });
      const { start, end: after } = range ?? { start: 0, end: bytes };
      const selection = {
        file,
        range: { start, end: after },
        status: range ? 206 : 200,
        headers: {
          ...headers,
          'content-type': type,
          'content-length': String(after - start),
          ...(range && { 'content-range': `bytes ${start}-${after - 1}/${bytes}` }),
        },
      };
      if (request.method === 'HEAD') response.writeHead(selection.status, selection.headers).end();
      else await sendFile({ request, response }, selection);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (error instanceof TooManyQueries) return end(response, 503, { 'retry-after': '5' });
      else end(response, 500);
      // The reader has gone away.
      const isAborted =
        error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
      if (!isAborted) log.warn({ err: error }, 'could not serve a media file');
    }
  };
}

interface Selection {
  file: StoredMedia;
  range: { start: number; end: number };
  status: number;
  headers: Record<string, string>;
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...headers, 'content-length': 0 }).end();
}

/** Splits the name of a file into its unguessable part and its ending, if it has one. */
function parseName({ url = '' }: IncomingMessage): [token: string, ending?: string] {
  const [name = ''] = url.slice(MEDIA_PATH.length).split('?');
  const [token = '', ...endings] = name.split('.');
  return endings.length === 0 ? [token] : [token, endings.join('.')];
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
