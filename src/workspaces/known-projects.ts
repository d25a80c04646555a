import { type Insertable, type Kysely, sql } from 'kysely';
import type { ListedProject, ProjectIds } from '../api/client.ts';
import { buildProjectId, parseProjectId } from '../api/project-ids.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import { DAY_MS, MINUTE_MS } from '../durations.ts';
import { addMs } from '../engine/clock.ts';
import { lockUntilEnd } from '../store/locks.ts';
import type { WorkspaceTables } from './tables.ts';

type Db = Kysely<WorkspaceTables>;

/** A project that was missing from the service's list or seems to be made again, or that an owner has called a new one. */
export interface ProjectException {
  /** The service's mark. */
  service: string;
  /** The id that the service gave the project. */
  project: string;
  isMissing: boolean;
  /** When the owners were asked about the listed project; ISO 8601. Null if they weren't. */
  askedAt: string | null;
  /** How often an owner has said that the project with this id is a new one. */
  remade: number;
}

/**
 * Finds the mark of a service, or gives it the next one: '' to the first service of a workspace, then 2, 3 and so on.
 * `sameAs`: the mark that it gets instead, because that service has moved to this address.
 */
export function addService(
  db: Db,
  { workspace, endpoint, sameAs }: { workspace: string; endpoint: string; sameAs?: string | undefined },
): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    // Two services that are connected at the same time must not get the same mark.
    await lockUntilEnd(transaction, `services ${workspace}`);
    const known = await transaction
      .selectFrom('known_service')
      .select(['endpoint', 'service'])
      .where('workspace', '=', workspace)
      .execute();
    const found = known.find((row) => row.endpoint === endpoint);
    if (found && (sameAs === undefined || sameAs === found.service)) return found.service;
    const count = Math.max(0, ...known.map(({ service }) => Number(service || 1)));
    const service = sameAs ?? (count === 0 ? '' : String(count + 1));
    // What is stored by the earlier mark of the address must never become another service's.
    if (found)
      await transaction
        .insertInto('known_service')
        .values({ workspace, endpoint: `${found.service} ${endpoint}`, service: found.service })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await transaction
      .insertInto('known_service')
      .values({ workspace, endpoint, service })
      .onConflict((conflict) => conflict.columns(['workspace', 'endpoint']).doUpdateSet({ service }))
      .execute();
    return service;
  });
}

/** Builds Upnext's id of a project: that of the latest one, if owners have said that a project with its id is a new one. */
export function buildLatestId(
  exceptions: readonly ProjectException[],
  service: string,
  serviceId: string,
): string {
  const found = exceptions.find((each) => each.service === service && each.project === serviceId);
  return buildRemadeId(service, serviceId, found?.remade);
}

/** A project that was made again has another mark than the one before it. */
function buildRemadeId(service: string, serviceId: string, remade = 0): string {
  return buildProjectId(remade === 0 ? service : `${service}.${remade}`, serviceId);
}

/** Splits the mark in a project's id into that of its service and how often the project was made again. */
export function parseMark(mark: string): { service: string; remade: number } {
  const [service = '', remade = '0'] = mark.split('.');
  return { service, remade: Number(remade) };
}

/** Creates the ids of a service's projects. `watch`: compares a list with those of before, see `createProjectWatch`. */
export function createProjectIds(
  service: string,
  exceptions: readonly ProjectException[],
  watch: ProjectWatch,
): ProjectIds {
  const byId = new Map(
    exceptions.flatMap((each) => (each.service === service ? [[each.project, each] as const] : [])),
  );
  const find = (serviceId: string) => {
    const { isMissing = false, remade } = byId.get(serviceId) ?? {};
    return isMissing ? undefined : buildRemadeId(service, serviceId, remade);
  };
  return {
    find,
    async receive(projects) {
      const missing = await watch(projects);
      const items = projects.items.flatMap(({ id: serviceId, name }) => {
        const id = missing.has(serviceId) ? undefined : find(serviceId);
        return id === undefined ? [] : [{ id, name }];
      });
      return { ...projects, items };
    },
  };
}

/**
 * Maximum number of a service's projects that are known. A list has at most 2,000, and a hostile service could name
 * others each time.
 */
const MAX_KNOWN_PROJECTS = 5_000;

/**
 * How long a service must list nothing before its projects count as gone. A service or token that fails for a moment may
 * list nothing too.
 */
export const MIN_EMPTY_MS = MINUTE_MS;

/** When the owners are asked again. An instance may have died before its message was sent, and an owner may forget it. */
export const ASK_AGAIN_MS = DAY_MS;

