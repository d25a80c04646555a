import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Workspace } from '../../src/slack.ts';

/** A connection of the page to its server. `receiveMessage` returns the next message. */
interface LivePage {
  receiveMessage(): Promise<Record<string, unknown>>;
  send(body: unknown): void;
  /** Sends a request, and returns its result. */
  request(body: object): Promise<Record<string, unknown>>;
  close(): void;
}

/** Opens the page's socket as a browser would. Rejects if it is refused. */
export async function openLivePage(
  workspace: Pick<Workspace, 'url'>,
  query = '',
  origin = workspace.url,
): Promise<LivePage> {
  const socket = new WebSocket(`${workspace.url.replace('http', 'ws')}/page/live${query}`, {
    headers: { origin },
  });
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    socket.emit('stored');
  });
  await once(socket, 'open');
  const receiveMessage = async () => {
    if (messages.length === 0) await once(socket, 'stored');
    return messages.shift() ?? {};
  };
  const send = (body: unknown) => socket.send(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    receiveMessage,
    send,
    request: async (body) => {
      send({ id: 1, ...body });
      let message = await receiveMessage();
      while (message.type !== 'result') message = await receiveMessage();
      return message;
    },
    close: () => socket.close(),
  };
}
