import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { listenOnFreePort } from './listening-port.ts';

/**
 * A small S3-compatible server. It checks signatures on its own, as the documentation describes them
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html), and lets everybody read.
 */
interface S3Server {
  url: string;
  objects: Map<string, { content: Buffer; type: string; storedAt: Date }>;
  close(): void;
}

export const S3_KEY = {
  keyId: 'AKIDEXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'eu-west-1',
};

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function isSigned({ headers, method = '', url = '' }: IncomingMessage): boolean {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const [keyId, date = '', region = '', service = '', end = ''] = credential.split('/');
  const time = String(headers['x-amz-date']);
  const expected = ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) =>
    names.split(';').includes(name),
  );
  if (keyId !== S3_KEY.keyId || region !== S3_KEY.region || !expected || !time.startsWith(date)) return false;
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const query = [...searchParams]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .toSorted()
    .join('&');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, pathname, query, lines.join(''), names, headers['x-amz-content-sha256']].join(
    '\n',
  );
  const toSign = ['AWS4-HMAC-SHA256', time, [date, region, service, end].join('/'), hash(canonical)].join(
    '\n',
  );
  const key = [region, service, end].reduce<Buffer>(hmac, hmac(`AWS4${S3_KEY.secretKey}`, date));
  return timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
}

/** Starts a server with the bucket `media`, which lists one object a page. */
export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const name = pathname.replace(/^\/media\//, '');
    const found = objects.get(name);
    if ((request.method === 'GET' || request.method === 'HEAD') && name !== '') {
      if (!found) return void response.writeHead(404).end();
      const [range, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      const content = range ? found.content.subarray(Number(start), Number(end) + 1) : found.content;
      response.writeHead(range ? 206 : 200, { 'content-type': found.type, 'content-length': content.length });
      return void response.end(content);
    }
    if (!isSigned(request))
      return void response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    if (request.method === 'GET') {
      const names = [...objects.keys()].toSorted();
      const at = names.findIndex((each) => each > (searchParams.get('continuation-token') ?? ''));
      const [entry, next] = at < 0 ? [] : [names[at], names[at + 1]];
      const storedAt = objects.get(entry ?? '')?.storedAt.toISOString();
      const contents =
        entry === undefined
          ? ''
          : `<Contents><Key>${entry}</Key><LastModified>${storedAt}</LastModified></Contents>`;
      const token = next === undefined ? '' : `<NextContinuationToken>${entry}</NextContinuationToken>`;
      return void response.end(`<ListBucketResult>${contents}${token}</ListBucketResult>`);
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return void response.writeHead(204).end();
    }
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      objects.set(name, {
        content: Buffer.concat(pieces),
        type: request.headers['content-type'] ?? '',
        storedAt: new Date(),
      });
      response.end();
    });
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/media`;
  return {
    url,
    objects,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
