import { LRUCache } from 'lru-cache';
import type { ApiClient } from './client.ts';
import { createListCache, estimateHeapBytes } from './list-cache.ts';
import type { Outcome } from './outcome.ts';
import { listProjects, type Project } from './projects.ts';
import type { Records } from './records.ts';
import { listSources, type Source } from './sources.ts';
import { listTemplates, type Template } from './templates.ts';

/**
 * Cached lists of the service. A select reads its list at each typed letter. Except for `getLastProjects`, no list is
 * older than `maxAgeMs`.
 */
export interface CachedReads {
  listProjects(api: ApiClient): Promise<Outcome<Records<Project>>>;
  /** Always calls the service, and caches the result. */
  fetchProjects(api: ApiClient): Promise<Outcome<Records<Project>>>;
  /** Returns the last successful list, up to a week old. Undefined if this instance has none. */
  getLastProjects(api: ApiClient): Records<Project> | undefined;
  listTemplates(api: ApiClient, projectId: string): Promise<Outcome<Records<Template>>>;
  listSources(api: ApiClient, projectId: string): Promise<Outcome<Records<Source>>>;
  /** Drops the cached lists of one project, or of all projects, after a change. */
  drop(api: ApiClient, projectId?: string): void;
  /** Returns the size of all cached lists, as estimated by `estimateHeapBytes`. */
  countBytes(): number;
}

const MIB = 2 ** 20;
/**
 * Limits for the cached lists of each kind: of all clients, and of one client. 20 projects take 6 kB, and 300 templates
 * take 1.5 MB.
 */
const LIST_LIMITS = { maxBytes: 24 * MIB, maxClientBytes: 2 * MIB };
/** Limits for the last successful lists of projects: 5,000 clients and one week. */
const LAST_LIST_LIMITS = {
  max: 5_000,
  maxSize: 16 * MIB,
  maxEntrySize: MIB,
  ttl: 7 * 86_400_000,
  ttlAutopurge: true,
};

/** Creates the cached lists. `now`: ms since the epoch. */
export function createCachedReads({
  now = () => Date.now(),
  maxAgeMs = 60_000,
}: {
  now?: () => number;
  maxAgeMs?: number;
} = {}): CachedReads {
  const projects = createListCache<Records<Project>>({ now, maxAgeMs, ...LIST_LIMITS });
  const templates = createListCache<Records<Template>>({ now, maxAgeMs, ...LIST_LIMITS });
  const sources = createListCache<Records<Source>>({ now, maxAgeMs, ...LIST_LIMITS });
  const lastLists = new LRUCache<ApiClient, Records<Project>>({
    ...LAST_LIST_LIMITS,
    sizeCalculation: estimateHeapBytes,
  });
  const fetchAndStoreProjects = async (api: ApiClient) => {
    const outcome = await listProjects(api);
    if (outcome.kind === 'done' && outcome.data.shape !== 'unreadable') lastLists.set(api, outcome.data);
    return outcome;
  };
  return {
    listProjects: (api) => projects.read(api, '', () => fetchAndStoreProjects(api)),
    fetchProjects: (api) => projects.fetch(api, '', () => fetchAndStoreProjects(api)),
    getLastProjects: (api) => lastLists.get(api),
    listTemplates: (api, projectId) => templates.read(api, projectId, () => listTemplates(api, projectId)),
    listSources: (api, projectId) => sources.read(api, projectId, () => listSources(api, projectId)),
    drop(api, projectId) {
      // Any change may affect the list of projects, so this list is always dropped.
      projects.drop(api);
      for (const cache of [templates, sources]) cache.drop(api, projectId);
    },
    countBytes: () =>
      [projects, templates, sources].reduce(
        (sum, cache) => sum + cache.countBytes(),
        lastLists.calculatedSize,
      ),
  };
}
