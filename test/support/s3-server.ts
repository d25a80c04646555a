import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnFreePort } from './listening-port.ts';

/**
 * An S3-compatible server with one bucket, `media`. Everybody may get its objects, and only the key's owner may put, delete
 * and list them. It refuses what S3 refuses (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). s3rver,
 * the server of the npm registry, checks neither the clock nor which headers are signed, and lists one page only.
 */
interface S3Server {
  /** The address of the bucket. */
  url: string;
  objects: Map<string, S3Object>;
  close(): void;
}

interface S3Object {
  content: Buffer;
  /** The headers with which it was put, and is got. */
  headers: Record<string, string>;
  storedAt: Date;
}

export const S3_KEY = {
  keyId: 'AKIDEXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'eu-west-1',
};

const BUCKET = 'media';
const KEPT_HEADERS = ['content-type', 'content-disposition', 'cache-control'];
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html */
const MAX_PUT_BYTES = 5 * 1024 ** 3;
/** https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html, "Time stamp requirement". */
const MAX_SKEW_MS = 15 * 60_000;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

interface SignedRequest {
  method: string;
  /** The path and the query. */
  url: string;
  headers: IncomingHttpHeaders;
}

interface Signing {
  secretKey: string;
  time: string;
  /** The date, region and service. */
  scope: string;
  /** The names of the signed headers, in their order. */
  names: readonly string[];
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
/** S3 encodes everything except unreserved characters. */
const encode = (text: string) =>
  encodeURIComponent(decodeURIComponent(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Computes the signature of a request (AWS Signature Version 4):
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
function computeSignature(request: SignedRequest, { secretKey, time, scope, names }: Signing): string {
  const { method, url, headers } = request;
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = query
    .split('&')
    .filter((parameter) => parameter !== '')
    .map((parameter) => parameter.split('=', 2))
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
    .map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`);
  const canonicalRequest = [
    method,
    path.split('/').map(encode).join('/'),
    parameters.join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replaceAll(/ +/g, ' ')}`,
    ),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash(canonicalRequest)].join('\n');
  return hmac(scope.split('/').reduce<Buffer | string>(hmac, `AWS4${secretKey}`), toSign).toString('hex');
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/([^/]+)\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/** Throws the refusal of a request that isn't signed as S3 requires. */
function requireSignature(request: SignedRequest): void {
  const { headers } = request;
  if (headers.authorization === undefined) throw new Refusal(403, 'AccessDenied');
  const [isMatch, keyId, scope = '', date = '', region, list = '', signature] =
    AUTHORIZATION.exec(headers.authorization) ?? [];
  if (isMatch === undefined) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  if (keyId !== S3_KEY.keyId) throw new Refusal(403, 'InvalidAccessKeyId');
  if (region !== S3_KEY.region) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  const time = String(headers['x-amz-date']);
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? [];
  const [year, month, day, hours, minutes, seconds] = parts;
  const sentAt = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(sentAt)) throw new Refusal(403, 'AccessDenied');
  if (!time.startsWith(date)) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  if (Math.abs(Date.now() - sentAt) > MAX_SKEW_MS) throw new Refusal(403, 'RequestTimeTooSkewed');
  const digest = String(headers['x-amz-content-sha256'] ?? '');
  if (digest === '') throw new Refusal(400, 'InvalidRequest');
  if (!/^(?:UNSIGNED-PAYLOAD|[0-9a-f]{64})$/.test(digest)) throw new Refusal(400, 'InvalidArgument');
  const names = list.split(';');
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (!needed.every((name) => names.includes(name))) throw new Refusal(403, 'AccessDenied');
  const expected = computeSignature(request, { secretKey: S3_KEY.secretKey, time, scope, names });
  if (signature !== expected) throw new Refusal(403, 'SignatureDoesNotMatch');
}

/** Parses a range as S3 does, which takes one, and otherwise sends everything. */
function parseRange(header: string | undefined, length: number): { start: number; end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  if (start >= end) throw new Refusal(416, 'InvalidRange');
  return { start, end };
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Starts a server, which lists one object a page. */
export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();

  function get({ method, headers }: IncomingMessage, name: string, response: ServerResponse): void {
    const found = objects.get(name);
    // Whoever may not list the objects doesn't find out which are missing:
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html, "Permissions".
    if (!found)
      throw headers.authorization === undefined
        ? new Refusal(403, 'AccessDenied')
        : new Refusal(404, 'NoSuchKey');
    const { content, storedAt } = found;
    const range = parseRange(headers.range, content.length);
    const { start, end } = range ?? { start: 0, end: content.length };
    response.writeHead(range ? 206 : 200, {
      ...found.headers,
      'accept-ranges': 'bytes',
      'content-length': end - start,
      etag: `"${createHash('md5').update(content).digest('hex')}"`,
      'last-modified': storedAt.toUTCString(),
      ...(range && { 'content-range': `bytes ${start}-${end - 1}/${content.length}` }),
    });
    response.end(method === 'HEAD' ? undefined : content.subarray(start, end));
  }

  async function put(request: IncomingMessage, name: string, response: ServerResponse): Promise<void> {
    const { headers } = request;
    if (headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength');
    if (Number(headers['content-length']) > MAX_PUT_BYTES) throw new Refusal(400, 'EntityTooLarge');
    const content = await buffer(request);
    const digest = headers['x-amz-content-sha256'];
    if (digest !== 'UNSIGNED-PAYLOAD' && digest !== hash(content))
      throw new Refusal(400, 'XAmzContentSHA256Mismatch');
    const kept = KEPT_HEADERS.map((header) => [header, headers[header]]).filter(([, value]) => value);
    objects.set(name, { content, headers: Object.fromEntries(kept), storedAt: new Date() });
    response.end();
  }

  function list(parameters: URLSearchParams, response: ServerResponse): void {
    const after = Buffer.from(parameters.get('continuation-token') ?? '', 'base64').toString();
    if (parameters.get('list-type') !== '2') throw new Refusal(400, 'InvalidArgument');
    const [name, next] = [...objects.keys()].toSorted().filter((each) => each > after);
    const found = objects.get(name ?? '');
    const entry =
      name !== undefined && found
        ? `<Contents><Key>${escapeXml(name)}</Key><LastModified>${found.storedAt.toISOString()}</LastModified><Size>${found.content.length}</Size></Contents>`
        : '';
    const nextToken =
      name !== undefined && next !== undefined
        ? `<NextContinuationToken>${Buffer.from(name).toString('base64')}</NextContinuationToken>`
        : '';
    response
      .setHeader('content-type', 'application/xml')
      .end(
        `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name><IsTruncated>${next !== undefined}</IsTruncated>${entry}${nextToken}</ListBucketResult>`,
      );
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, 'http://s3');
    const [, bucket, name = ''] = pathname.split('/').map(decodeURIComponent);
    const isGet = method === 'GET' || method === 'HEAD';
    if (headers.authorization !== undefined || !isGet || name === '')
      requireSignature({ method, url, headers });
    if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket');
    if (isGet) return name === '' ? list(searchParams, response) : get(request, name, response);
    if (method === 'PUT' && name !== '') return put(request, name, response);
    if (method !== 'DELETE' || name === '') throw new Refusal(405, 'MethodNotAllowed');
    objects.delete(name);
    response.writeHead(204).end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // The sender has gone away.
      if (!(error instanceof Refusal)) return void response.destroy();
      const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${error.code}</Code></Error>`;
      response.writeHead(error.status, { 'content-type': 'application/xml', connection: 'close' });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/${BUCKET}`;
  return {
    url,
    objects,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
