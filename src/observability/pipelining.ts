import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests on one socket that wait for their responses. Generous: no known client pipelines requests. */
const MAX_PIPELINED = 8;
const HEAD_END = '\r\n\r\n';

/**
 * Limits pipelined requests. The returned function reports whether a request exceeds the limit. If it does, its socket
 * is destroyed.
 *
 * Destroying the socket isn't enough, because Node still parses everything that it has read (64 KB, over a thousand
 * requests), and all other clients wait meanwhile. Therefore, after the first violation, the requests of every socket
 * are counted before they are parsed. Before a violation they aren't counted, because that costs a tenth of the
 * throughput.
 */
export function createPipelineLimit(
  server: Server,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waitingCounts = new WeakMap<Socket, number>();
  const openSockets = new Set<Socket>();
  let isAttacked = false;
  server.on('connection', (socket) => {
    if (isAttacked) return countBeforeParsing(socket);
    openSockets.add(socket);
    socket.once('close', () => openSockets.delete(socket));
  });
  return ({ socket }, response) => {
    const count = (waitingCounts.get(socket) ?? 0) + 1;
    if (count > MAX_PIPELINED) {
      isAttacked = true;
      for (const other of openSockets) countBeforeParsing(other);
      openSockets.clear();
      socket.destroy();
      return true;
    }
    waitingCounts.set(socket, count);
    response.once('close', () => waitingCounts.set(socket, (waitingCounts.get(socket) ?? 1) - 1));
    return false;
  };
}

/**
 * Destroys the socket if one chunk contains too many requests. Each empty line counts as a request, because Slack's
 * bodies contain no empty lines.
 */
function countBeforeParsing(socket: Socket): void {
  const parsers = socket.listeners('data');
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    if (countRequests(chunk) > MAX_PIPELINED) socket.destroy();
    else for (const parse of parsers) parse.call(socket, chunk);
  });
}

/** The number of request heads that end in `chunk`. Stops counting above MAX_PIPELINED. */
function countRequests(chunk: Buffer): number {
  let count = 0;
  for (let index = chunk.indexOf(HEAD_END); index >= 0 && count <= MAX_PIPELINED; count += 1) {
    index = chunk.indexOf(HEAD_END, index + HEAD_END.length);
  }
  return count;
}
