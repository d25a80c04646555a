import http from 'node:http';
import { get, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { Agent, fetch as fetchWithUndici } from 'undici';
import { WebSocket } from 'ws';

/** An app that knows only slack.com. Calls it with each client of Node.js, and prints what each receives. */
const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN = '' } = process.env;
const API = 'https://slack.com/api/';

interface Answer {
  ok: boolean;
  user?: string;
  url?: string;
}

function print(client: string, answer: Answer): void {
  console.log(JSON.stringify([client, answer.ok, answer.user ?? '']));
}

const asBot = { method: 'POST', headers: { authorization: `Bearer ${SLACK_BOT_TOKEN}` } };
const asApp = { method: 'POST', headers: { authorization: `Bearer ${SLACK_APP_TOKEN}` } };

async function callWith(send: (onResponse: (response: http.IncomingMessage) => void) => http.ClientRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  send(resolve).on('error', reject).end();
  return JSON.parse(await text(await promise)) as Answer;
}

print('https.request', await callWith((resolve) => request(`${API}auth.test`, asBot, resolve)));
print('https.get', await callWith((resolve) => get({ host: 'slack.com', path: '/api/api.test' }, resolve)));
print('fetch', (await (await fetch(`${API}auth.test`, asBot)).json()) as Answer);
print('undici', (await (await fetchWithUndici(`${API}auth.test`, asBot)).json()) as Answer);
const dispatcher = new Agent({ allowH2: true });
print(
  'undici, HTTP/2',
  (await (await fetchWithUndici(`${API}auth.test`, { ...asBot, dispatcher })).json()) as Answer,
);

const { url = '' } = (await (await fetch(`${API}apps.connections.open`, asApp)).json()) as Answer;
const socket = new WebSocket(`wss://wss-primary.slack.com/link${new URL(url).search}`);
const { promise: hello, resolve, reject } = Promise.withResolvers<string>();
socket.on('message', (data) => resolve(String(data))).on('error', reject);
const { type } = JSON.parse(await hello) as { type: string };
print('ws', { ok: type === 'hello' });
socket.terminate();

// Addresses that aren't Slack's are reached as before.
const server = http.createServer((_, response) => response.end('not Slack')).listen(0, '127.0.0.1');
await new Promise((listening) => server.once('listening', listening));
const address = server.address();
const port = typeof address === 'object' ? address?.port : 0;
const other = await fetch(`https://127.0.0.1:${port}/`).then(
  () => 'redirected',
  () => 'TLS',
);
print('another address', { ok: other === 'TLS' });
server.close();
