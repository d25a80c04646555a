import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { listenOnFreePort } from '../listening-port.ts';

interface StoredMessage {
  ts: string;
  metadata: unknown;
}

const metadataSchema = z.object({ event_payload: z.object({ keys: z.string() }) });

/**
 * Starts a Slack with the calls that held posts need, which only stores the metadata of messages. The practice workspace
 * would be too slow for tens of thousands of messages, and forgets old ones.
 */
export async function startSimulatedSlack(readTime: () => number) {
  const channels = new Map<string, StoredMessage[]>();
  /** The keys of all notifications, by the id of the row that they are about. */
  const notifications = new Map<string, string[]>();
  let messageCount = 0;

  function postMessage({ channel = '', metadata = 'null' }: Record<string, string>) {
    messageCount += 1;
    const ts = `${Math.floor(readTime() / 1000)}.${String(messageCount % 1e6).padStart(6, '0')}`;
    const message = { ts, metadata: JSON.parse(metadata) as unknown };
    const id = toDirectMessages(channel);
    const messages = channels.get(id) ?? [];
    messages.push(message);
    channels.set(id, messages);
    const keys = metadataSchema.safeParse(message.metadata).data?.event_payload.keys ?? '';
    for (const key of keys.split('\n')) {
      const row = key.split(' ')[0] ?? '';
      notifications.set(row, [...(notifications.get(row) ?? []), key]);
    }
    return { channel: id, ts };
  }
  function readHistory({ channel = '', oldest = '0', limit = '100' }: Record<string, string>) {
    const messages = (channels.get(channel) ?? []).slice(-Number(limit)).toReversed();
    return { messages: messages.filter(({ ts }) => Number(ts) >= Number(oldest)) };
  }
  const methods: Record<string, (args: Record<string, string>) => object> = {
    'chat.postMessage': postMessage,
    'chat.update': ({ channel, ts }) => ({ channel, ts }),
    'conversations.open': ({ users = '' }) => ({ channel: { id: toDirectMessages(users) } }),
    'conversations.history': readHistory,
    'users.info': ({ user }) => ({ user: { id: user, name: user, profile: { display_name: user } } }),
  };
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const method = methods[request.url?.split('/').at(-1) ?? ''];
    // A killed process may leave half a request.
    const args = await readForm(request).catch(() => undefined);
    if (!args) return void response.destroy();
    const result = method ? { ok: true, ...method(args) } : { ok: false, error: 'unknown_method' };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(result));
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}/api/`,
    notifications,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const toDirectMessages = (recipient: string) => recipient.replace(/^U/, 'D');

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
}