/**
 * How much later a project must have been made than the one that is known by its id. Another format of the same time may
 * leave out or round the fraction of a second.
 */
const MIN_LATER_MS = 1_000;

/** The time at which a project was made, if the service says another one each time: no time is later. */
const UNRELIABLE = new Date('9999-12-31T00:00:00Z');

/** Compares a list with those of before. Resolves with the service's ids of listed projects about which it asks. */
type ProjectWatch = (projects: Records<ListedProject>) => Promise<ReadonlySet<string>>;

interface WatchOptions {
  db: Db;
  workspace: string;
  service: string;
  /** Whether this token says if a project exists. `project`: its id in the service. */
  isWatched(project: string): boolean;
  now(): Date;
  /** Called after a project has disappeared or was made again, or the owners were asked about one. */
  onChanged(): void;
  /** Asks the owners about listed projects that may be other ones than before. */
  ask(projects: readonly Project[], at: Date): Promise<void>;
  onError(error: unknown): void;
}

/**
 * Creates a watch for projects that disappear from the list of a service and come back, or that were made later than those
 * with their ids. Such a project may be another one with the id of the earlier one, so nobody can use it until an owner has
 * been asked.
 */
export function createProjectWatch(options: WatchOptions): ProjectWatch {
  const { isWatched, now } = options;
  let lastList: string | undefined;
  let lastMissing: ReadonlySet<string> = new Set();
  let emptySince: number | undefined;
  /** A list that isn't complete says nothing about what isn't in it. */
  function isComplete({ isReadable, items, isTruncated, unreadableCount }: Records<ListedProject>): boolean {
    if (!isReadable || isTruncated || unreadableCount > 0) return false;
    const time = now().getTime();
    emptySince = items.length > 0 ? undefined : (emptySince ?? time);
    return emptySince === undefined || time - emptySince >= MIN_EMPTY_MS;
  }
  return async (projects) => {
    const list = {
      items: projects.items.filter(({ id }) => isWatched(id)),
      isComplete: isComplete(projects),
    };
    if (!list.isComplete && list.items.length === 0) return lastMissing;
    const facts = list.items.map(({ id, createdAt }) => JSON.stringify([id, createdAt])).toSorted();
    const key = JSON.stringify([list.isComplete, facts]);
    // While a question is open, each list looks whether the owners are to be asked again.
    if (key === lastList && lastMissing.size === 0) return lastMissing;
    try {
      lastMissing = await compareWithKnown(options, list);
      lastList = key;
    } catch (error) {
      options.onError(error);
    }
    return lastMissing;
  };
}

/** Stores what is new about projects, and asks about those that may be other ones than before. Resolves with their ids. */
async function compareWithKnown(
  options: WatchOptions,
  { items, isComplete }: { items: readonly ListedProject[]; isComplete: boolean },
): Promise<ReadonlySet<string>> {
  const { db, workspace, service, isWatched, now, onChanged } = options;
  const ofService = { workspace, service };
  const known = await db
    .selectFrom('known_project')
    .select(['project', 'created_at', 'missing_since', 'asked_at'])
    .where(({ and }) => and(ofService))
    .execute();
  const rows = known.filter(({ project }) => isWatched(project));
  const listed = new Map(items.map((item) => [item.id, item]));
  const remade = new Set(
    rows.flatMap(({ project, created_at: knownAt }) => {
      const createdAt = listed.get(project)?.createdAt;
      const isLater = createdAt && knownAt && createdAt.getTime() - knownAt.getTime() >= MIN_LATER_MS;
      return isLater ? [project] : [];
    }),
  );
  const dated = rows.filter(
    ({ project, created_at }) => remade.has(project) || (!created_at && listed.get(project)?.createdAt),
  );
  const knownIds = new Set(rows.map(({ project }) => project));
  const room = Math.max(0, MAX_KNOWN_PROJECTS - known.length);
  const added = [...listed.keys()].filter((id) => !knownIds.has(id)).slice(0, room);
  // In the same order on all instances, so that none waits for another one that waits for it.
  const stored = [...added, ...dated.map(({ project }) => project)].toSorted();
  await storeListed(
    options,
    stored.map((project) => ({
      ...ofService,
      project,
      created_at: listed.get(project)?.createdAt ?? null,
    })),
  );
  const gone = isComplete ? rows.filter((row) => row.missing_since === null && !listed.has(row.project)) : [];
  if (gone.length > 0)
    await db
      .updateTable('known_project')
      .set({ missing_since: now() })
      .where(({ and }) => and(ofService))
      .where(
        'project',
        'in',
        gone.map(({ project }) => project),
      )
      .where('missing_since', 'is', null)
      .execute();
  if (gone.length > 0 || remade.size > 0) onChanged();
  const back = rows.filter(
    ({ project, missing_since }) => listed.has(project) && (missing_since !== null || remade.has(project)),
  );
  const askedBefore = addMs(now(), -ASK_AGAIN_MS);
  const due = new Set(
    back.flatMap((row) => (row.asked_at === null || row.asked_at <= askedBefore ? [row.project] : [])),
  );
  if (due.size > 0)
    await askAbout(
      options,
      items.filter(({ id }) => due.has(id)),
      askedBefore,
    );
  return new Set(back.map(({ project }) => project));
}

