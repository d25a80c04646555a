import type { ApiClient } from '../api/client.ts';
import { joinClients } from '../api/joined-client.ts';
import { createUnavailableClient } from '../api/no-client.ts';
import { createLookupCache } from '../cache/cache.ts';
import type { Credential, Credentials } from './credentials.ts';
import { type ConnectOptions, type ServiceAddresses, serviceAddresses } from './service-addresses.ts';
import type { Refused } from './tell-refused.ts';

/** The service that the settings name. It serves the workspace of the settings' bot token, and no other. */
interface SettingsService {
  api: ApiClient;
  serves(workspace: string): boolean;
}

interface ServicesOptions extends ConnectOptions {
  credentials: Credentials;
  settings?: SettingsService | undefined;
  /** ms. */
  now?: () => number;
  /** Who can connect it, in Slack's ids. */
  ownersOf?(workspace: string): Promise<readonly string[] | 'unknown'>;
  /** The service takes a token no longer (401). */
  onRefused?(refused: Refused): void;
  onKept?(kept: Refused): Promise<void>;
}

/** Each workspace's way to its scheduling service. */
export interface Services extends ServiceAddresses {
  /** Where nothing is connected, every call ends as not connected. `isDefault`: it is the settings' own service. */
  of(workspace: string): Promise<{ api: ApiClient; isDefault: boolean }>;
  /** For what nobody waits for: undefined where the project (or, without one, nothing at all) is connected. */
  apiFor(workspace: string, project?: string): Promise<ApiClient | undefined>;
  /** What is connected from Slack; the tokens are nobody's to see. */
  connected(workspace: string): Promise<readonly Omit<Credential, 'token'>[]>;
  /** The settings' own service serves it as long as it connects none. */
  hasDefault(workspace: string): boolean;
  keep(workspace: string, credential: Omit<Credential, 'id'>): Promise<void>;
  /** False where it is another workspace's, or gone. */
  remove(workspace: string, id: string): Promise<boolean>;
  /** What the workspace had connected is gone. */
  forget(workspace: string): void;
  close(): Promise<void>;
}

/** A workspace's clients, as long as what it has connected stays as it is. */
interface Made {
  ids: string;
  whole: ApiClient | undefined;
  isDefault: boolean;
  all: ApiClient;
  byProject: ReadonlyMap<string, ApiClient>;
  own: readonly ApiClient[];
}

/** What is connected is read anew after this; what another instance has replaced is used no longer. */
const MAX_AGE_MS = 10_000;

export function createServices(options: ServicesOptions): Services {
  const { credentials, settings, now = Date.now } = options;
  const addresses = serviceAddresses(options);
  const made = new Map<string, Made>();
  const looked = createLookupCache<Made>({ maxAgeMs: MAX_AGE_MS, now });

  async function make(workspace: string): Promise<Made> {
    const found = await credentials.of(workspace);
    const ids = found.map(({ id }) => id).join(' ');
    const before = made.get(workspace);
    if (before?.ids === ids) return before;
    const watch = (client: ApiClient, project?: Credential['project']) =>
      watched({ ...client, ...(project && { tokenOf: project.id }) }, () =>
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
    const usual = settings?.serves(workspace) ? settings.api : undefined;
    const whole = connected ?? usual;
    const none = createUnavailableClient('not-connected', async () => {
      const owners = (await options.ownersOf?.(workspace)) ?? [];
      return owners === 'unknown' ? [] : owners;
    });
    const next: Made = {
      ids,
      whole: whole && watch(whole),
      isDefault: connected === undefined && usual !== undefined,
      all: own.length > 0 ? joinClients(whole && watch(whole), own, none) : whole ? watch(whole) : none,
      byProject: new Map(own.map(({ project, client }) => [project.id, client])),
      own: clients.map(({ client }) => client),
    };
    // Those before it keep no connection open, and may still be called by who has one.
    made.set(workspace, next);
    return next;
  }

  const clientsOf = (workspace: string): Promise<Made> => looked.get(workspace, () => make(workspace));

  return {
    ...addresses,
    async of(workspace) {
      const { all: api, isDefault } = await clientsOf(workspace);
      return { api, isDefault };
    },
    async apiFor(workspace, project) {
      const { all, whole, byProject } = await clientsOf(workspace);
      if (project !== undefined) return byProject.get(project) ?? whole;
      return whole || byProject.size > 0 ? all : undefined;
    },
    async connected(workspace) {
      return (await credentials.of(workspace)).map(({ token: _token, ...rest }) => rest);
    },
    hasDefault: (workspace) => settings?.serves(workspace) ?? false,
    async keep(workspace, credential) {
      await credentials.keep(workspace, credential);
      looked.drop(workspace);
      const { project } = credential;
      await options.onKept?.({ workspace, ...(project && { project }) });
    },
    async remove(workspace, id) {
      const removed = await credentials.remove(workspace, id);
      looked.drop(workspace);
      return removed;
    },
    forget(workspace) {
      looked.drop(workspace);
      made.delete(workspace);
    },
    async close() {
      await Promise.all([...made.values()].flatMap(({ own }) => own.map((client) => client.close())));
    },
  };
}

/** Tells of each 401. */
function watched(client: ApiClient, onRefused: () => void): ApiClient {
  return {
    ...client,
    async call(operation, send) {
      const outcome = await client.call(operation, send);
      if (outcome.kind === 'refused' && outcome.status === 401) onRefused();
      return outcome;
    },
  };
}
