import { LRUCache } from 'lru-cache';
import { type AddressRules, computeEndpointKey, parseServiceAddress } from '../api/address-rules.ts';
import {
  type AddressGuard,
  type ApiClient,
  type ApiClientOptions,
  createApiClient,
  createReadSlots,
  createUnavailableClient,
} from '../api/client.ts';
import { joinClients } from '../api/join-clients.ts';
import { isAccessRefusal } from '../api/outcome.ts';
import { getServiceId, hasProject, withProjectIds } from '../api/project-ids.ts';
import { createLookupCache, limitEntries } from '../cache/cache.ts';
import { readLocalTime } from '../durations.ts';
import type { Connection, Credential, Credentials, ServiceToken, StoredServices } from './credentials.ts';
import {
  buildLatestId,
  createProjectIds,
  type ProjectException,
  type ServiceRecords,
} from './known-projects.ts';

interface ServicesOptions extends ConnectOptions {
  credentials: Credentials;
  records: ServiceRecords;
  /**
   * The service in the settings. It serves only the workspace of the bot token in the settings. `name`: what identifies it
   * in place of its address.
   */
  settings?:
    | {
        api: ApiClient;
        name?: string | undefined;
        isEmulated?: boolean;
        servesWorkspace(workspace: string): boolean;
      }
    | undefined;
  /** Clock, ms. Defaults to the system clock. */
  now?: () => number;
  /** Slack's ids of the people who may connect a service. */
  listOwners?(workspace: string): Promise<readonly string[] | 'unknown'>;
  /** Called when a workspace first uses the service in the settings after another one. */
  onOtherDefault?(workspace: string): void;
  /** Called when the service refuses a token (401). */
  onRefused?(token: ServiceToken): void;
  onTokenReplaced?(token: ServiceToken): Promise<void>;
}

export type Services = ReturnType<typeof createServices>;

/** 'practice': the built-in one. 'default': the operator has set one up. */
export type DefaultService = 'practice' | 'default' | 'none';

/** `isOther`: whether the service is another one than the one that the connection replaces, or that the workspace has. */
interface SavedConnection {
  projectId: string | undefined;
  isOther: boolean;
}

interface ReturnedProject extends Pick<ProjectException, 'service' | 'project'> {
  askedAt: Date;
}

interface NewConnection extends Omit<Credential, 'id'> {
  /** The id of the project whose own connection is replaced. */
  replaced?: string | undefined;
  /** Whether the service is the one from before, at a new address. */
  hasMoved?: boolean;
}

/** A workspace's clients. They are replaced when its credentials change. */
interface WorkspaceClients {
  /** Equal for equal credentials, marks and exceptions. */
  version: string;
  /** The workspace's client. Projects without their own connection use it too. */
  generalClient: ApiClient | undefined;
  /** The mark of its service in the ids of projects. */
  generalMark: string | undefined;
  exceptions: readonly ProjectException[];
  /** Whether all projects use the service in the settings. */
  isDefault: boolean;
  /** Reads from all connected services. */
  joinedClient: ApiClient;
  clientsByProject: ReadonlyMap<string, ApiClient>;
  closableClients: readonly ApiClient[];
}

/**
 * How long connections are cached. After a replacement by another instance, lists of the earlier service are read for this
 * long, or until a call is refused. Nothing is sent there: see `connection-check.ts`.
 */
const MAX_AGE_MS = 10_000;
/**
 * Maximum number of workspaces whose clients are stored: up to 80 MB, because a client that has made a call takes 7 kB.
 * A replacement of an evicted client starts without its cached lists and the waits that its service requested.
 */
const MAX_WORKSPACES = 10_000;

