import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Workspace } from '../../src/slack.ts';

/** A connection of the page to its server. `receiveMessage` returns the next message. */
interface LivePage {
  receiveMessage(): Promise<Record<string, unknown>>;
  send(body: unknown): void;
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
  return {
    async receiveMessage() {
      if (messages.length === 0) await once(socket, 'stored');
      return messages.shift() ?? {};
    },
    send: (body) => socket.send(typeof body === 'string' ? body : JSON.stringify(body)),
    close: () => socket.close(),
  };
}
