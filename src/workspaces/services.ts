import { LRUCache } from 'lru-cache';
import { type AddressRules, parseServiceAddress } from '../api/address-rules.ts';
import {
  type AddressGuard,
  type ApiClient,
  type ApiClientOptions,
  createApiClient,
  createUnavailableClient,
} from '../api/client.ts';
import { joinClients } from '../api/join-clients.ts';
import { isAccessRefusal } from '../api/outcome.ts';
import { createLookupCache, limitEntries } from '../cache/cache.ts';
import { readLocalTime } from '../durations.ts';
import type { Connection, Credential, Credentials, ServiceToken } from './credentials.ts';

interface ServicesOptions extends ConnectOptions {
  credentials: Credentials;
  /** The service in the settings. It serves only the workspace of the bot token in the settings. */
  settings?: { api: ApiClient; servesWorkspace(workspace: string): boolean } | undefined;
  /** Clock, ms. Defaults to the system clock. */
  now?: () => number;
  /** Slack's ids of the people who may connect a service. */
  listOwners?(workspace: string): Promise<readonly string[] | 'unknown'>;
  /** Called when the service refuses a token (401). */
  onRefused?(token: ServiceToken): void;
  onTokenReplaced?(token: ServiceToken): Promise<void>;
}

export type Services = ReturnType<typeof createServices>;

/** A workspace's clients. They are replaced when its credentials change. */
interface WorkspaceClients {
  credentialIds: string;
  /** The workspace's client. Projects without their own connection use it too. */
  generalClient: ApiClient | undefined;
  /** Whether all projects use the service in the settings. */
  isDefault: boolean;
  /** Reads from all connected services. */
  joinedClient: ApiClient;
  clientsByProject: ReadonlyMap<string, ApiClient>;
  closableClients: readonly ApiClient[];
}

/** How long credentials are cached. A replacement by another instance counts after this time, or after a refused call. */
const MAX_AGE_MS = 10_000;
/**
 * Maximum number of workspaces whose clients are stored: up to 80 MB, because a client that has made a call takes 7 kB.
 * A replacement of an evicted client starts without its cached lists and the waits that its service requested.
 */
const MAX_WORKSPACES = 10_000;