/** Stores listed projects. One that was made later than the known one counts as missing. */
async function storeListed(
  { db, now }: WatchOptions,
  listed: readonly Insertable<WorkspaceTables['known_project']>[],
): Promise<void> {
  if (listed.length === 0) return;
  const earliest = sql`known_project.created_at + ${MIN_LATER_MS} * interval '1 millisecond'`;
  await db
    .insertInto('known_project')
    .values(listed)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace', 'service', 'project'])
        .doUpdateSet({
          // The first time only fills in what was unknown. While a question is open, another one is no answer to it.
          created_at: sql`case when known_project.created_at is null or known_project.asked_at is null
            then excluded.created_at else ${UNRELIABLE}::timestamptz end`,
          missing_since: sql`case when known_project.created_at is null
            then known_project.missing_since else coalesce(known_project.missing_since, ${now()}::timestamptz) end`,
        })
        .where(sql<boolean>`known_project.created_at is null or excluded.created_at >= ${earliest}`),
    )
    .execute();
}

/** Asks the owners about projects, unless another instance has asked since `askedBefore`. The list doesn't wait for Slack. */
async function askAbout(
  { db, workspace, service, now, onChanged, ask, onError }: WatchOptions,
  projects: readonly Project[],
  askedBefore: Date,
): Promise<void> {
  const setAsked = (at: Date | null) =>
    db
      .updateTable('known_project')
      .set({ asked_at: at })
      .where(({ and }) => and({ workspace, service }))
      .where(
        'project',
        'in',
        projects.map(({ id }) => id),
      )
      .where('missing_since', 'is not', null);
  const at = now();
  const claimed = await setAsked(at)
    .where(({ or, eb }) => or([eb('asked_at', 'is', null), eb('asked_at', '<=', askedBefore)]))
    .returning('project')
    .execute();
  const asked = new Set(claimed.map(({ project }) => project));
  if (asked.size === 0) return;
  onChanged();
  void ask(
    projects.filter(({ id }) => asked.has(id)),
    at,
  ).catch(async (error: unknown) => {
    onError(error);
    // The next list asks again.
    await setAsked(null).execute().catch(onError);
  });
}

/**
 * Settles whether a project that was missing or made again is the same one as before. `key`: of the service and the
 * project, see `buildProjectId`. Resolves with the id that the project had until now. Undefined if that was settled
 * before.
 */
export async function settleProject(
  db: Db,
  { workspace, key, isSame }: { workspace: string; key: string; isSame: boolean },
): Promise<string | undefined> {
  const { service, serviceId: project } = parseProjectId(key);
  const row = await db
    .updateTable('known_project')
    .set((update) => ({
      missing_since: null,
      asked_at: null,
      remade: update('remade', '+', isSame ? 0 : 1),
    }))
    .where(({ and }) => and({ workspace, service, project }))
    .where('missing_since', 'is not', null)
    .returning('remade')
    .executeTakeFirst();
  return row && buildRemadeId(service, project, row.remade - (isSame ? 0 : 1));
}

/** What a workspace's services have been, and their projects. */
export type ServiceRecords = ReturnType<typeof createServiceRecords>;

export function createServiceRecords(options: {
  db: Db;
  now(): Date;
  /** Asks the owners about projects of a service that may be other ones than before. They have the service's ids. */
  ask(workspace: string, asked: { service: string; projects: readonly Project[]; at: Date }): Promise<void>;
  onError(workspace: string, error: unknown): void;
}) {
  const { db, now, ask, onError } = options;
  return {
    addService: (service: Parameters<typeof addService>[1]) => addService(db, service),
    settleProject: (answer: Parameters<typeof settleProject>[1]) => settleProject(db, answer),
    createWatch: (watched: Pick<WatchOptions, 'workspace' | 'service' | 'isWatched' | 'onChanged'>) =>
      createProjectWatch({
        ...{ db, now, ...watched },
        ask: (projects, at) => ask(watched.workspace, { service: watched.service, projects, at }),
        onError: (error) => onError(watched.workspace, error),
      }),
  };
}
