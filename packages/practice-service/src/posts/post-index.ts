import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { ServiceSchema } from '../schema.ts';
import { PostColumns, type PostFilter } from './post-columns.ts';

export interface PostIndex {
  /** The rows of a page of the project's posts, newest first. */
  page(projectId: number, filter: PostFilter, now: Date): Promise<number[]>;
  /** Marks posts as failed, after their new status was stored. */
  markFailed(posts: readonly { id: number; projectId: number }[]): Promise<void>;
  /** Forgets the posts of a project, after they were deleted. */
  forget(projectId: number): void;
  /** Loads the posts of all projects before the first request. */
  warm(): Promise<void>;
  /** Stops loading. */
  close(): void;
}

/** Rows per query, about 8 ms; other requests run in between. */
const CHUNK = 5_000;

/**
 * An in-memory index of posts for lists. A post's filtered columns change after its creation only if it fails (whether it
 * is due follows from the clock), so only new posts are read from the database before each page.
 */
export function createPostIndex(db: Kysely<ServiceSchema>, platformNames: readonly string[]): PostIndex {
  const projects = new Map<number, { columns: PostColumns; reading: Promise<void> }>();
  let closed = false;

  /** Loads run one after the other. Each starts after the request that needs it, so it sees all acknowledged posts. */
  async function upToDate(projectId: number): Promise<PostColumns> {
    const project = projects.get(projectId) ?? {
      columns: new PostColumns(platformNames),
      reading: Promise.resolve(),
    };
    projects.set(projectId, project);
    const reading = project.reading.catch(() => undefined).then(() => readAdded(projectId, project.columns));
    project.reading = reading;
    await reading;
    return project.columns;
  }

  async function readAdded(projectId: number, columns: PostColumns): Promise<void> {
    while (!closed && (await readChunk(db, projectId, columns)) === CHUNK) {
      // A database in this thread, as in tests, never yields, so other requests would wait until everything is loaded.
      await nextTurn();
    }
  }

  return {
    page: async (projectId, filter, now) => (await upToDate(projectId)).page(filter, now.getTime()),
    markFailed: async (posts) => {
      // A load in progress may have read the status from before.
      for (const { id, projectId } of posts) (await upToDate(projectId)).markFailed(id);
    },
    forget: (projectId) => {
      projects.delete(projectId);
    },
    warm: async () => {
      for (const { id } of await db.selectFrom('projects').select('id').execute()) await upToDate(id);
    },
    close: () => {
      closed = true;
    },
  };
}

/**
 * Loads the next posts of a project and returns their number. Columns arrive as joined texts: a million rows would take
 * 6 s.
 */
async function readChunk(
  db: Kysely<ServiceSchema>,
  projectId: number,
  columns: PostColumns,
): Promise<number> {
  const { rows } = await sql<Record<'ids' | 'moments' | 'platforms' | 'statuses', string | null>>`
    select string_agg(id::text, ',') as ids,
      array_to_string(array_agg((extract(epoch from schedule_at) * 1000)::bigint), ',', 'none') as moments,
      string_agg(array_to_string(platforms, '+'), ',') as platforms,
      string_agg(status, ',') as statuses
    from (select id, schedule_at, platforms, status from posts
      where project_id = ${projectId} and id > ${columns.lastId} order by id limit ${CHUNK}) as added`.execute(
    db,
  );
  const [moments, platforms, statuses] = [
    list(rows[0]?.moments),
    list(rows[0]?.platforms),
    list(rows[0]?.statuses),
  ];
  const ids = list(rows[0]?.ids);
  const platformBits = memoize((names) => columns.platformBits(names.split('+')));
  const statusBits = memoize((name) => columns.statusBits([name]));
  ids.forEach((id, at) => {
    // Number('none') is NaN, which stands for a post without a date.
    columns.add(
      Number(id),
      Number(moments[at]),
      platformBits(platforms[at] ?? ''),
      statusBits(statuses[at] ?? ''),
    );
  });
  return ids.length;
}

function list(joined: string | null | undefined): readonly string[] {
  return joined === null || joined === undefined ? [] : joined.split(',');
}

function memoize(compute: (key: string) => number): (key: string) => number {
  const known = new Map<string, number>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
