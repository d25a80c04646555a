import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenOnFreePort } from './listening-port.ts';
import { type AnswerFault, ProxiedConnection } from './proxied-connection.ts';

/**
 * A TCP proxy in front of a Postgres, on a port of 127.0.0.1. Its methods cause deterministic network failures.
 * Instances that fail independently need separate proxies. The proxy parses the protocol, so connections have no TLS.
 *
 *   const proxy = await startDatabaseProxy(parseTarget(databaseUrl));
 *   const db = new Kysely({ dialect: createPostgresDialect(proxy.url(databaseUrl)) });
 *   const lost = proxy.loseNextAnswer(/^commit/i);
 *   await expect(transaction(db)).rejects.toThrow();   // committed, but the answer was lost
 *   await lost;
 */
export interface DatabaseProxy {
  port: number;
  /** The address of the database through this proxy. */
  url(databaseUrl: string): string;
  /**
   * Cuts all connections silently, as a firewall does that lost its state: they stay open, but no data arrives. New
   * connections are also cut until `restore`, unless `allowsNewConnections`.
   */
  cutSilently(options?: { allowsNewConnections?: boolean }): void;
  /** Delays all answers by `ms`, including those on new connections. 0 ends the delay. */
  delayAnswers(ms: number): void;
  /**
   * Delays the answer to the next statement that matches. Resolves with true when the server has executed the statement
   * and the answer is delayed. Resolves with false if `restore` is called first.
   */
  delayNextAnswer(ms: number, statement?: RegExp): Promise<boolean>;
  /**
   * Loses the answer to the next statement that matches, and resets its connection. `statement` defaults to any.
   * Resolves with true when the answer is lost. Resolves with false if `restore` is called first.
   */
  loseNextAnswer(statement?: RegExp): Promise<boolean>;
  /** New connections go to this database from now on. */
  pointTo(databaseUrl: string): void;
  /** Resets all connections. New connections aren't affected. */
  reset(): void;
  /** Resets new connections at once, until `restore`. */
  refuse(): void;
  /** Ends all faults: sends delayed answers and cancels planned faults. Silently cut connections stay cut. */
  restore(): void;
  /** The number of connected clients, including silently cut ones. */
  countConnections(): number;
  close(): Promise<void>;
}

type Target = { host: string; port: number } | { socketPath: string };

export async function startDatabaseProxy(initialTarget: Target): Promise<DatabaseProxy> {
  const connections = new Set<ProxiedConnection>();
  /** Silently cut connections, including those whose client has disconnected. */
  const cutConnections = new Set<ProxiedConnection>();
  const faults = new Set<AnswerFault>();
  let target = initialTarget;
  let newConnections: 'pass' | 'cut' | 'refused' = 'pass';
  let delayMs = 0;

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (newConnections === 'refused') return void client.resetAndDestroy();
    const connection = new ProxiedConnection(client, {
      target,
      isCut: newConnections === 'cut',
      delayMs: () => delayMs,
      takePlannedFault(statement) {
        const fault = [...faults].find((planned) => planned.statement.test(statement));
        if (fault) faults.delete(fault);
        return fault;
      },
      onClose: () => connections.delete(connection),
    });
    connections.add(connection);
    if (newConnections === 'cut') cutConnections.add(connection);
  });
  const port = await listenOnFreePort(server);
  const plan = (fault: Omit<AnswerFault, 'onEnd'>): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    faults.add({ ...fault, onEnd: resolve });
    return promise;
  };
  return {
    port,
    url: (databaseUrl) => buildProxyUrl(databaseUrl, port),
    cutSilently({ allowsNewConnections = false } = {}) {
      for (const connection of connections) {
        connection.cutSilently();
        cutConnections.add(connection);
      }
      if (!allowsNewConnections) newConnections = 'cut';
    },
    delayAnswers(ms) {
      delayMs = ms;
    },
    delayNextAnswer: (ms, statement = /^/) => plan({ kind: 'delay', ms, statement }),
    loseNextAnswer: (statement = /^/) => plan({ kind: 'lose', ms: 0, statement }),
    pointTo(databaseUrl) {
      target = parseTarget(databaseUrl);
    },
    reset() {
      for (const connection of connections) connection.reset();
    },
    refuse() {
      newConnections = 'refused';
    },
    restore() {
      newConnections = 'pass';
      delayMs = 0;
      for (const fault of faults) fault.onEnd(false);
      faults.clear();
      for (const connection of new Set([...connections, ...cutConnections])) connection.restore();
      cutConnections.clear();
    },
    countConnections: () => connections.size,
    async close() {
      for (const connection of new Set([...connections, ...cutConnections])) connection.reset();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

const ADDRESS = /^(postgres(?:ql)?:\/\/)(?:([^@/]*)@)?([^/?]*)\/([^?]*)(?:\?(.*))?$/;
const POSTGRES_PORT = 5432;

/** Parses the target of a Postgres address. Its parameter `host` is the folder of a Unix socket. */
export function parseTarget(databaseUrl: string): Target {
  const [, , , hostAndPort = '', , query = ''] = ADDRESS.exec(databaseUrl) ?? [];
  const folder = new URLSearchParams(query).get('host');
  if (folder?.startsWith('/')) return { socketPath: `${folder}/.s.PGSQL.${POSTGRES_PORT}` };
  const [host = '', port = POSTGRES_PORT] = hostAndPort.split(':');
  return { host, port: Number(port) };
}

function buildProxyUrl(databaseUrl: string, port: number): string {
  const [, scheme = '', user, , database = '', query = ''] = ADDRESS.exec(databaseUrl) ?? [];
  if (scheme === '') throw new Error('not the address of a Postgres database');
  const parameters = new URLSearchParams(query);
  parameters.delete('host');
  parameters.delete('port');
  const search = parameters.size > 0 ? `?${parameters}` : '';
  return `${scheme}${user === undefined ? '' : `${user}@`}127.0.0.1:${port}/${database}${search}`;
}
