import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';
import { listenOnFreePort } from '../../test/support/listening-port.ts';

/** A Slack that costs little: it answers every method at once, and remembers the views that apps have opened. */
export interface FakeSlack {
  apiUrl: string;
  /** Resolves with the form that the app shows for a command, once it has blocks for input. */
  waitForForm(trigger: string): Promise<SlackView>;
  /** Resolves when the app has opened a socket with this app token. */
  waitForSocket(appToken: string): Promise<void>;
  /** Sends a payload, and resolves with the app's acknowledgement. */
  send(to: Receiver, payload: Payload): Promise<unknown>;
  /** Number of calls of a method so far. */
  countCalls(method: string): number;
  stop(): Promise<void>;
}

/** Where an app gets its requests: over HTTP, or over the socket that it has opened with its app token. */
export type Receiver = { kind: 'http'; port: number } | { kind: 'socket'; appToken: string };
export type Payload = Readonly<Record<string, unknown>>;

export const SIGNING_SECRET = 'b'.repeat(32);
export const TEAM = 'T000BENCH';
const IDENTITY = { user_id: 'U000BOT', bot_id: 'B000BOT', team_id: TEAM, user: 'upnext', team: 'Bench' };

interface ViewBlock {
  type: string;
  block_id: string;
  label?: { text: string };
  element?: Record<string, unknown> & { action_id: string; type: string };
}
export interface SlackView {
  id: string;
  callback_id: string;
  private_metadata: string;
  blocks: ViewBlock[];
}

export async function startFakeSlack(): Promise<FakeSlack> {
  const calls = new Map<string, number>();
  const waitingForms = new Map<string, (view: SlackView) => void>();
  const sockets = new Map<string, WebSocket>();
  const waitingAcks = new Map<string, (payload: unknown) => void>();
  const agent = new Agent({ keepAlive: true });
  let sentCount = 0;

  const receive = async (incoming: IncomingMessage, response: ServerResponse) => {
    const method = incoming.url?.split('/').at(-1) ?? '';
    calls.set(method, (calls.get(method) ?? 0) + 1);
    const form = new URLSearchParams(await text(incoming));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url: 'https://bench.slack.com/', ...answer(method, form) }));
  };
  const answer = (method: string, form: URLSearchParams): object => {
    if (method === 'users.info') return { user: createUser(form.get('user') ?? '') };
    if (method === 'apps.connections.open') return { url: `${socketUrl}/${sockets.size}` };
    if (method === 'bots.info') return { bot: { app_id: 'A000BENCH' } };
    if (method.startsWith('chat.post')) return { ts: `17.${sentCount}`, message_ts: `17.${sentCount}` };
    if (method !== 'views.open' && method !== 'views.update') return IDENTITY;
    const id = form.get('view_id') ?? `V${form.get('trigger_id')}`;
    const view = { ...JSON.parse(form.get('view') ?? '{}'), id };
    if (view.blocks?.some(({ type }: ViewBlock) => type === 'input')) waitingForms.get(id)?.(view);
    return { view: { id, hash: `${sentCount}.a`, type: 'modal' } };
  };
  const server = createServer((incoming, response) => {
    const [token] = /xapp-\S+/.exec(incoming.headers.authorization ?? '') ?? [];
    if (token !== undefined) openingTokens.push(token);
    void receive(incoming, response);
  });
  // Apps open their sockets one after the other, so the next socket is that of the last token.
  const openingTokens: string[] = [];
  const socketServer = new WebSocketServer({ server });
  socketServer.on('connection', (socket) => {
    sockets.set(openingTokens.at(-1) ?? '', socket);
    socket.send(
      JSON.stringify({ type: 'hello', connection_info: { app_id: 'A000BENCH' }, num_connections: 1 }),
    );
    socket.on('message', (data) => {
      const { envelope_id: id, payload } = JSON.parse(String(data));
      waitingAcks.get(id)?.(payload);
      waitingAcks.delete(id);
    });
  });
  const port = await listenOnFreePort(server);
  const socketUrl = `ws://127.0.0.1:${port}`;

  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    waitForForm: (trigger) =>
      new Promise((resolve) => {
        const id = `V${trigger}`;
        waitingForms.set(id, (view) => {
          waitingForms.delete(id);
          resolve(view);
        });
      }),
    async waitForSocket(appToken) {
      while (!sockets.has(appToken)) await once(socketServer, 'connection');
    },
    async send(to, payload) {
      sentCount += 1;
      if (to.kind === 'http') return sendOverHttp(agent, to.port, payload);
      const envelope_id = `e${sentCount}`;
      const acknowledged = new Promise((resolve) => waitingAcks.set(envelope_id, resolve));
      const type = 'command' in payload ? 'slash_commands' : 'interactive';
      sockets
        .get(to.appToken)
        ?.send(JSON.stringify({ type, envelope_id, payload, accepts_response_payload: true }));
      return acknowledged;
    },
    countCalls: (method) => calls.get(method) ?? 0,
    async stop() {
      agent.destroy();
      for (const socket of sockets.values()) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}

function createUser(id: string) {
  return {
    id,
    team_id: TEAM,
    name: 'ana',
    is_owner: true,
    is_admin: true,
    tz: 'Europe/Lisbon',
    locale: 'en-GB',
  };
}

async function sendOverHttp(agent: Agent, port: number, payload: Payload): Promise<unknown> {
  const fields = 'command' in payload ? payload : { payload: JSON.stringify(payload) };
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const outgoing = request({
    agent,
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/slack/events',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${createHmac('sha256', SIGNING_SECRET).update(`v0:${timestamp}:${body}`).digest('hex')}`,
    },
  });
  outgoing.end(body);
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (!response) throw new Error('no response');
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`the app answered ${response.statusCode}: ${answer}`);
  return answer.startsWith('{') ? JSON.parse(answer) : answer;
}
