import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createBucket } from '../../src/media/bucket.ts';
import { S3_KEY, startS3Server } from '../support/s3-server.ts';

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

test('a call that the bucket refuses is reported, and a file that can’t be read isn’t the bucket’s fault', async () => {
  const failures: unknown[] = [];
  const settings = { url: s3.url, publicUrl: s3.url, ...S3_KEY };
  const bucket = createBucket({ ...settings, secretKey: 'another-secret' }, (error) => failures.push(error));
  await expect(bucket.remove('one.jpg')).rejects.toThrow();
  expect(failures).toHaveLength(1);
  async function* breakOff() {
    yield Buffer.from('ab');
    throw new Error('Slack closed the connection');
  }
  const working = createBucket(settings, (error) => failures.push(error));
  await expect(working.put('one.jpg', JPEG, breakOff())).rejects.toThrow();
  expect(failures).toHaveLength(1);
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
