import { AwsClient } from 'aws4fetch';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createBucket } from '../../src/media/bucket.ts';
import { computeSignature, S3_KEY, startS3Server } from '../support/s3-server.ts';

let s3: Awaited<ReturnType<typeof startS3Server>>;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterEach(() => s3.objects.clear());
afterAll(() => s3.close());

const open = (settings: Partial<typeof S3_KEY> = {}) =>
  createBucket({ url: s3.url, publicUrl: s3.url, ...S3_KEY, ...settings });

async function* inTwoPieces() {
  yield Buffer.from('ab');
  yield Buffer.from('cde');
}
const JPEG = { type: 'image/jpeg', bytes: 5 };

test('an object is stored in pieces, read by everybody, listed by page and removed', async () => {
  const bucket = open();
  for (const name of ['one.jpg', 'two.jpg', 'three.jpg']) await bucket.put(name, JPEG, inTwoPieces());
  const response = await fetch(`${bucket.base}one.jpg`, { headers: { range: 'bytes=1-3' } });
  expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
    206,
    'bcd',
    'image/jpeg',
  ]);
  const pages: { name: string; storedAt: Date }[][] = [];
  for await (const page of bucket.list()) pages.push(page);
  expect(pages.map((page) => page.map(({ name }) => name))).toEqual([
    ['one.jpg'],
    ['three.jpg'],
    ['two.jpg'],
  ]);
  for (const { name, storedAt } of pages.flat()) {
    expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000);
    await bucket.remove(name);
  }
  expect(s3.objects.size).toBe(0);
  await bucket.remove('one.jpg');
});

test('an object that ends too early isn’t stored', async () => {
  await expect(open().put('short.jpg', { ...JPEG, bytes: 6 }, inTwoPieces())).rejects.toThrow();
  expect(s3.objects.size).toBe(0);
});

test.each([
  ['another secret', { secretKey: 'another-secret' }, '403 SignatureDoesNotMatch'],
  ['an unknown key', { keyId: 'AKIDOTHER' }, '403 InvalidAccessKeyId'],
  ['another region', { region: 'us-east-2' }, '400 AuthorizationHeaderMalformed'],
])('with %s, the bucket’s reason is in the error', async (_name, settings, expected) => {
  await expect(open(settings).remove('one.jpg')).rejects.toThrow(`the bucket answered ${expected}`);
});

describe('control: the server of these tests', () => {
  /** The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html. */
  test.each([
    [
      'GET',
      '/test.txt',
      { range: 'bytes=0-9' },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    ['GET', '/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['GET', '/?prefix=J&max-keys=2', {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
    [
      'PUT',
      '/test$file.text',
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
  ])('computes the signature that AWS documents for %s %s', (method, url, further, expected) => {
    const time = '20130524T000000Z';
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': time,
      ...further,
    };
    const signature = computeSignature(
      { method, url, headers },
      {
        secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        time,
        scope: '20130524/us-east-1/s3/aws4_request',
        names: Object.keys(headers).toSorted(),
      },
    );
    expect(signature).toBe(expected);
  });

  const sign = (path: string, method: string, aws = {}, headers = {}) =>
    new AwsClient({
      ...{ accessKeyId: S3_KEY.keyId, secretAccessKey: S3_KEY.secretKey },
      ...{ region: S3_KEY.region, service: 's3' },
    }).sign(s3.url + path, { method, headers, aws });
  const send = async (request: Request, change: Record<string, string> = {}, body?: string) => {
    const { method, url } = request;
    const headers = { ...Object.fromEntries(request.headers), ...change };
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    return `${response.status} ${/<Code>(\w+)/.exec(await response.text())?.[1] ?? ''}`.trim();
  };

  test('takes no unsigned request, except for an object', async () => {
    await open().put('one.jpg', JPEG, inTwoPieces());
    expect(await send(new Request(`${s3.url}/one.jpg`, { method: 'DELETE' }))).toBe('403 AccessDenied');
    expect(await send(new Request(`${s3.url}/new.jpg`, { method: 'PUT' }), {}, 'abc')).toBe(
      '403 AccessDenied',
    );
    expect(await send(new Request(`${s3.url}?list-type=2`))).toBe('403 AccessDenied');
    expect(await send(new Request(`${s3.url}/missing.jpg`))).toBe('403 AccessDenied');
    expect(await send(await sign('/missing.jpg', 'GET'))).toBe('404 NoSuchKey');
    expect(await send(new Request(`${s3.url}/one.jpg`))).toBe('200');
    expect([...s3.objects.keys()]).toEqual(['one.jpg']);
  });

  test('takes no request that was changed after it was signed, or is old', async () => {
    const signed = await sign('/one.jpg', 'DELETE');
    expect(await send(signed)).toBe('204');
    expect(await send(new Request(`${s3.url}/two.jpg`, signed))).toBe('403 SignatureDoesNotMatch');
    expect(await send(signed, { 'x-amz-acl': 'public-read' })).toBe('403 AccessDenied');
    expect(await send(signed, { 'x-amz-content-sha256': '0'.repeat(64) })).toBe('403 SignatureDoesNotMatch');
    for (const minutes of [-16, 16]) {
      const datetime = new Date(Date.now() + minutes * 60_000).toISOString().replaceAll(/[:-]|\.\d+/g, '');
      expect(await send(await sign('/one.jpg', 'DELETE', { datetime }))).toBe('403 RequestTimeTooSkewed');
    }
    const digest = { 'x-amz-content-sha256': '0'.repeat(64) };
    expect(await send(await sign('/one.jpg', 'PUT', {}, digest), {}, 'abc')).toBe(
      '400 XAmzContentSHA256Mismatch',
    );
  });

  test('sends ranges, and nothing to HEAD', async () => {
    await open().put('one.jpg', JPEG, inTwoPieces());
    const get = async (range: string) => {
      const response = await fetch(`${s3.url}/one.jpg`, { headers: { range } });
      return [response.status, response.headers.get('content-range'), (await response.text()).slice(0, 5)];
    };
    expect(await get('bytes=3-')).toEqual([206, 'bytes 3-4/5', 'de']);
    expect(await get('bytes=-2')).toEqual([206, 'bytes 3-4/5', 'de']);
    expect(await get('bytes=0-1,3-4')).toEqual([200, null, 'abcde']);
    expect((await get('bytes=5-'))[0]).toBe(416);
    const head = await fetch(`${s3.url}/one.jpg`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', '']);
  });
});
