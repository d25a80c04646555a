/**
 * @import { PageRequest } from '../page-request.ts'
 * @import { ServerMessage } from '../protocol.ts'
 */

/**
 * @template T
 * @typedef {T extends unknown ? Omit<T, 'id'> : never} WithoutId
 */

/**
 * @typedef {WithoutId<PageRequest>} Asked
 * @typedef {{ ok: true, data?: unknown } | { ok: false, error: string }} Answer
 *
 * @typedef {object} Connection
 * @property {(asked: Asked) => Promise<Answer>} ask never rejects: a lost connection is the answer `connection_lost`
 * @property {() => void} close
 */

const FIRST_WAIT = 300;
const LONGEST_WAIT = 4000;

/**
 * One WebSocket to the workspace. It is opened again whenever it is lost, and each time the server sends a snapshot.
 * @param {object} options
 * @param {string} options.url ws://…/page/live?person=…
 * @param {(message: ServerMessage) => void} options.onMessage everything but results
 * @param {() => void} options.onLost
 * @returns {Connection}
 */
export function connect({ url, onMessage, onLost }) {
  /** @type {Map<number, (answer: Answer) => void>} */
  const pending = new Map();
  /** @type {WebSocket | undefined} */
  let socket;
  let lastId = 0;
  let wait = FIRST_WAIT;
  let closed = false;

  const settleAll = () => {
    for (const settle of pending.values()) settle({ ok: false, error: 'connection_lost' });
    pending.clear();
  };

  const open = () => {
    const own = new WebSocket(url);
    socket = own;
    own.onopen = () => {
      wait = FIRST_WAIT;
    };
    own.onmessage = (event) => {
      /** @type {ServerMessage} */
      const message = JSON.parse(event.data);
      if (closed) return;
      if (message.type !== 'result') return onMessage(message);
      pending.get(message.id)?.(message);
      pending.delete(message.id);
    };
    own.onclose = () => {
      settleAll();
      if (closed) return;
      onLost();
      setTimeout(() => !closed && open(), wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  };
  open();

  return {
    ask: (asked) =>
      new Promise((resolve) => {
        if (socket?.readyState !== WebSocket.OPEN) return resolve({ ok: false, error: 'connection_lost' });
        lastId += 1;
        pending.set(lastId, resolve);
        socket.send(JSON.stringify({ ...asked, id: lastId }));
      }),
    close: () => {
      closed = true;
      settleAll();
      socket?.close();
    },
  };
}
