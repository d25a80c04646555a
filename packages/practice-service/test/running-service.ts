import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { FaultPlan } from '../src/faults/fault-plan.ts';
import type { FaultCounts } from '../src/faults/service-faults.ts';
import { migrations } from '../src/migrations.ts';
import type { ServiceSchema } from '../src/schema.ts';
import { type PracticeService, startService } from '../src/start-service.ts';

export const TOKEN = 'a-token-for-tests';

export const DOCUMENT = new URL('../../../openapi/scheduling-service.yaml', import.meta.url);

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

/** Databases in memory that no service uses. Creating one takes a second. */
const idleDatabases: PGlite[] = [];

/** Opens the database in `folder`, or an empty one in memory. */
export async function openDatabase(folder?: string): Promise<Kysely<ServiceSchema>> {
  const pglite = folder === undefined ? (idleDatabases.pop() ?? new PGlite()) : new PGlite(folder);
  await pglite.waitReady;
  if (folder === undefined) await pglite.exec('drop schema public cascade; create schema public');
  const dialect = new PGliteDialect({
    pglite: {
      ready: true,
      closed: false,
      waitReady: pglite.waitReady,
      query: (...query) => pglite.query(...query),
      transaction: (work) => pglite.transaction(work),
      close: async () => {
        if (folder === undefined) idleDatabases.push(pglite);
        else await pglite.close();
      },
    },
  });
  const db = new Kysely<ServiceSchema>({ dialect });
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error) throw error;
  return db;
}

/** Creates a folder for a test's database, and a function that removes it. */
export async function createTemporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const parent = await mkdtemp(join(process.env.TEST_FOLDERS ?? tmpdir(), 'service-'));
  return {
    folder: join(parent, 'database'),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}

/** Starts a service with the sample projects, on an empty database or the one in `folder`. */
export async function runService(
  options: {
    now?: () => Date;
    /** Outlives the service. */
    folder?: string;
    /** Whether other processes may set the faults of the service. */
    control?: boolean;
  } = {},
): Promise<RunningService> {
  const { folder, ...serviceOptions } = options;
  const faults: unknown[] = [];
  const service = await startService({
    db: await openDatabase(folder),
    document: DOCUMENT,
    port: 0,
    token: TOKEN,
    onFault: (error) => faults.push(error),
    ...serviceOptions,
  });
  return {
    url: service.url,
    faults,
    practice: service,
    send: (method, path, request = {}) => send(service.url, method, path, request),
    close: () => service.close(),
  };
}

interface FaultState {
  plan: FaultPlan;
  counts: FaultCounts;
}

/** Accesses the faults, posts and projects of a service as another process does, by its `control` address. */
export function connectToFaults(control: string, token = TOKEN) {
  const request = async (method: string, url: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    setFaults: async (plan: FaultPlan) => (await request('PUT', control, plan)) as FaultState,
    clearFaults: async () => (await request('PUT', control, {})) as FaultState,
    readState: async () => (await request('GET', control)) as FaultState,
    remakeProject: (id: string) => request('POST', new URL(`projects/${id}/remake`, control).href),
    /** The number of posts by content. */
    countPosts: async () => (await request('GET', new URL('posts', control).href)) as Record<string, number>,
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
