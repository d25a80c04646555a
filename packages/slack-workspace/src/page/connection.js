/**
 * @import { PageRequest } from '../page-request.ts'
 * @import { ServerMessage } from '../protocol.ts'
 */

/**
 * @template T
 * @typedef {T extends unknown ? Omit<T, 'id'> : never} WithoutId
 */

/**
 * @typedef {WithoutId<PageRequest>} RequestBody
 * @typedef {{ ok: true, data?: unknown } | { ok: false, error: string }} Answer
 *
 * @typedef {object} Connection
 * @property {(body: RequestBody) => Promise<Answer>} request never rejects. A lost connection is the error
 *   `connection_lost`.
 * @property {() => void} close
 */

const MIN_RECONNECT_MS = 300;
const MAX_RECONNECT_MS = 4000;

/**
 * Opens a WebSocket to the workspace, and opens it again whenever it is lost. The server starts with a snapshot each
 * time.
 * @param {object} options
 * @param {string} options.url ws://…/page/live?person=…
 * @param {(message: ServerMessage) => void} options.onMessage called for all messages except results
 * @param {() => void} options.onLost
 * @returns {Connection}
 */
export function connect({ url, onMessage, onLost }) {
  /** @type {Map<number, (answer: Answer) => void>} */
  const pending = new Map();
  /** @type {WebSocket | undefined} */
  let socket;
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
      /** @type {ServerMessage} */
      const message = JSON.parse(event.data);
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
