import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests on one socket that wait for their answers. Generous: no known client pipelines requests. */
const MAX_PIPELINED = 8;
const HEAD_END = '\r\n\r\n';

/**
 * Limits pipelined requests. The returned function reports whether a request exceeds the limit, and destroys its socket
 * then.
 *
 * That alone isn't enough: Node parses everything that it has read (64 KB, over a thousand requests) even if the first
 * request destroys the socket, and all other clients wait for that. So after the first violation the requests of every
 * socket are counted before they are parsed. This isn't done from the start because it costs a tenth of the throughput.
 */
export function refusePipelines(
  server: Server,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();
  const open = new Set<Socket>();
  let isAttacked = false;
  server.on('connection', (socket) => {
    if (isAttacked) return countBeforeParsing(socket);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return ({ socket }, response) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) {
      isAttacked = true;
      for (const other of open) countBeforeParsing(other);
      open.clear();
      socket.destroy();
      return true;
    }
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return false;
  };
}

/**
 * Destroys the socket if one read contains too many requests. Requests are counted by empty lines, which no body of
 * Slack's contains.
 */
function countBeforeParsing(socket: Socket): void {
  const parsers = socket.listeners('data');
  socket.removeAllListeners('data');
  socket.on('data', (read: Buffer) => {
    if (countRequests(read) > MAX_PIPELINED) socket.destroy();
    else for (const parse of parsers) parse.call(socket, read);
  });
}

/** The number of request heads that end in `read`, but at most one more than allowed. */
function countRequests(read: Buffer): number {
  let count = 0;
  for (let at = read.indexOf(HEAD_END); at >= 0 && count <= MAX_PIPELINED; count += 1) {
    at = read.indexOf(HEAD_END, at + HEAD_END.length);
  }
  return count;
}
