import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebClient } from '@slack/web-api';
import { listenOnFreePort } from './listening-port.ts';

/** What Slack answers to files.info, and how it sends a file. */
interface SlackFileScript {
  bytes?: Buffer;
  info?: Record<string, unknown>;
  error?: string;
  send?(request: IncomingMessage, response: ServerResponse): void;
}

const TOKEN = 'xoxb-a-token';

/** Starts a Slack that has only these files, and sends them to whoever has the token. */
export async function startSlackFiles() {
  const files = new Map<string, SlackFileScript>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://slack');
    if (pathname === '/api/files.info') return void answerInfo(request, response);
    const { bytes, send } = files.get(pathname.split('/').at(-1) ?? '') ?? {};
    if (request.headers.authorization !== `Bearer ${TOKEN}`) response.writeHead(302, { location: '/' }).end();
    else if (send) send(request, response);
    else response.end(bytes);
  });
  function answerInfo(request: IncomingMessage, response: ServerResponse) {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const id = new URLSearchParams(body).get('file') ?? '';
      const { info, error, bytes } = files.get(id) ?? { error: 'file_not_found' };
      const file = {
        id,
        size: bytes?.length,
        mode: 'hosted',
        url_private_download: `${url}/files/${id}`,
        ...info,
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(error === undefined ? { ok: true, file } : { ok: false, error }));
    });
  }
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  return {
    url,
    files,
    createClient: () => new WebClient(TOKEN, { slackApiUrl: `${url}/api/`, retryConfig: { retries: 0 } }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
