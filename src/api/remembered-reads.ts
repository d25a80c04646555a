import { LRUCache } from 'lru-cache';
import type { ApiClient } from './client.ts';
import { createListMemory, heapBytes } from './list-memory.ts';
import type { Outcome } from './outcome.ts';
import { listProjects, type Project } from './projects.ts';
import type { Records } from './records.ts';
import { listSources, type Source } from './sources.ts';
import { listTemplates, type Template } from './templates.ts';

/** Lists for selects: asked at each letter that somebody types, and never older than `maxAgeMs`. */
export interface RememberedReads {
  projects(api: ApiClient): Promise<Outcome<Records<Project>>>;
  /** Nothing that was answered before will do. */
  projectsNow(api: ApiClient): Promise<Outcome<Records<Project>>>;
  /** Those that the service named last, within a week; undefined where it has not since this start. */
  lastProjects(api: ApiClient): Records<Project> | undefined;
  templates(api: ApiClient, projectId: string): Promise<Outcome<Records<Template>>>;
  sources(api: ApiClient, projectId: string): Promise<Outcome<Records<Source>>>;
  /** After a change: what is remembered of this project, or of all of them, is asked anew. */
  drop(api: ApiClient, projectId?: string): void;
  /** What all that is remembered takes, in bytes, as `heapBytes` counts. */
  bytes(): number;
}

const MIB = 2 ** 20;
/**
 * For each kind of list. A workspace of 20 projects, or of 300 templates, takes 6 kB or 1.5 MB; a twelfth of the whole
 * is the most for one client.
 */
const KIND = { maxBytes: 24 * MIB, maxClientBytes: 2 * MIB };
/** The projects that were named last, of 5,000 clients at most. */
const LAST = { max: 5_000, maxSize: 16 * MIB, maxEntrySize: MIB, ttl: 7 * 86_400_000, ttlAutopurge: true };

/** `now` in ms. */
export function createRememberedReads({
  now = () => Date.now(),
  maxAgeMs = 60_000,
}: {
  now?: () => number;
  maxAgeMs?: number;
} = {}): RememberedReads {
  const projects = createListMemory<Records<Project>>({ now, maxAgeMs, ...KIND });
  const templates = createListMemory<Records<Template>>({ now, maxAgeMs, ...KIND });
  const sources = createListMemory<Records<Source>>({ now, maxAgeMs, ...KIND });
  const named = new LRUCache<ApiClient, Records<Project>>({ ...LAST, sizeCalculation: heapBytes });
  const askProjects = async (api: ApiClient) => {
    const outcome = await listProjects(api);
    if (outcome.kind === 'done' && outcome.data.shape !== 'unreadable') named.set(api, outcome.data);
    return outcome;
  };
  return {
    projects: (api) => projects.read(api, '', () => askProjects(api)),
    projectsNow: (api) => projects.readNow(api, '', () => askProjects(api)),
    lastProjects: (api) => named.get(api),
    templates: (api, projectId) => templates.read(api, projectId, () => listTemplates(api, projectId)),
    sources: (api, projectId) => sources.read(api, projectId, () => listSources(api, projectId)),
    drop(api, projectId) {
      // The list of projects is no project's own: it goes with every change.
      projects.drop(api);
      for (const each of [templates, sources]) each.drop(api, projectId);
    },
    bytes: () =>
      [projects, templates, sources].reduce((sum, each) => sum + each.bytes(), named.calculatedSize),
  };
}
