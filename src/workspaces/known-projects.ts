import type { KnownBlock } from '@slack/types';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import type { ProjectIds } from '../api/client.ts';
import { buildProjectId, parseProjectId } from '../api/project-ids.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import { actions, button, clipLine, escapeText, section, withConfirmation } from '../slack/blocks.ts';
import type { Message } from '../slack/message.ts';
import { joinNames } from '../slack/name.ts';
import { lockUntilEnd } from '../store/locks.ts';
import { createFingerprints } from '../submissions/fingerprint.ts';
import type { WorkspaceTables } from './tables.ts';

type Db = Kysely<WorkspaceTables>;

/** A project that was missing from the service's list, or that was made again with the id of an earlier one. */
export interface ProjectException {
  /** The service's mark. */
  service: string;
  /** The id that the service gave the project. */
  project: string;
  isMissing: boolean;
  /** Whether the project is listed again, and the owners were asked. */
  isAsked: boolean;
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
    await transaction
      .insertInto('known_service')
      .values({ workspace, endpoint, service })
      .onConflict((conflict) => conflict.columns(['workspace', 'endpoint']).doUpdateSet({ service }))
      .execute();
    return service;
  });
}

/** Creates the ids of a service's projects. `watch`: compares a list with those of before, see `createProjectWatch`. */
export function createProjectIds(
  service: string,
  exceptions: readonly ProjectException[],
  watch?: ProjectWatch,
): ProjectIds {
  const byId = new Map(
    exceptions.flatMap((exception) =>
      exception.service === service ? [[exception.project, exception] as const] : [],
    ),
  );
  const find = (serviceId: string) => {
    const exception = byId.get(serviceId);
    return exception?.isMissing ? undefined : buildProjectId(markRemade(service, exception), serviceId);
  };
  return {
    find,
    async receive(projects) {
      const missing = await watch?.(projects);
      const items = projects.items.flatMap(({ id: serviceId, name }) => {
        const id = missing?.has(serviceId) ? undefined : find(serviceId);
        return id === undefined ? [] : [{ id, name }];
      });
      return { ...projects, items };
    },
  };
}

/** A project that was made again has another mark than the one before it. */
function markRemade(service: string, { remade = 0 }: Partial<ProjectException> = {}): string {
  return remade === 0 ? service : `${service}.${remade}`;
}

/**
 * Maximum number of a service's projects that are known. A list has at most 2,000, and a hostile service could name
 * others each time.
 */
const MAX_KNOWN_PROJECTS = 5_000;

/** Compares a list with those of before. Resolves with the service's ids of listed projects that had been missing. */
type ProjectWatch = (projects: Records<Project>) => Promise<ReadonlySet<string>>;

/**
 * Creates a watch for projects that disappear from the list of a service, and come back. Such a project may be another
 * one with the id of the earlier one, so nobody can use it until an owner has been asked. An empty list is more likely a
 * fault of the service or its token, so it isn't compared.
 */
