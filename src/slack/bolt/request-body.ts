import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

/** Slack's largest payload, a view of 250 KB, escaped for a form. */
const BODY_LIMIT = 1024 * 1024;

const FORM = 'application/x-www-form-urlencoded';
/** Everything that a person did comes as a form, events as JSON. */
const TYPES = [FORM, 'application/json'];

/** Undefined where Slack would not send it so. Bolt refuses a form that names its charset, which changes nothing. */
export function bodyType({ headers }: IncomingMessage): string | undefined {
  // The signature is one of the bytes as they come: what was packed would be read as something else.
  if (headers['content-encoding'] !== undefined) return undefined;
  const [, type = ''] = /^([^;]+)(?:;\s*charset="?utf-8"?\s*)?$/i.exec(headers['content-type'] ?? '') ?? [];
  const plain = type.trim().toLowerCase();
  return TYPES.includes(plain) ? plain : undefined;
}

/** Of all bodies that are coming in: until one is whole, anybody may have sent it. */
const MAX_INCOMING_BYTES = 64 * 1024 * 1024;

/**
 * Reads bodies. Undefined beyond the limit of one, and where the sender has hung up; `busy` where all bodies together
 * would take more than `maxBytes`.
 */
export function bodyReader(maxBytes = MAX_INCOMING_BYTES) {
  let incoming = 0;
  return async (request: IncomingMessage): Promise<Buffer | 'busy' | undefined> => {
    if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return undefined;
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
        if (size > BODY_LIMIT) settle(undefined);
        else if (incoming > maxBytes) settle('busy');
      };
      request.on('data', take);
      request.once('end', () => settle(Buffer.concat(chunks)));
      // After the end it says nothing new.
      request.once('error', () => settle(undefined));
      request.once('close', () => settle(undefined));
    });
  };
}

/** Slack looks at the certificate with an unsigned `ssl_check=1&token=…`. With anything more it is no such look. */
export function isCertificateCheck(type: string, body: Buffer): boolean {
  if (type !== FORM || body.length > 300 || !body.includes('ssl_check')) return false;
  const fields = new URLSearchParams(body.toString());
  const names = [...fields.keys()];
  return fields.get('ssl_check') === '1' && names.every((name) => name === 'ssl_check' || name === 'token');
}

/** A field named `payload`, or one whose name is escaped. Parsing a command would cost a tenth of all its CPU time. */
const MAY_HAVE_PAYLOAD = /(?:^|&)(?:payload(?:[=&]|$)|[^=&]*%)/;

/**
 * What kind of thing is asked for, e.g. `block_actions` or `event_callback app_mention`; '' for a command. Undefined
 * where it cannot be read: Bolt's receiver ends the process with an unhandled rejection over a payload that is `null`.
 */
export function payloadKind(type: string, body: Buffer): string | undefined {
  const text = body.toString();
  if (type === FORM && !MAY_HAVE_PAYLOAD.test(text)) return '';
  // Read as Bolt reads it.
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
