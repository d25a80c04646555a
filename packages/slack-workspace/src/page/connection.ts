import type { PageRequest } from '../page-request.ts';
import type { ServerMessage } from '../protocol.ts';

export type Answer = { ok: true; data?: unknown } | { ok: false; error: string };

export interface Connection {
  /** Never rejects. A lost connection is the error `connection_lost`. */
  request: (body: PageRequest) => Promise<Answer>;
  close: () => void;
}

const MIN_RECONNECT_MS = 300;
const MAX_RECONNECT_MS = 4000;

/**
 * Opens a WebSocket to the workspace, and opens it again whenever it is lost. The server starts with a snapshot each
 * time.
 */
export function connect({
  url,
  onMessage,
  onLost,
}: {
  /** ws://…/page/live?person=…. */
  url: string;
  /** Called for all messages except results. */
  onMessage: (message: ServerMessage) => void;
  onLost: () => void;
}): Connection {
  const pending: Map<number, (answer: Answer) => void> = new Map();
  let socket: WebSocket | undefined;
  let lastId = 0;
  let reconnectMs = MIN_RECONNECT_MS;
  let isClosed = false;

  const failPending = () => {
    for (const settle of pending.values()) settle({ ok: false, error: 'connection_lost' });
    pending.clear();
  };

  const open = () => {
    const opened = new WebSocket(url);
    socket = opened;
    opened.onopen = () => {
      reconnectMs = MIN_RECONNECT_MS;
    };
    opened.onmessage = (event) => {
      const message: ServerMessage = JSON.parse(event.data);
      if (isClosed) return;
      if (message.type !== 'result') return onMessage(message);
      pending.get(message.id)?.(message);
      pending.delete(message.id);
    };
    opened.onclose = () => {
      failPending();
      if (isClosed) return;
      onLost();
      setTimeout(() => !isClosed && open(), reconnectMs);
      reconnectMs = Math.min(reconnectMs * 2, MAX_RECONNECT_MS);
    };
  };
  open();

  return {
    request: (body) =>
      new Promise((resolve) => {
        if (socket?.readyState !== WebSocket.OPEN) return resolve({ ok: false, error: 'connection_lost' });
        lastId += 1;
        pending.set(lastId, resolve);
        socket.send(JSON.stringify({ ...body, id: lastId }));
      }),
    close: () => {
      isClosed = true;
      failPending();
      socket?.close();
    },
  };
}
