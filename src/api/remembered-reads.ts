import type { ApiClient } from './client.ts';
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
  /** Those that the service named last, however long ago; undefined where it has not since this start. */
  lastProjects(api: ApiClient): Records<Project> | undefined;
  templates(api: ApiClient, projectId: string): Promise<Outcome<Records<Template>>>;
  sources(api: ApiClient, projectId: string): Promise<Outcome<Records<Source>>>;
  /** After a change: what is remembered of this project, or of all of them, is asked anew. */
  drop(api: ApiClient, projectId?: string): void;
}

/** One call to the service; its end is kept only where it is a success. */
interface Read<T> {
  at: number;
  outcome: Promise<Outcome<T>>;
}

/** So many lists of one client; the oldest makes room. */
const MOST_KEPT = 200;

/** Each client has a memory of its own. Whoever asks while a call is under way shares it. `now` in ms. */
export function createRememberedReads({
  now = () => Date.now(),
  maxAgeMs = 60_000,
}: {
  now?: () => number;
  maxAgeMs?: number;
} = {}): RememberedReads {
  const projects = memory<Project>(now, maxAgeMs);
  const templates = memory<Template>(now, maxAgeMs);
  const sources = memory<Source>(now, maxAgeMs);
  const named = new WeakMap<ApiClient, Records<Project>>();
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
      for (const each of [projects, templates, sources]) each.drop(api, projectId);
    },
  };
}

function memory<T>(now: () => number, maxAgeMs: number) {
  const kept = new WeakMap<ApiClient, Map<string, Read<Records<T>>>>();
  const readNow = (api: ApiClient, key: string, ask: () => Promise<Outcome<Records<T>>>) => {
    const reads = kept.get(api) ?? new Map<string, Read<Records<T>>>();
    kept.set(api, reads);
    const mine: Read<Records<T>> = { at: now(), outcome: ask() };
    reads.delete(key);
    reads.set(key, mine);
    const [oldest] = reads.keys();
    if (reads.size > MOST_KEPT && oldest !== undefined) reads.delete(oldest);
    const forget = () => void (reads.get(key) === mine && reads.delete(key));
    mine.outcome.then(({ kind }) => kind === 'done' || forget(), forget);
    return mine.outcome;
  };
  return {
    readNow,
    read(api: ApiClient, key: string, ask: () => Promise<Outcome<Records<T>>>) {
      const before = kept.get(api)?.get(key);
      return before && now() - before.at < maxAgeMs ? before.outcome : readNow(api, key, ask);
    },
    /** The list of projects has no project of its own: it goes with every change. */
    drop(api: ApiClient, projectId?: string) {
      if (projectId === undefined) return void kept.delete(api);
      kept.get(api)?.delete(projectId);
      kept.get(api)?.delete('');
    },
  };
}
