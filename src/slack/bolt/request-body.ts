import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

/** Slack's largest payload is a view of 250 KB, which grows when it is encoded as a form. */
const MAX_BODY_BYTES = 1024 * 1024;

const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Slack sends events as JSON and everything else as a form. */
const MEDIA_TYPES = [FORM_TYPE, 'application/json'];

/**
 * Parses the media type, without parameters. Undefined if Slack doesn't send this type. Accepts `charset=utf-8`, which
 * has no effect.
 */
export function parseMediaType({ headers }: IncomingMessage): string | undefined {
  // Slack doesn't compress its requests.
  if (headers['content-encoding'] !== undefined) return undefined;
  const [, type = ''] = /^([^;]+)(?:;\s*charset="?utf-8"?\s*)?$/i.exec(headers['content-type'] ?? '') ?? [];
  const mediaType = type.trim().toLowerCase();
  return MEDIA_TYPES.includes(mediaType) ? mediaType : undefined;
}

/** Maximum size of all incoming bodies together. The sender of an incomplete body can't be verified yet. */
const MAX_INCOMING_BYTES = 64 * 1024 * 1024;

/**
 * Creates a function that reads the body of a request. It returns undefined if the body is too large or the sender
 * disconnects, and `busy` if all incoming bodies together would exceed `maxBytes`.
 */
export function createBodyReader(maxBytes = MAX_INCOMING_BYTES) {
  let incomingBytes = 0;
  return async (request: IncomingMessage): Promise<Buffer | 'busy' | undefined> => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = (body: Buffer | 'busy' | undefined) => {
        incomingBytes -= size;
        size = 0;
        request.off('data', onData);
        request.pause();
        resolve(body);
      };
      const onData = (chunk: Buffer) => {
        size += chunk.length;
        incomingBytes += chunk.length;
        chunks.push(chunk);
        if (size > MAX_BODY_BYTES) finish(undefined);
        else if (incomingBytes > maxBytes) finish('busy');
      };
      request.on('data', onData);
      request.once('end', () => finish(Buffer.concat(chunks)));
      // These events have no effect after `end`, because the promise is resolved by then.
      request.once('error', () => finish(undefined));
      request.once('close', () => finish(undefined));
    });
  };
}

/** True if Slack checks our certificate: a form with `ssl_check=1&token=…`, without a signature or other fields. */
export function isCertificateCheck(type: string, body: Buffer): boolean {
  if (type !== FORM_TYPE || body.length > 300 || !body.includes('ssl_check')) return false;
  const fields = new URLSearchParams(body.toString());
  const names = [...fields.keys()];
  return fields.get('ssl_check') === '1' && names.every((name) => name === 'ssl_check' || name === 'token');
}

/** Parses the body of a request. Undefined if it is unreadable. */
export function parseBody(type: string, rawBody: Buffer): Record<string, unknown> | undefined {
  const text = rawBody.toString();
  const fields = type === FORM_TYPE ? parse(text) : undefined;
  // A form contains either the fields of a command or a payload.
  const payload = fields ? fields.payload : text;
  if (fields && payload === undefined) return fields;
  if (typeof payload !== 'string') return undefined;
  try {
    const body: unknown = JSON.parse(payload);
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
