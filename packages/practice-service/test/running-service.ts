import { rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createDatabaseFolder } from '../../../test/support/database-folder.ts';
import {
  type PracticeOptions,
  SERVICE_TOKEN,
  startPracticeService,
} from '../../../test/support/practice-service.ts';
import type { PracticeService } from '../src/start-service.ts';

export const TOKEN = SERVICE_TOKEN;

/** The sample project that most tests use. It is created last, so it is first in the list. */
export const HARBOUR = '/api/v1/projects/project_000000000002';

export interface RequestOptions {
  body?: unknown;
  /** A raw body instead of `body`, which is sent as JSON. */
  raw?: string | Buffer;
  /** A raw body in chunks, which is sent without a Content-Length. */
  chunks?: readonly Buffer[];
  headers?: Readonly<Record<string, string>>;
  /** The Authorization header; null for none. Defaults to a valid token. */
  authorization?: string | null;
}

export interface ServiceResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: the description leaves the shape of responses open
  json: any;
}

export interface RunningService {
  url: string;
  send(method: string, path: string, options?: RequestOptions): Promise<ServiceResponse>;
  /** Internal errors. */
  faults: unknown[];
  practice: PracticeService;
  close(): Promise<void>;
}

/** Creates a folder for a test's database, and a function that removes it. */
export async function createTemporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await createDatabaseFolder();
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Starts a service with the sample projects in a temporary folder, or in `folder`, which isn't removed. */
export async function runService(options: PracticeOptions = {}): Promise<RunningService> {
  const faults: unknown[] = [];
  const service = await startPracticeService({ onFault: (error) => faults.push(error), ...options });
  return {
    url: service.url,
    faults,
    practice: service,
    send: (method, path, request = {}) => send(service.url, method, path, request),
    close: () => service.close(),
  };
}

/** Sends one request over a new connection, without the corrections that client libraries make. */
export function send(
  url: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<ServiceResponse> {
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const authorization = options.authorization === undefined ? `Bearer ${TOKEN}` : options.authorization;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = {
      ...((body ?? options.chunks) !== undefined && { 'content-type': 'application/json' }),
      ...(authorization !== null && { authorization }),
      // Without a length, Node.js would send the body of a GET as the start of another request.
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      ...(options.chunks && { 'transfer-encoding': 'chunked' }),
      ...options.headers,
    };
    const outgoing = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const status = response.statusCode ?? 0;
        resolve({ status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) });
      });
    });
    outgoing.on('error', reject);
    for (const chunk of options.chunks ?? []) outgoing.write(chunk);
    outgoing.end(body);
  });
}

/** Lists the problems of a response with status 422, such as "body.Content missing". */
export function listProblems({ json }: ServiceResponse): string[] {
  return json.detail.map(
    ({ loc, type }: { loc: (string | number)[]; type: string }) => `${loc.join('.')} ${type}`,
  );
}
