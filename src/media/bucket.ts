import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';
import type { BucketSettings } from '../config/config.ts';

/** An S3-compatible bucket for files, which everybody may read by their unguessable names. */
export interface Bucket {
  /** The beginning of the addresses of files, ending in a slash. */
  readonly base: string;
  put(name: string, file: { type: string; bytes: number }, content: AsyncIterable<Buffer>): Promise<void>;
  remove(name: string): Promise<void>;
  /** Lists all files by page. */
  list(): AsyncGenerator<{ name: string; storedAt: Date }[]>;
}

/** A call ends after this time. At 100 MB, that is 2 MB a second. */
const MAX_CALL_MS = 60_000;

/** Creates a client of the bucket. `onFailure`: called for a call that fails, unless its content can't be read. It makes three calls of S3's API (https://docs.aws.amazon.com/AmazonS3/latest/API/). */
export function createBucket(
  { url, region, keyId, secretKey, publicUrl }: BucketSettings,
  onFailure: (error: unknown) => void = () => undefined,
): Bucket {
  const signer = new AwsClient({ accessKeyId: keyId, secretAccessKey: secretKey, region, service: 's3' });
  const root = withSlash(url);

  async function call(
    method: Dispatcher.HttpMethod,
    target: string,
    { headers = {}, content }: { headers?: Record<string, string>; content?: AsyncIterable<Buffer> } = {},
  ): Promise<string> {
    const signed = await signer.sign(target, { method, headers });
    let isContentBroken = false;
    async function* readContent(chunks: AsyncIterable<Buffer>) {
      try {
        yield* chunks;
      } catch (error) {
        isContentBroken = true;
        throw error;
      }
    }
    try {
      const { statusCode, body } = await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        ...(content && { body: Readable.from(readContent(content)) }),
        signal: AbortSignal.timeout(MAX_CALL_MS),
      });
      const text = await body.text();
      // S3 names the fault in the body, such as <Code>AccessDenied</Code>.
      if (statusCode >= 300)
        throw new Error(`the bucket answered ${statusCode} ${/<Code>(\w+)/.exec(text)?.[1] ?? ''}`.trim());
      return text;
    } catch (error) {
      if (!isContentBroken) onFailure(error);
      throw error;
    }
  }
  return {
    base: withSlash(publicUrl),
    async put(name, { type, bytes }, content) {
      const headers = {
        'content-type': type,
        'content-length': String(bytes),
        'content-disposition': 'inline',
        'cache-control': 'private, no-store',
      };
      await call('PUT', root + name, { headers, content });
    },
    remove: async (name) => void (await call('DELETE', root + name)),
    async *list() {
      for (let token: string | undefined = ''; token !== undefined; ) {
        const next = token === '' ? '' : `&continuation-token=${encodeURIComponent(token)}`;
        // Without a slash after the bucket's name, like AWS' own clients: some servers leave it out of the signed path.
        const page = await call('GET', `${root.slice(0, -1)}?list-type=2${next}`);
        yield [...page.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
          name: /<Key>([^<]*)/.exec(entry)?.[1] ?? '',
          storedAt: new Date(/<LastModified>([^<]*)/.exec(entry)?.[1] ?? Number.NaN),
        }));
        token = /<NextContinuationToken>([^<]*)/.exec(page)?.[1];
      }
    },
  };
}

const withSlash = (address: string) => (address.endsWith('/') ? address : `${address}/`);
