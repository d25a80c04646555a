import { createHmac } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import { createSignedRequestListener } from '../../src/slack/bolt/signed-requests.ts';
import { listeningPort } from '../support/listening-port.ts';
import { luckOf } from '../support/luck.ts';

const SECRET = 'a signing secret of some length!';
const TOGETHER = 16;

interface Signed {
  timestamp: string;
  signature: string;
  body: Buffer;
}

/** What Slack would send: a press whose payload holds a bit of everything. */
function goodRequest(random: () => number): Signed {
  const payload = { type: 'block_actions', user: { id: `U${Math.floor(random() * 1e9)}` }, text: 'é <&> 🎉' };
  const body = Buffer.from(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hmac = createHmac('sha256', SECRET).update(`v0:${timestamp}:`).update(body).digest('hex');
  return { timestamp, signature: `v0=${hmac}`, body };
}

/** Another one of the characters that a header may hold, but for blanks, which are cut off at its ends. */
function otherCharacter(random: () => number, than: string): string {
  const other = String.fromCharCode(0x21 + Math.floor(random() * 0x5e));
  return other === than ? otherCharacter(random, than) : other;
}

function alteredText(random: () => number, text: string): string {
  const at = Math.floor(random() * text.length);
  const other = otherCharacter(random, text[at] ?? '');
  const ways = [
    () => text.slice(0, at) + other + text.slice(at + 1),
    () => `${text.slice(0, at)}${other}${text.slice(at)}`,
    () => text.slice(0, at) + text.slice(at + 1),
    () => text + other,
    () => text.toUpperCase(),
    () => text.replace(/.$/, ''),
  ];
  const altered = ways[Math.floor(random() * ways.length)]?.() ?? '';
  return altered === text ? alteredText(random, text) : altered;
}

function alteredBody(random: () => number, body: Buffer): Buffer {
  const at = Math.floor(random() * body.length);
  const other = Buffer.from([((body[at] ?? 0) + 1 + Math.floor(random() * 255)) % 256]);
  const ways = [
    () => Buffer.concat([body.subarray(0, at), other, body.subarray(at + 1)]),
    () => Buffer.concat([body.subarray(0, at), other, body.subarray(at)]),
    () => Buffer.concat([body.subarray(0, at), body.subarray(at + 1)]),
    () => Buffer.concat([body, other]),
    // The same to whoever decodes it.
    () => Buffer.from(body.toString().replace(/%[0-9A-F]{2}/, (code) => code.toLowerCase())),
    () => Buffer.from(body.toString().replace('payload', '%70ayload')),
  ];
  const altered = ways[Math.floor(random() * ways.length)]?.() ?? Buffer.alloc(0);
  return altered.equals(body) ? alteredBody(random, body) : altered;
}

/** At least a byte of one of the three differs. */
function altered(random: () => number, good: Signed): Signed {
  const which = Math.floor(random() * 7) + 1;
  // Mostly still within the window.
  const near = String(Number(good.timestamp) + 1 + Math.floor(random() * 290));
  return {
    body: which & 1 ? alteredBody(random, good.body) : good.body,
    timestamp: which & 2 ? (random() < 0.5 ? near : alteredText(random, good.timestamp)) : good.timestamp,
    signature: which & 4 ? alteredText(random, good.signature) : good.signature,
  };
}

function post(agent: Agent, port: number, { timestamp, signature, body }: Signed): Promise<number> {
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
 * Sends so many requests that each differ from a good one, and each hundredth good one too, which is the control.
 * Answers with how often a handler ran for which.
 */
export async function sendAltered(count: number, seed: number) {
  const random = luckOf(seed).next;
  const expected = new Set<string>();
  const said = new Map<number, number>();
  const handled = { good: 0, altered: 0 };
  const server = createServer(
    createSignedRequestListener({
      signingSecret: SECRET,
      handle: ({ rawBody }, response) => {
        if (expected.delete(rawBody.toString())) handled.good += 1;
        else handled.altered += 1;
        response.end();
      },
    }),
  );
  const port = await listeningPort(server);
  const agent = new Agent({ keepAlive: true, maxSockets: TOGETHER });
  let left = count;
  let good = 0;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const isControl = left % 100 === 0;
      const original = goodRequest(random);
      const status = await post(agent, port, altered(random, original));
      said.set(status, (said.get(status) ?? 0) + 1);
      if (!isControl) continue;
      good += 1;
      expected.add(original.body.toString());
      await post(agent, port, original);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, one));
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
  return { handled, good, said };
}
