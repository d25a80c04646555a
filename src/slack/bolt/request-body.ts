import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

/** Enough for Slack's largest payload, a view of 250 KB, in form encoding. */
const MAX_BODY_BYTES = 1024 * 1024;

const FORM = 'application/x-www-form-urlencoded';
/** Slack sends events as JSON and everything else as a form. */
const TYPES = [FORM, 'application/json'];

/**
 * The media type without parameters. Undefined if Slack doesn't send such a type. A charset is accepted, because it
 * changes nothing, although Bolt refuses forms with a charset.
 */
export function bodyType({ headers }: IncomingMessage): string | undefined {
  // The signature covers the raw bytes, but Bolt would read the decoded ones.
  if (headers['content-encoding'] !== undefined) return undefined;
  const [, type = ''] = /^([^;]+)(?:;\s*charset="?utf-8"?\s*)?$/i.exec(headers['content-type'] ?? '') ?? [];
  const plain = type.trim().toLowerCase();
  return TYPES.includes(plain) ? plain : undefined;
}

/** Limit for all incoming bodies together: until a body is complete, its sender isn't verified. */
const MAX_INCOMING_BYTES = 64 * 1024 * 1024;

/**
 * Reads bodies. Returns undefined if a body is too large or the sender disconnects, and `busy` if all incoming bodies
 * together would exceed `maxBytes`.
 */
export function createBodyReader(maxBytes = MAX_INCOMING_BYTES) {
  let incoming = 0;
  return async (request: IncomingMessage): Promise<Buffer | 'busy' | undefined> => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const settle = (body: Buffer | 'busy' | undefined) => {
        incoming -= size;
        size = 0;
        request.off('data', take);
        request.pause();
        resolve(body);
      };
      const take = (chunk: Buffer) => {
        size += chunk.length;
        incoming += chunk.length;
        chunks.push(chunk);
        if (size > MAX_BODY_BYTES) settle(undefined);
        else if (incoming > maxBytes) settle('busy');
      };
      request.on('data', take);
      request.once('end', () => settle(Buffer.concat(chunks)));
      // After `end` these have no effect.
      request.once('error', () => settle(undefined));
      request.once('close', () => settle(undefined));
    });
  };
}

/** Slack checks the certificate with an unsigned `ssl_check=1&token=…`. A request with other fields isn't a check. */
export function isCertificateCheck(type: string, body: Buffer): boolean {
  if (type !== FORM || body.length > 300 || !body.includes('ssl_check')) return false;
  const fields = new URLSearchParams(body.toString());
  const names = [...fields.keys()];
  return fields.get('ssl_check') === '1' && names.every((name) => name === 'ssl_check' || name === 'token');
}

/**
 * A field named `payload`, or one with an escaped name. Commands have none: parsing them would take a tenth of their
 * CPU time.
 */
const MAY_HAVE_PAYLOAD = /(?:^|&)(?:payload(?:[=&]|$)|[^=&]*%)/;

/**
 * The kind of a request, e.g. `block_actions` or `event_callback app_mention`; '' for a command. Undefined if the
 * payload is unreadable: a payload of `null` would end the process with an unhandled rejection in Bolt's receiver.
 */
export function payloadKind(type: string, body: Buffer): string | undefined {
  const text = body.toString();
  if (type === FORM && !MAY_HAVE_PAYLOAD.test(text)) return '';
  // The same parser as Bolt's.
  const payload = type === FORM ? parse(text).payload : text;
  if (payload === undefined) return '';
  if (Array.isArray(payload)) return undefined;
  try {
    const read: unknown = JSON.parse(payload);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
    return [typeOf(read), 'event' in read ? typeOf(read.event) : ''].filter(Boolean).join(' ');
  } catch {
    return undefined;
  }
}

function typeOf(value: unknown): string {
  const isTyped = typeof value === 'object' && value !== null && 'type' in value;
  return isTyped && typeof value.type === 'string' ? value.type : '';
}
