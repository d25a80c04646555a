import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests on one socket that wait for their answers. Nobody pipelines requests to us. */
const MAX_PIPELINED = 8;
const HEAD_END = '\r\n\r\n';

/**
 * Whether a request comes on a socket with too many others, which is closed then. Node takes in as many as are sent:
 * it parses all that it has read (64 KB, over a thousand requests) even when the first of them destroys the socket, and
 * everybody else waits for that. From the first such socket on, what arrives on any is therefore counted before it is
 * parsed. Not from the start: it costs a tenth of the requests that we can take.
 */
export function refusePipelines(
  server: Server,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();
  const open = new Set<Socket>();
  let isSeen = false;
  server.on('connection', (socket) => {
    if (isSeen) return countFirst(socket);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return ({ socket }, response) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) {
      isSeen = true;
      for (const other of open) countFirst(other);
      open.clear();
      socket.destroy();
      return true;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return false;
  };
}

/** Closes the socket when one read of it holds too many requests. No body that Slack sends contains an empty line. */
function countFirst(socket: Socket): void {
  const parsers = socket.listeners('data');
  socket.removeAllListeners('data');
  socket.on('data', (read: Buffer) => {
    if (requestsIn(read) > MAX_PIPELINED) socket.destroy();
    else for (const parse of parsers) parse.call(socket, read);
  });
}

/** How many heads end in it; counts no further than one too many. */
function requestsIn(read: Buffer): number {
  let count = 0;
  for (let at = read.indexOf(HEAD_END); at >= 0 && count <= MAX_PIPELINED; count += 1) {
    at = read.indexOf(HEAD_END, at + HEAD_END.length);
  }
  return count;
}
