import { createHmac } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import { createSignedRequestListener } from '../src/handlers/bolt/signed-requests.ts';
import { listenOnFreePort } from '../test/support/listening-port.ts';
import { createRandom } from '../test/support/random.ts';

const REQUEST_COUNT = 100_000;
const SECRET = 'a signing secret of some length!';
const CONCURRENCY = 16;

interface SignedRequest {
  timestamp: string;
  signature: string;
  body: Buffer;
}

/** Creates a valid signed request. Its payload contains several kinds of characters. */
function createValidRequest(random: () => number): SignedRequest {
  const payload = { type: 'block_actions', user: { id: `U${Math.floor(random() * 1e9)}` }, text: 'é <&> 🎉' };
  const body = Buffer.from(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hmac = createHmac('sha256', SECRET).update(`v0:${timestamp}:`).update(body).digest('hex');
  return { timestamp, signature: `v0=${hmac}`, body };
}

/** Draws another character that a header may contain. Spaces are excluded, because they are trimmed at both ends. */
function drawOtherCharacter(random: () => number, excluded: string): string {
  const other = String.fromCharCode(0x21 + Math.floor(random() * 0x5e));
  return other === excluded ? drawOtherCharacter(random, excluded) : other;
}

function alterText(random: () => number, text: string): string {
  const index = Math.floor(random() * text.length);
  const other = drawOtherCharacter(random, text[index] ?? '');
  const alterations = [
    () => text.slice(0, index) + other + text.slice(index + 1),
    () => `${text.slice(0, index)}${other}${text.slice(index)}`,
    () => text.slice(0, index) + text.slice(index + 1),
    () => text + other,
    () => text.toUpperCase(),
    () => text.replace(/.$/, ''),
  ];
  const altered = alterations[Math.floor(random() * alterations.length)]?.() ?? '';
  return altered === text ? alterText(random, text) : altered;
}

function alterBody(random: () => number, body: Buffer): Buffer {
  const at = Math.floor(random() * body.length);
  const other = Buffer.from([((body[at] ?? 0) + 1 + Math.floor(random() * 255)) % 256]);
  const alterations = [
    () => Buffer.concat([body.subarray(0, at), other, body.subarray(at + 1)]),
    () => Buffer.concat([body.subarray(0, at), other, body.subarray(at)]),
    () => Buffer.concat([body.subarray(0, at), body.subarray(at + 1)]),
    () => Buffer.concat([body, other]),
    // The lower-case encoding decodes to the same payload.
    () => Buffer.from(body.toString().replace(/%[0-9A-F]{2}/, (code) => code.toLowerCase())),
    () => Buffer.from(body.toString().replace('payload', '%70ayload')),
  ];
  const altered = alterations[Math.floor(random() * alterations.length)]?.() ?? Buffer.alloc(0);
  return altered.equals(body) ? alterBody(random, body) : altered;
}

/** Alters the body, the timestamp or the signature, or several of them. */
function alter(random: () => number, valid: SignedRequest): SignedRequest {
  const mask = Math.floor(random() * 7) + 1;
  // The timestamp stays within the accepted age unless the test runs late.
  const nearby = String(Number(valid.timestamp) + 1 + Math.floor(random() * 290));
  return {
    body: mask & 1 ? alterBody(random, valid.body) : valid.body,
    timestamp: mask & 2 ? (random() < 0.5 ? nearby : alterText(random, valid.timestamp)) : valid.timestamp,
    signature: mask & 4 ? alterText(random, valid.signature) : valid.signature,
  };
}

function sendRequest(
  agent: Agent,
  port: number,
  { timestamp, signature, body }: SignedRequest,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': body.length,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
    };
    const outgoing = request({
      agent,
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/slack/events',
      headers,
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.end(body);
  });
}

/**
 * Sends `count` altered requests and, as a control, every hundredth original. Returns how often the handler ran for
 * valid and for altered requests, the number of valid requests, and the counts of response statuses.
 */
async function sendAltered(count: number, seed: number) {
  const random = createRandom(seed).next;
  const expected = new Set<string>();
  const statuses = new Map<number, number>();
  const handled = { valid: 0, altered: 0 };
  const server = createServer(
    createSignedRequestListener({
      signingSecret: SECRET,
      handle: ({ body }, respond) => {
        if (expected.delete(JSON.stringify(body))) handled.valid += 1;
        else handled.altered += 1;
        respond({ status: 200 });
      },
    }),
  );
  const port = await listenOnFreePort(server);
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  let remainingCount = count;
  let validCount = 0;
  const sendInTurn = async () => {
    while (remainingCount > 0) {
      remainingCount -= 1;
      const isControl = remainingCount % 100 === 0;
      const original = createValidRequest(random);
      const status = await sendRequest(agent, port, alter(random, original));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (!isControl) continue;
      validCount += 1;
      expected.add(new URLSearchParams(original.body.toString()).get('payload') ?? '');
      await sendRequest(agent, port, original);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
  return { handled, validCount, statuses };
}

/** Sends HTTP requests whose body, timestamp or signature differs from a valid request in at least one byte. */
export async function sendAlteredRequests(): Promise<void> {
  const startedAt = performance.now();
  const { handled, validCount, statuses } = await sendAltered(REQUEST_COUNT, Math.floor(Date.now() / 1000));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const responses = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  console.log(`  ${REQUEST_COUNT} altered requests in ${seconds} s, responses: ${responses}`);
  console.log(
    `  handled although altered: ${handled.altered} (limit: 0); valid requests handled: ${handled.valid} of ${validCount}`,
  );
}
