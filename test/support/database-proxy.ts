import { once } from 'node:events';
import { createServer } from 'node:net';
import { listeningPort } from './listening-port.ts';
import { type AnswerFault, ProxiedConnection } from './proxied-connection.ts';

/**
 * A TCP proxy before a Postgres, on a port of 127.0.0.1, whose failures are those of networks: deterministic, each by a
 * call. Instances that are to fail apart get a proxy each. It reads along without TLS, which pg does not ask for.
 *
 *   const proxy = await startDatabaseProxy(targetOf(databaseUrl));
 *   const db = new Kysely({ dialect: postgresDialect(proxy.url(databaseUrl)) });
 *   const lost = proxy.loseNextAnswer(/^commit/i);
 *   await expect(transaction(db)).rejects.toThrow();   // it was committed, and nobody was told
 *   await lost;
 */
export interface DatabaseProxy {
  port: number;
  /** The same database through this proxy. */
  url(databaseUrl: string): string;
  /**
   * A silent cut, as of a firewall that forgot its connections: what there is stays open, and nothing sent by either
   * side arrives, for good. New connections are accepted and meet the same until `restore`, unless `newOnesPass`.
   */
  swallow(options?: { newOnesPass?: boolean }): void;
  /** All answers, also to new connections, are passed on so many ms after the server gave them. 0: at once again. */
  delayAnswers(ms: number): void;
  /**
   * The same for the answer to the next statement that matches. Resolves with true when the server has executed it, its
   * answer still to come; with false where `restore` was called before.
   */
  delayNextAnswer(ms: number, to?: RegExp): Promise<boolean>;
  /**
   * The next statement that matches (any, unless told) is executed, its answer is not passed on, and its connection is
   * reset. Resolves with true when that has happened, with false where `restore` was called before.
   */
  loseNextAnswer(to?: RegExp): Promise<boolean>;
  /** All connections are reset; new ones pass. */
  reset(): void;
  /** New connections are reset at once, until `restore`. */
  refuse(): void;
  /** As usual again: answers held back arrive, faults that nobody met are called off. Silently cut connections stay so. */
  restore(): void;
  /** How many clients are connected, silently cut ones among them. */
  connections(): number;
  close(): Promise<void>;
}

type Target = { host: string; port: number } | { socketPath: string };

export async function startDatabaseProxy(target: Target): Promise<DatabaseProxy> {
  const connections = new Set<ProxiedConnection>();
  /** Silently cut, also those whose client has left without the server's hearing of it. */
  const cut = new Set<ProxiedConnection>();
  const faults = new Set<AnswerFault>();
  let newOnes: 'pass' | 'swallowed' | 'refused' = 'pass';
  let delayMs = 0;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (newOnes === 'refused') return void client.resetAndDestroy();
    const connection = new ProxiedConnection(client, {
      target,
      isSwallowed: newOnes === 'swallowed',
      delayMs: () => delayMs,
      takeFault(statement) {
        const met = [...faults].find(({ to }) => to.test(statement));
        if (met) faults.delete(met);
        return met;
      },
      closed: () => connections.delete(connection),
    });
    connections.add(connection);
    if (newOnes === 'swallowed') cut.add(connection);
  });
  const port = await listeningPort(server);
  const plan = (fault: Omit<AnswerFault, 'happened'>): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    faults.add({ ...fault, happened: resolve });
    return promise;
  };
  return {
    port,
    url: (databaseUrl) => throughPort(databaseUrl, port),
    swallow({ newOnesPass = false } = {}) {
      for (const connection of connections) {
        connection.swallow();
        cut.add(connection);
      }
      if (!newOnesPass) newOnes = 'swallowed';
    },
    delayAnswers(ms) {
      delayMs = ms;
    },
    delayNextAnswer: (ms, to = /^/) => plan({ kind: 'delay', ms, to }),
    loseNextAnswer: (to = /^/) => plan({ kind: 'lose', ms: 0, to }),
    reset() {
      for (const connection of connections) connection.reset();
    },
    refuse() {
      newOnes = 'refused';
    },
    restore() {
      newOnes = 'pass';
      delayMs = 0;
      for (const fault of faults) fault.happened(false);
      faults.clear();
      for (const connection of new Set([...connections, ...cut])) connection.restore();
      cut.clear();
    },
    connections: () => connections.size,
    async close() {
      for (const connection of new Set([...connections, ...cut])) connection.reset();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

const ADDRESS = /^(postgres(?:ql)?:\/\/)(?:([^@/]*)@)?([^/?]*)\/([^?]*)(?:\?(.*))?$/;
const POSTGRES_PORT = 5432;

/** Where the Postgres of an address listens: `host` among its parameters is the folder of its socket. */
export function targetOf(databaseUrl: string): Target {
  const [, , , place = '', , query = ''] = ADDRESS.exec(databaseUrl) ?? [];
  const folder = new URLSearchParams(query).get('host');
  if (folder?.startsWith('/')) return { socketPath: `${folder}/.s.PGSQL.${POSTGRES_PORT}` };
  const [host = '', port = POSTGRES_PORT] = place.split(':');
  return { host, port: Number(port) };
}

function throughPort(databaseUrl: string, port: number): string {
  const [, scheme = '', user, , database = '', query = ''] = ADDRESS.exec(databaseUrl) ?? [];
  if (scheme === '') throw new Error('that is no address of a Postgres');
  const parameters = new URLSearchParams(query);
  parameters.delete('host');
  parameters.delete('port');
  const more = parameters.size > 0 ? `?${parameters}` : '';
  return `${scheme}${user === undefined ? '' : `${user}@`}127.0.0.1:${port}/${database}${more}`;
}
