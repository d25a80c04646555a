import { LRUCache } from 'lru-cache';
import type { ApiClient } from './client.ts';
import { createListCache, heapBytes } from './list-cache.ts';
import type { Outcome } from './outcome.ts';
import { listProjects, type Project } from './projects.ts';
import type { Records } from './records.ts';
import { listSources, type Source } from './sources.ts';
import { listTemplates, type Template } from './templates.ts';

/** Cached lists for selects, which need them at each typed letter. Never older than `maxAgeMs`. */
export interface CachedReads {
  projects(api: ApiClient): Promise<Outcome<Records<Project>>>;
  /** Always makes a call. */
  projectsNow(api: ApiClient): Promise<Outcome<Records<Project>>>;
  /** The last successful list, up to a week old. Undefined if there was none since this instance started. */
  lastProjects(api: ApiClient): Records<Project> | undefined;
  templates(api: ApiClient, projectId: string): Promise<Outcome<Records<Template>>>;
  sources(api: ApiClient, projectId: string): Promise<Outcome<Records<Source>>>;
  /** Drops the cached lists of one project, or of all projects, after a change. */
  drop(api: ApiClient, projectId?: string): void;
  /** Size of all cached lists in bytes, as counted by `heapBytes`. */
  bytes(): number;
}

const MIB = 2 ** 20;
/**
 * Limits for each kind of list. 20 projects take 6 kB, 300 templates take 1.5 MB. One client may use a twelfth of the
 * whole cache.
 */
const LIST_LIMITS = { maxBytes: 24 * MIB, maxClientBytes: 2 * MIB };
/** Limits for the last successful lists of projects: at most 5,000 clients, for a week. */
const LAST_LIST_LIMITS = {
  max: 5_000,
  maxSize: 16 * MIB,
  maxEntrySize: MIB,
  ttl: 7 * 86_400_000,
  ttlAutopurge: true,
};

/** `now` in ms. */
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
    sizeCalculation: heapBytes,
  });
  const loadProjects = async (api: ApiClient) => {
    const outcome = await listProjects(api);
    if (outcome.kind === 'done' && outcome.data.shape !== 'unreadable') lastLists.set(api, outcome.data);
    return outcome;
  };
  return {
    projects: (api) => projects.read(api, '', () => loadProjects(api)),
    projectsNow: (api) => projects.readNow(api, '', () => loadProjects(api)),
    lastProjects: (api) => lastLists.get(api),
    templates: (api, projectId) => templates.read(api, projectId, () => listTemplates(api, projectId)),
    sources: (api, projectId) => sources.read(api, projectId, () => listSources(api, projectId)),
    drop(api, projectId) {
      // The list of projects is dropped with every change, whatever project it is about.
      projects.drop(api);
      for (const each of [templates, sources]) each.drop(api, projectId);
    },
    bytes: () =>
      [projects, templates, sources].reduce((sum, each) => sum + each.bytes(), lastLists.calculatedSize),
  };
}