export function createServices(options: ServicesOptions) {
  const { credentials, settings, now = readLocalTime } = options;
  const addresses = createServiceAddresses(options);
  const currentClients = new LRUCache<string, WorkspaceClients>(limitEntries(MAX_WORKSPACES));
  const cache = createLookupCache<WorkspaceClients>({ maxAgeMs: MAX_AGE_MS, max: MAX_WORKSPACES, now });

  async function loadClients(workspace: string): Promise<WorkspaceClients> {
    const storedCredentials = await credentials.list(workspace);
    const credentialIds = storedCredentials.map(({ id }) => id).join(' ');
    const current = currentClients.get(workspace);
    if (current?.credentialIds === credentialIds) return current;
    // How often a refused call has had the credentials read again.
    let rereads = 0;
    const addRefusalListener = (client: ApiClient, project?: Credential['project']): ApiClient => ({
      ...client,
      ...(project && { tokenProjectId: project.id }),
      async call(operation, send) {
        const rereadsBefore = rereads;
        const outcome = await client.call(operation, send);
        if (outcome.kind !== 'refused' || !isAccessRefusal(outcome.status)) return outcome;
        // Another instance may have replaced the token. One reading is enough for calls at the same time.
        if (rereads === rereadsBefore) {
          rereads += 1;
          cache.drop(workspace);
        }
        if (outcome.status === 401) {
          const isCurrent = ({ clientsByProject, generalClient }: WorkspaceClients) =>
            (project ? clientsByProject.get(project.id) : generalClient)?.credential === client.credential;
          // After a failure, the next refusal tells the owners.
          void getClients(workspace).then(
            (clients) =>
              isCurrent(clients) && options.onRefused?.({ workspace, ...(project && { project }) }),
            () => undefined,
          );
        }
        return outcome;
      },
    });
    const connectedClients = storedCredentials.map((credential) => ({
      project: credential.project,
      client: addresses.createClient(credential, workspace),
    }));
    const projectClients = connectedClients.flatMap(({ project, client }) =>
      project ? [{ project, client: addRefusalListener(client, project) }] : [],
    );
    const workspaceClient = connectedClients.find(({ project }) => !project)?.client;
    const defaultClient = settings?.servesWorkspace(workspace) ? settings.api : undefined;
    const clientWithoutListener = workspaceClient ?? defaultClient;
    const generalClient = clientWithoutListener && addRefusalListener(clientWithoutListener);
    const unavailableClient = createUnavailableClient('not-connected', async () => {
      const owners = (await options.listOwners?.(workspace)) ?? [];
      return owners === 'unknown' ? [] : owners;
    });
    const clients: WorkspaceClients = {
      credentialIds,
      generalClient,
      isDefault: connectedClients.length === 0 && defaultClient !== undefined,
      joinedClient:
        projectClients.length > 0
          ? joinClients(generalClient, projectClients, unavailableClient)
          : (generalClient ?? unavailableClient),
      clientsByProject: new Map(projectClients.map(({ project, client }) => [project.id, client])),
      closableClients: connectedClients.map(({ client }) => client),
    };
    // Previous and evicted clients are not closed, because calls may still use them. Idle clients close
    // their connections after a few seconds.
    currentClients.set(workspace, clients);
    return clients;
  }

  const getClients = (workspace: string): Promise<WorkspaceClients> =>
    cache.get(workspace, () => loadClients(workspace));

  return {
    ...addresses,
    /**
     * The client for everything that a workspace reads and submits. If no service is connected, every call fails with
     * 'not-connected'. `isDefault`: whether it is only the service in the settings, for all projects.
     */
    async resolveService(workspace: string): Promise<{ api: ApiClient; isDefault: boolean }> {
      const { joinedClient, isDefault } = await getClients(workspace);
      return { api: joinedClient, isDefault };
    },
    /** The client for background work in a project or, without one, in all. Undefined if no service is connected. */
    async findApi(workspace: string, project?: string): Promise<ApiClient | undefined> {
      const { joinedClient, generalClient, clientsByProject } = await getClients(workspace);
      if (project !== undefined) return clientsByProject.get(project) ?? generalClient;
      return generalClient || clientsByProject.size > 0 ? joinedClient : undefined;
    },
    /** The connections that people made in Slack, without the tokens. */
    async listConnections(workspace: string): Promise<readonly Omit<Credential, 'token'>[]> {
      return (await credentials.list(workspace)).map(({ token: _token, ...connection }) => connection);
    },
    /** Whether the workspace uses the service in the settings if it has no connection. */
    hasDefault: (workspace: string) => settings?.servesWorkspace(workspace) ?? false,
    /** Replaces the credential of the same project. */
    async save(workspace: string, credential: Omit<Credential, 'id'>) {
      await credentials.save(workspace, credential);
      cache.drop(workspace);
      const { project } = credential;
      await options.onTokenReplaced?.({ workspace, ...(project && { project }) });
    },
    /** Returns false if the credential no longer exists, or belongs to another workspace. */
    async remove(workspace: string, id: string): Promise<boolean> {
      const isRemoved = await credentials.remove(workspace, id);
      cache.drop(workspace);
      return isRemoved;
    },
    /** Drops the clients of a workspace whose credentials were deleted. */
    forget(workspace: string) {
      cache.drop(workspace);
      currentClients.delete(workspace);
    },
    async close() {
      const clients = [...currentClients.values()].flatMap(({ closableClients }) => closableClients);
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

interface ConnectOptions {
  addressRules: ServiceAddressRules;
  limits?: Pick<ApiClientOptions, 'maxCallMs' | 'maxConnectMs'> | undefined;
  onCall?: ApiClientOptions['onCall'] | undefined;
}

/** Rules for the service addresses that people may enter in Slack, with the DNS lookup and the CA for TLS. */
export interface ServiceAddressRules extends AddressRules, Pick<AddressGuard, 'lookup' | 'ca'> {}

/** Parses service addresses that people enter in Slack, and creates clients for them. */
function createServiceAddresses({ addressRules, limits, onCall }: ConnectOptions) {
  const { allowPrivate, lookup, ca } = addressRules;
  const guard = { allowPrivate, lookup, ca };
  const parseAddress = (address: string) => parseServiceAddress(address, addressRules);
  return {
    parseAddress,
    /** The caller closes the client. All clients of a workspace share its limit of concurrent reads. */
    createClient({ url, token }: Connection, workspace?: string): ApiClient {
      // Check the address again, because the settings may have changed since it was stored.
      const parsed = parseAddress(url);
      if ('fault' in parsed) return createUnavailableClient('address-not-allowed');
      return createApiClient({
        baseUrl: parsed.url,
        token,
        guard,
        quotaKey: workspace,
        ...limits,
        ...(onCall && { onCall }),
      });
    },
  };
}
