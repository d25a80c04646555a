import { rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { PracticeService } from '../../../src/emulators/service/start-service.ts';
import { newDatabaseFolder } from '../../support/database-folder.ts';
import { type PracticeOptions, SERVICE_TOKEN, startPracticeService } from '../../support/practice-service.ts';

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
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what the description leaves open
  json: any;
}

export interface RunningService {
  url: string;
  send(method: string, path: string, sent?: RequestOptions): Promise<ServiceResponse>;
  /** Internal errors. */
  faults: unknown[];
  practice: PracticeService;
  close(): Promise<void>;
}

/** Creates a folder for a test's database, and a function that removes it. */
export async function temporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await newDatabaseFolder();
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
    send: (method, path, sent = {}) => send(service.url, method, path, sent),
    close: () => service.close(),
  };
}

/** Sends one request over a new connection, exactly as given: client libraries would correct it. */
export function send(
  url: string,
  method: string,
  path: string,
  sent: RequestOptions = {},
): Promise<ServiceResponse> {
  const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
  const authorization = sent.authorization === undefined ? `Bearer ${TOKEN}` : sent.authorization;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = {
      ...((body ?? sent.chunks) !== undefined && { 'content-type': 'application/json' }),
      ...(authorization !== null && { authorization }),
      // Without a length, Node.js would send the body of a GET as the start of another request.
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      ...(sent.chunks && { 'transfer-encoding': 'chunked' }),
      ...sent.headers,
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
    for (const chunk of sent.chunks ?? []) outgoing.write(chunk);
    outgoing.end(body);
  });
}

/** Lists the problems of a response with status 422, such as "body.Content missing". */
export function listProblems({ json }: ServiceResponse): string[] {
  return json.detail.map(
    ({ loc, type }: { loc: (string | number)[]; type: string }) => `${loc.join('.')} ${type}`,
  );
}
