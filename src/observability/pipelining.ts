import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Nobody pipelines requests to us; who does so for long takes memory with every one. */
const MAX_PIPELINED = 8;
const HEAD_END = '\r\n\r\n';

/**
 * Closes a socket that sends too many requests in one read, before any is parsed. Node parses everything that it has
 * read (64 KB, a thousand requests) even when the first of them destroys the socket, and everybody else waits for that.
 * No body that Slack sends contains an empty line.
 */
export function cutOffPipelines(server: Server): void {
  server.on('connection', (socket) => {
    const parsers = socket.listeners('data');
    socket.removeAllListeners('data');
    socket.on('data', (read: Buffer) => {
      if (requestsIn(read) > MAX_PIPELINED) socket.destroy();
      else for (const parse of parsers) parse.call(socket, read);
    });
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

/** Closes a socket on which too many requests wait for answers: Node takes in as many as are sent. */
export function pipelining(): (socket: Socket, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();
  return (socket, response) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (count > MAX_PIPELINED) socket.destroy();
    return count > MAX_PIPELINED;
  };
}
