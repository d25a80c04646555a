import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Writable } from 'node:stream';
import type { Kysely } from 'kysely';
import { createEncryption } from '../../src/access/access.ts';
import { type Bot, createBot } from '../../src/app/app.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { PUBLICATION_PACE } from '../../src/publications/publications.ts';
import { DEFAULT_ROLE } from './cast.ts';
import type { FileAnswer } from './service.ts';
import { type Process, runIn, runWhileAlive } from './virtual-time.ts';

export const ENCRYPTION_KEY = { id: 'simulated', key: Buffer.alloc(32, 7) };
const SLACK_APP = {
  signingSecret: 'signing-secret',
  clientId: 'client-id',
  clientSecret: 'client-secret',
  publicUrl: 'https://upnext.example.com',
  apiUrl: 'https://slack.com/api/',
};

/**
 * A service that doesn't say what became of a post is asked about it for hours. Here it is asked less often, because these
 * looks would be most of what happens.
 */
Object.assign(PUBLICATION_PACE, { checkWaits: [15_000, 2 * 60_000, 30 * 60_000] });

/** An answer of an instance over HTTP. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** An instance of the app, with its process and its clock. */
export interface Instance {
  process: Process;
  bot: Bot;
  /** Sends a request as Slack does. Never called back if the instance dies first. */
  post(
    request: { contentType: string; body: string; now: number },
    onAnswer: (answer: HttpAnswer) => void,
  ): void;
  /** Fetches a file. `status` is 0 if the answer breaks off. */
  getFile(path: string, onAnswer: (answer: FileAnswer) => void): void;
  get(path: string, headers: Record<string, string>, onAnswer: (answer: HttpAnswer) => void): void;
}

export interface LogLine {
  process: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}

/** Creates an instance of the whole app, which lives in `process` from now on. */
export function createInstance(
  process: Process,
  {
    db,
    scanIntervalMs,
    onLog,
  }: { db: () => Kysely<BotSchema>; scanIntervalMs: number; onLog(line: LogLine): void },
): Instance {
  const write = (level: LogLine['level']) => (fields: object, message: string) =>
    onLog({ process: process.name, level, fields, message });
  const bot = runIn(process, () =>
    createBot({
      slack: { kind: 'oauth', ...SLACK_APP },
      // The world has replaced `fetch` by then.
      sendToSlack: (...call) => fetch(...call),
      db: db(),
      encryption: createEncryption([ENCRYPTION_KEY]),
      log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
      scanIntervalMs,
      isEmulated: false,
      publicUrl: SLACK_APP.publicUrl,
      membersDefaultRole: DEFAULT_ROLE,
    }),
  );
  function send(
    message: { method: string; url: string; headers: Record<string, string>; body: string },
    onAnswer: (answer: HttpAnswer) => void,
  ): void {
    runWhileAlive(process, () =>
      runIn(process, () => {
        const { body, ...head } = message;
        const socket = { remoteAddress: '192.0.2.1', bytesRead: 0, setTimeout: () => undefined };
        const request = Object.assign(Readable.from(body === '' ? [] : [Buffer.from(body)]), {
          ...head,
          socket,
        });
        bot.requestListener?.(
          request as unknown as IncomingMessage,
          createResponse((answer) =>
            runWhileAlive(process, () => onAnswer(answer)),
          ) as unknown as ServerResponse,
        );
      }),
    );
  }
  return {
    process,
    bot,
    post({ contentType, body, now }, onAnswer) {
      const timestamp = String(Math.floor(now / 1000));
      const signature = createHmac('sha256', SLACK_APP.signingSecret)
        .update(`v0:${timestamp}:${body}`)
        .digest('hex');
      const headers = {
        'content-type': contentType,
        'content-length': String(Buffer.byteLength(body)),
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      };
      send({ method: 'POST', url: '/slack/events', headers, body }, onAnswer);
    },
    getFile(url, onAnswer) {
      runWhileAlive(process, () =>
        runIn(process, () => {
          const response = createFileResponse((answer) => runWhileAlive(process, () => onAnswer(answer)));
          const request = { method: 'GET', url, headers: {}, socket: { remoteAddress: '192.0.2.2' } };
          void bot.serveMedia?.(request as unknown as IncomingMessage, response as unknown as ServerResponse);
        }),
      );
    },
    get: (path, headers, onAnswer) => send({ method: 'GET', url: path, headers, body: '' }, onAnswer),
  };
}

/** The part of Node's response that the app uses for files. */
function createFileResponse(onAnswer: (answer: FileAnswer) => void): Writable {
  const pieces: Buffer[] = [];
  let status = 200;
  const response = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
    final(done) {
      onAnswer({ status, body: Buffer.concat(pieces) });
      done();
    },
    destroy(_error, done) {
      if (!response.writableFinished) onAnswer({ status: 0, body: Buffer.alloc(0) });
      done(null);
    },
  });
  return Object.assign(response, {
    headersSent: false,
    setTimeout: () => undefined,
    writeHead(code: number) {
      status = code;
      return Object.assign(response, { headersSent: true });
    },
  });
}

/** The part of Node's response that the app uses. */
function createResponse(onAnswer: (answer: HttpAnswer) => void) {
  const emitter = new EventEmitter();
  const headers: Record<string, unknown> = {};
  const response = Object.assign(emitter, {
    headersSent: false,
    socket: null,
    statusCode: 200,
    setHeader(name: string, value: unknown) {
      headers[name.toLowerCase()] = value;
      return response;
    },
    writeHead(status: number, more: Record<string, unknown> = {}) {
      response.headersSent = true;
      response.statusCode = status;
      for (const [name, value] of Object.entries(more)) response.setHeader(name, value);
      return response;
    },
    end(body = '') {
      onAnswer({ status: response.statusCode, headers, body: String(body) });
      emitter.emit('finish');
    },
    destroy() {
      onAnswer({ status: 0, headers, body: '' });
    },
  });
  return response;
}
