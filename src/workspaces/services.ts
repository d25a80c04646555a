import type { ApiClient } from '../api/client.ts';
import { joinClients } from '../api/join-clients.ts';
import { createUnavailableClient } from '../api/unavailable-client.ts';
import { createLookupCache } from '../cache/cache.ts';
import type { Credential, Credentials } from './credentials.ts';
import type { ServiceToken } from './refused-token-notices.ts';
import { type ConnectOptions, createServiceAddresses, type ServiceAddresses } from './service-addresses.ts';

/** The service that the settings name. It serves only the workspace of the settings' bot token. */
interface SettingsService {
  api: ApiClient;
  serves(workspace: string): boolean;
}

interface ServicesOptions extends ConnectOptions {
  credentials: Credentials;
  settings?: SettingsService | undefined;
  /** Clock, ms. Defaults to the system clock. */
  now?: () => number;
  /** Slack's ids of the people who may connect a service. */
  ownersOf?(workspace: string): Promise<readonly string[] | 'unknown'>;
  /** Called when the service refuses a token (401). */
  onRefused?(token: ServiceToken): void;
  onTokenReplaced?(token: ServiceToken): Promise<void>;
}

/** Each workspace's clients of its scheduling services. */
export interface Services extends ServiceAddresses {
  /** Without a connection every call ends as not connected. `isDefault`: the settings' service is used. */
  of(workspace: string): Promise<{ api: ApiClient; isDefault: boolean }>;
  /** For background work. Undefined if no service is connected for the project (without `project`: none at all). */
  apiFor(workspace: string, project?: string): Promise<ApiClient | undefined>;
  /** The connections made from Slack, without their tokens. */
  listConnections(workspace: string): Promise<readonly Omit<Credential, 'token'>[]>;
  /** Whether the workspace uses the settings' service while it connects none. */
  hasDefault(workspace: string): boolean;
  /** Replaces the credential of the same project. */
  save(workspace: string, credential: Omit<Credential, 'id'>): Promise<void>;
  /** False if it no longer exists, or belongs to another workspace. */
  remove(workspace: string, id: string): Promise<boolean>;
  /** Drops the clients of a workspace whose credentials were deleted. */
  forget(workspace: string): void;
  close(): Promise<void>;
}

/** A workspace's clients. They are replaced when its credentials change. */
interface WorkspaceClients {
  /** The ids of the credentials. */
  ids: string;
  /** For everything outside the connected projects. */
  general: ApiClient | undefined;
  isDefault: boolean;
  /** Reads from all connected services. */
  all: ApiClient;
  byProject: ReadonlyMap<string, ApiClient>;
  /** The clients to close. */
  closable: readonly ApiClient[];
}

/** How long credentials are cached; a replacement by another instance takes effect within this time. */
const MAX_AGE_MS = 10_000;

export function createServices(options: ServicesOptions): Services {
  const { credentials, settings, now = Date.now } = options;
  const addresses = createServiceAddresses(options);
  const current = new Map<string, WorkspaceClients>();
  const cached = createLookupCache<WorkspaceClients>({ maxAgeMs: MAX_AGE_MS, now });

  async function loadClients(workspace: string): Promise<WorkspaceClients> {
    const found = await credentials.list(workspace);
    const ids = found.map(({ id }) => id).join(' ');
    const before = current.get(workspace);
    if (before?.ids === ids) return before;
    const watch = (client: ApiClient, project?: Credential['project']) =>
      withRefusalListener({ ...client, ...(project && { tokenProjectId: project.id }) }, () =>
        options.onRefused?.({ workspace, ...(project && { project }) }),
      );
    const clients = found.map((one) => ({
      project: one.project,
      client: addresses.clientFor(one, workspace),
    }));
    const own = clients.flatMap(({ project, client }) =>
      project ? [{ project, client: watch(client, project) }] : [],
    );
    const connected = clients.find(({ project }) => !project)?.client;
    const defaultApi = settings?.serves(workspace) ? settings.api : undefined;
    const general = connected ?? defaultApi;
    const notConnected = createUnavailableClient('not-connected', async () => {
      const owners = (await options.ownersOf?.(workspace)) ?? [];
      return owners === 'unknown' ? [] : owners;
    });
    const next: WorkspaceClients = {
      ids,
      general: general && watch(general),
      isDefault: connected === undefined && defaultApi !== undefined,
      all:
        own.length > 0
          ? joinClients(general && watch(general), own, notConnected)
          : general
            ? watch(general)
            : notConnected,
      byProject: new Map(own.map(({ project, client }) => [project.id, client])),
      closable: clients.map(({ client }) => client),
    };
    // The previous clients are not closed: calls may still use them, and idle ones keep no connection open.
    current.set(workspace, next);
    return next;
  }

  const clientsOf = (workspace: string): Promise<WorkspaceClients> =>
    cached.get(workspace, () => loadClients(workspace));

  return {
    ...addresses,
    async of(workspace) {
      const { all: api, isDefault } = await clientsOf(workspace);
      return { api, isDefault };
    },
    async apiFor(workspace, project) {
      const { all, general, byProject } = await clientsOf(workspace);
      if (project !== undefined) return byProject.get(project) ?? general;
      return general || byProject.size > 0 ? all : undefined;
    },
    async listConnections(workspace) {
      return (await credentials.list(workspace)).map(({ token: _token, ...rest }) => rest);
    },
    hasDefault: (workspace) => settings?.serves(workspace) ?? false,
    async save(workspace, credential) {
      await credentials.save(workspace, credential);
      cached.drop(workspace);
      const { project } = credential;
      await options.onTokenReplaced?.({ workspace, ...(project && { project }) });
    },
    async remove(workspace, id) {
      const removed = await credentials.remove(workspace, id);
      cached.drop(workspace);
      return removed;
    },
    forget(workspace) {
      cached.drop(workspace);
      current.delete(workspace);
    },
    async close() {
      const clients = [...current.values()].flatMap(({ closable }) => closable);
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

/** Calls `onRefused` for each 401. */
function withRefusalListener(client: ApiClient, onRefused: () => void): ApiClient {
  return {
    ...client,
    async call(operation, send) {
      const outcome = await client.call(operation, send);
      if (outcome.kind === 'refused' && outcome.status === 401) onRefused();
      return outcome;
    },
  };
}
