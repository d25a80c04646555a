import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Workspace } from '../../src/slack.ts';

/** Opens the page's socket as a browser would. Rejects if it is refused. `receiveMessage` returns the next message. */
export async function openLivePage(workspace: Pick<Workspace, 'url'>, query = '', origin = workspace.url) {
  const socket = new WebSocket(`${workspace.url.replace('http', 'ws')}/page/live${query}`, {
    headers: { origin },
  });
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    socket.emit('stored');
  });
  await once(socket, 'open');
  const receiveMessage = async (): Promise<Record<string, unknown>> => {
    if (messages.length === 0) await once(socket, 'stored');
    return messages.shift() ?? {};
  };
  const send = (body: unknown) => socket.send(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    receiveMessage,
    send,
    /** Sends a request, and returns its result. */
    request: async (body: object) => {
      send({ id: 1, ...body });
      let message = await receiveMessage();
      while (message.type !== 'result') message = await receiveMessage();
      return message;
    },
    close: () => socket.close(),
  };
}