export function createServices(options: ServicesOptions) {
  const { credentials, records, settings, now = readLocalTime } = options;
  const addresses = createServiceAddresses(options);
  const currentClients = new LRUCache<string, WorkspaceClients>(limitEntries(MAX_WORKSPACES));
  const cache = createLookupCache<WorkspaceClients>({
    maxAgeMs: MAX_AGE_MS,
    max: MAX_WORKSPACES,
    now,
    // Another instance may have connected a service since, and nobody may read that none is.
    maxAgeOf: (clients) => (isConnected(clients) ? undefined : 0),
  });

  /** Finds the mark of a service, which gets one when it is used first. `sameAs`: see `addService`. */
  async function findMark(
    workspace: string,
    { services }: Pick<StoredServices, 'services'>,
    address: string,
    sameAs?: string,
  ): Promise<string> {
    const endpoint = computeEndpointKey(address);
    const known = services.get(endpoint);
    if (known !== undefined && (sameAs === undefined || sameAs === known)) return known;
    return records.addService({ workspace, endpoint, sameAs });
  }

  /**
   * Lists the marks of the services that a new connection may come after: that of the connection that it replaces. Without
   * one, those that are connected or, if none is, that were connected before.
   */
  async function listEarlierMarks(
    workspace: string,
    stored: StoredServices,
    { project, replaced }: Pick<NewConnection, 'project' | 'replaced'>,
  ): Promise<readonly string[]> {
    const { generalMark } = await getClients(workspace);
    const own = stored.credentials.filter((credential) => credential.project);
    const replacedOwn = own.find((credential) => credential.project?.id === replaced);
    if (replacedOwn) return [await findMark(workspace, stored, replacedOwn.url)];
    if (!project && generalMark !== undefined) return [generalMark];
    const connected = generalMark === undefined ? [] : [generalMark];
    for (const { url } of own) connected.push(await findMark(workspace, stored, url));
    return [...new Set(connected.length > 0 ? connected : stored.services.values())];
  }

  async function loadClients(workspace: string): Promise<WorkspaceClients> {
    const stored = await credentials.load(workspace);
    const { credentials: storedCredentials, exceptions } = stored;
    const defaultClient = settings?.servesWorkspace(workspace) ? settings.api : undefined;
    const marks: string[] = [];
    for (const { url } of storedCredentials) marks.push(await findMark(workspace, stored, url));
    const ownIndex = storedCredentials.findIndex(({ project }) => !project);
    const defaultMark =
      defaultClient && ownIndex === -1
        ? await findMark(workspace, stored, settings?.name ?? defaultClient.address)
        : undefined;
    const earlierMarks = [...stored.services.values()];
    if (defaultMark !== undefined && earlierMarks.length > 0 && !earlierMarks.includes(defaultMark))
      options.onOtherDefault?.(workspace);
    const version = JSON.stringify([storedCredentials.map(({ id }) => id), marks, defaultMark, exceptions]);
    const current = currentClients.get(workspace);
    if (current?.version === version) return current;
    // A token of an earlier project with the same id isn't used for the new one.
    const connections = storedCredentials.flatMap((credential, index) => {
      const { project } = credential;
      const mark = marks[index] ?? '';
      const isCurrent = !project || buildLatestId(exceptions, mark, getServiceId(project.id)) === project.id;
      return isCurrent ? [{ credential, project, mark }] : [];
    });
    const ownIds = new Set(connections.flatMap(({ project }) => (project ? [project.id] : [])));
    const addProjectIds = (client: ApiClient, mark: string, project?: Credential['project']) => {
      const ownId = project && getServiceId(project.id);
      const watch = records.createWatch({
        workspace,
        service: mark,
        // The workspace's token may see fewer projects than there are, so a project's own token says whether it exists.
        isWatched: (serviceId) =>
          ownId === undefined ? !ownIds.has(buildLatestId(exceptions, mark, serviceId)) : ownId === serviceId,
        onChanged: () => cache.drop(workspace),
      });
      return withProjectIds(client, createProjectIds(mark, exceptions, watch));
    };
    // How often a refused call has had the credentials read again.
    let rereads = 0;
    const addRefusalListener = (
      client: ApiClient,
      credentialId: string,
      project?: Credential['project'],
    ): ApiClient => ({
      ...client,
      credentialId,
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
    const connectedClients = connections.map(({ credential, project, mark }) => ({
      project,
      credentialId: credential.id,
      client: addProjectIds(addresses.createClient(credential, workspace), mark, project),
    }));
    const projectClients = connectedClients.flatMap(({ project, client, credentialId }) =>
      project ? [{ project, client: addRefusalListener(client, credentialId, project) }] : [],
    );
    const workspaceConnection = connectedClients.find(({ project }) => !project);
    const clientWithoutListener =
      workspaceConnection?.client ??
      (defaultClient && defaultMark !== undefined ? addProjectIds(defaultClient, defaultMark) : undefined);
    const generalClient =
      clientWithoutListener &&
      addRefusalListener(clientWithoutListener, workspaceConnection?.credentialId ?? '');
    const unavailableClient = createUnavailableClient('not-connected', async () => {
      const owners = (await options.listOwners?.(workspace)) ?? [];
      return owners === 'unknown' ? [] : owners;
    });
    const clients: WorkspaceClients = {
      version,
      generalClient,
      generalMark: defaultMark ?? marks[ownIndex],
      exceptions,
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

  const getClients = (workspace: string, isLive = false): Promise<WorkspaceClients> =>
    cache.get(workspace, () => loadClients(workspace), isLive);

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
    /**
     * The client for background work in a project or, without one, in all. Undefined if no service is connected. `isLive`:
     * whether the connections are read again.
     */
    async findApi(
      workspace: string,
      project?: string,
      { isLive = false } = {},
    ): Promise<ApiClient | undefined> {
      const clients = await getClients(workspace, isLive);
      if (project !== undefined) return findClient(clients, project);
      return isConnected(clients) ? clients.joinedClient : undefined;
    },
    /** Whether a service is connected, but not the one that a project is at. Another instance may have connected it since. */
    async isElsewhere(workspace: string, project: string): Promise<boolean> {
      const isElsewhereNow = (clients: WorkspaceClients) => {
        const isReachable = clients.generalClient !== undefined || clients.clientsByProject.has(project);
        return isReachable && findClient(clients, project) === undefined;
      };
      return isElsewhereNow(await getClients(workspace)) && isElsewhereNow(await getClients(workspace, true));
    },
    /** The connections that people made in Slack, without the tokens. */
    async listConnections(workspace: string): Promise<readonly Omit<Credential, 'token'>[]> {
      return (await credentials.load(workspace)).credentials.map(
        ({ token: _token, ...connection }) => connection,
      );
    },
    /** The projects about which the owners were asked whether they are the same as before. They have the service's ids. */
    async listQuestions(workspace: string): Promise<readonly ReturnedProject[]> {
      const { exceptions } = await getClients(workspace);
      return exceptions.flatMap(({ service, project, askedAt }) =>
        askedAt === null ? [] : [{ service, project, askedAt: new Date(askedAt) }],
      );
    },
    /** The service that the workspace uses if it has no connection. */
    findDefault(workspace: string): DefaultService {
      if (!settings?.servesWorkspace(workspace)) return 'none';
      return settings.isEmulated ? 'practice' : 'default';
    },
    /**
     * Stores a connection. It replaces that of the same project of the same service, or of the workspace, and the one that
     * is named. `project` has the service's id. Resolves with 'unclear', and stores nothing, if it isn't clear which
     * service has moved.
     */
    async save(workspace: string, connection: NewConnection): Promise<SavedConnection | 'unclear'> {
      const { project, replaced, hasMoved = false, ...stored } = connection;
      const before = await credentials.load(workspace);
      const earlierMarks = await listEarlierMarks(workspace, before, connection);
      if (hasMoved && earlierMarks.length > 1) return 'unclear';
      const mark = await findMark(workspace, before, connection.url, hasMoved ? earlierMarks[0] : undefined);
      const saved = project && {
        id: buildLatestId(before.exceptions, mark, getServiceId(project.id)),
        name: project.name,
      };
      await credentials.save(workspace, { ...stored, ...(saved && { project: saved }) });
      const former = before.credentials.find((credential) => credential.project?.id === replaced);
      if (saved && former?.project && former.project.id !== saved.id)
        await credentials.remove(workspace, former.id);
      cache.drop(workspace);
      await options.onTokenReplaced?.({ workspace, ...(saved && { project: saved }) });
      return { projectId: saved?.id, isOther: earlierMarks.length > 0 && !earlierMarks.includes(mark) };
    },
    /** See `settleProject`. */
    async settleProject(workspace: string, key: string, isSame: boolean): Promise<string | undefined> {
      const projectId = await records.settleProject({ workspace, key, isSame });
      cache.drop(workspace);
      return projectId;
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

/** Whether a workspace has any service. */
const isConnected = ({ generalClient, clientsByProject }: WorkspaceClients) =>
  generalClient !== undefined || clientsByProject.size > 0;

/** Finds the client of a project. Undefined if the project isn't at a service that is connected. */
function findClient(
  { generalClient, clientsByProject }: Pick<WorkspaceClients, 'generalClient' | 'clientsByProject'>,
  project: string,
): ApiClient | undefined {
  const client = clientsByProject.get(project) ?? generalClient;
  return client?.projectIds && hasProject(client.projectIds, project) ? client : undefined;
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
  const createSlot = createReadSlots();
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
        createSlot,
        ...limits,
        ...(onCall && { onCall }),
      });
    },
  };
}