function createProjectWatch(options: {
  db: Db;
  workspace: string;
  service: string;
  now(): Date;
  /** Called after a project has disappeared, or the owners were asked about one. */
  onChanged(): void;
  /** Asks the owners, once, about listed projects that had been missing. */
  ask(projects: readonly Project[]): Promise<void>;
  onError(error: unknown): void;
}): ProjectWatch {
  const { db, workspace, service, now } = options;
  const ofService = { workspace, service };
  let lastIds: string | undefined;
  let lastMissing: ReadonlySet<string> = new Set();
  async function compare(listed: readonly Project[]): Promise<ReadonlySet<string>> {
    const rows = await db
      .selectFrom('known_project')
      .select(['project', 'missing_since', 'asked_at'])
      .where(({ and }) => and(ofService))
      .execute();
    const listedIds = new Set(listed.map(({ id }) => id));
    const knownIds = new Set(rows.map(({ project }) => project));
    const room = Math.max(0, MAX_KNOWN_PROJECTS - rows.length);
    const added = [...listedIds].filter((id) => !knownIds.has(id)).slice(0, room);
    if (added.length > 0)
      await db
        .insertInto('known_project')
        .values(added.map((project) => ({ ...ofService, project })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const gone = rows.filter((row) => row.missing_since === null && !listedIds.has(row.project));
    if (gone.length > 0) {
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
      options.onChanged();
    }
    const back = rows.filter((row) => row.missing_since !== null && listedIds.has(row.project));
    const unasked = new Set(back.flatMap((row) => (row.asked_at === null ? [row.project] : [])));
    if (unasked.size > 0) await askOnce(listed.filter(({ id }) => unasked.has(id)).slice(0, MAX_QUESTIONS));
    return new Set(back.map(({ project }) => project));
  }
  async function askOnce(projects: readonly Project[]): Promise<void> {
    const setAsked = (at: Date | null) =>
      db
        .updateTable('known_project')
        .set({ asked_at: at })
        .where(({ and }) => and(ofService))
        .where(
          'project',
          'in',
          projects.map(({ id }) => id),
        )
        .where('asked_at', at === null ? 'is not' : 'is', null)
        .where('missing_since', 'is not', null)
        .returning('project')
        .execute();
    const asked = new Set((await setAsked(now())).map(({ project }) => project));
    const questions = projects.filter(({ id }) => asked.has(id));
    if (questions.length === 0) return;
    options.onChanged();
    // The list doesn't wait for Slack.
    void options.ask(questions).catch(async (error: unknown) => {
      options.onError(error);
      // The next list asks again.
      lastIds = undefined;
      await setAsked(null).catch(options.onError);
    });
  }
  return async ({ isReadable, items, isTruncated, unreadableCount }) => {
    const isComplete = isReadable && !isTruncated && unreadableCount === 0 && items.length > 0;
    if (!isComplete) return lastMissing;
    const ids = JSON.stringify(items.map(({ id }) => id).toSorted());
    if (ids === lastIds) return lastMissing;
    try {
      lastMissing = await compare(items);
      lastIds = ids;
    } catch (error) {
      options.onError(error);
    }
    return lastMissing;
  };
}

/**
 * Settles whether a project that was missing is the same one as before. `key`: of the service and the project, see
 * `buildQuestionKey`. Resolves with the id that the project had until now. Undefined if that was settled before.
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
  return row && buildProjectId(markRemade(service, { remade: row.remade - (isSame ? 0 : 1) }), project);
}

/** What a workspace's services have been, and their projects. */
export type ServiceRecords = ReturnType<typeof createServiceRecords>;

export function createServiceRecords(options: {
  db: Db;
  encryption: Encryption;
  now(): Date;
  notifyOwners(workspace: string, message: Message): Promise<void>;
  onError(workspace: string, error: unknown): void;
}) {
  const { db, encryption, now, notifyOwners, onError } = options;
  const { computeEndpointKey } = createFingerprints(db, encryption);
  return {
    computeEndpointKey,
    addService: (service: Parameters<typeof addService>[1]) => addService(db, service),
    settleProject: (answer: Parameters<typeof settleProject>[1]) => settleProject(db, answer),
    createWatch: (watched: { workspace: string; service: string; onChanged(): void }) =>
      createProjectWatch({
        ...{ db, now, ...watched },
        ask: (projects) => notifyOwners(watched.workspace, renderReturnedProjects(watched.service, projects)),
        onError: (error) => onError(watched.workspace, error),
      }),
  };
}

/** Action ids of the buttons that answer. Their value is the key of a question. The connections' feature handles them. */
export const SAME_PROJECT_ACTION = 'connect.same-project';
export const NEW_PROJECT_ACTION = 'connect.new-project';

/**
 * Projects that the owners are asked about at once: a message has at most 50 blocks, and a question takes two. They are
 * asked about others after an answer.
 */
const MAX_QUESTIONS = 20;

function renderReturnedProjects(service: string, projects: readonly Project[]): Message {
  const names = projects.map(({ name }) => escapeText(clipLine(name)));
  return {
    text: `Is ${joinNames(names, 5)} the same project as before?`,
    blocks: projects.flatMap((project) => renderReturnedProject(service, project)),
  };
}

/** Asks whether a project is the same one as before. `project` has the service's id. */
export function renderReturnedProject(service: string, project: Project): KnownBlock[] {
  const key = buildProjectId(service, project.id);
  return [
    section(
      `*${escapeText(clipLine(project.name))}* was gone from the scheduling service, and is listed again. Nobody can use it until you say whether it’s the same project.`,
    ),
    actions(
      button('Same project', SAME_PROJECT_ACTION, key),
      withConfirmation(button('New project', NEW_PROJECT_ACTION, key), {
        title: 'A new project?',
        text: 'It starts without roles, channels and digests. You can’t bring those of the earlier project back.',
        confirm: 'New project',
        deny: 'Go back',
      }),
    ),
  ];
}
