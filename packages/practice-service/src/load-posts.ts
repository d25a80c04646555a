import { type Kysely, sql } from 'kysely';
import { insertSamples } from './samples/insert-samples.ts';
import type { ServiceSchema } from './schema.ts';
import { writeLog } from './write-log.ts';

const WIDTH = 30;

/** A progress bar for loadPosts' `onProgress`: one redrawn line on a terminal, else a line for each tenth. */
export function createProgressBar(output: { isTTY?: boolean; write(text: string): unknown }) {
  let shown = -1;
  return (done: number, all: number): void => {
    const percent = Math.floor((done / all) * 100);
    const step = output.isTTY ? percent : Math.floor(percent / 10);
    if (step === shown) return;
    shown = step;
    const filled = Math.round((done / all) * WIDTH);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
    const line = `${bar} ${percent} %  ${done.toLocaleString('en')} of ${all.toLocaleString('en')} posts`;
    output.write(output.isTTY ? `\r${line}${done === all ? '\n' : ''}` : `${line}\n`);
  };
}

/** Posts per statement, so that progress is reported a few times a second. */
const BATCH = 20_000;

const SENTENCES = [
  'Fresh from the roaster this morning, and already half gone.',
  'We open an hour earlier on Saturday. Bring a friend.',
  'What would you like to see more of? Tell us below.',
  'Behind the scenes: how a quiet Tuesday looks when nobody is watching.',
  'The winner of our little raffle has been drawn. Check your messages!',
  'Three things we learned this year, and one that we unlearned.',
  'New on the shelf, and gone by Friday if last time is anything to go by.',
  'Thank you for a wonderful evening. See you at the next one.',
  'A short film about slow mornings.',
  'We are hiring for the weekend shift: kind people, good hours.',
];

const PLATFORM_SETS = [
  'INSTAGRAM',
  'FACEBOOK',
  'X',
  'LINKEDIN',
  'TIKTOK',
  'YOUTUBE',
  'PINTEREST',
  'REDDIT',
  'TELEGRAM',
  'INSTAGRAM FACEBOOK',
  'X THREADS',
  'INSTAGRAM TIKTOK YOUTUBE',
  'LINKEDIN X FACEBOOK',
  'INSTAGRAM FACEBOOK X THREADS TELEGRAM',
];

const ZONES = ['Europe/Berlin', 'Europe/Lisbon', 'America/New_York', 'Asia/Singapore'];

/**
 * Loads `count` posts into the project of that name, and creates the project if it doesn't exist. The posts were created
 * over the last three years and are scheduled up to 400 days after that; one in eight is a draft. `onProgress` gets the number of posts loaded so far. A running service lists them on its next read.
 */
export async function loadPosts(options: {
  /** A database with the emulator's migrations. */
  db: Kysely<ServiceSchema>;
  count: number;
  project: string;
  now?: Date;
  onProgress?: (loaded: number, count: number) => void;
}): Promise<void> {
  const { db, count, project, now = new Date(), onProgress = () => undefined } = options;
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError('the number of posts must be 1 or more');
  await insertSamples(db, now);
  const projectId = await findOrCreateProject(db, project, now);
  for (let loaded = 0; loaded < count; loaded += BATCH) {
    onProgress(loaded, count);
    await loadBatch(db, { projectId, from: loaded + 1, to: Math.min(loaded + BATCH, count), count, now });
  }
  const message = `${count} posts were loaded.`;
  await writeLog(db, now, { projectId, event: 'posts.loaded', message });
  // The query planner needs statistics about this many new rows.
  await sql`analyze posts`.execute(db);
  onProgress(count, count);
}

async function findOrCreateProject(db: Kysely<ServiceSchema>, name: string, now: Date): Promise<number> {
  const found = await db.selectFrom('projects').select('id').where('name', '=', name).executeTakeFirst();
  if (found !== undefined) return found.id;
  const values = { name, description: 'Loaded posts.', created_at: now };
  return (await db.insertInto('projects').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

async function loadBatch(
  db: Kysely<ServiceSchema>,
  {
    projectId,
    from,
    to,
    count,
    now,
  }: { projectId: number; from: number; to: number; count: number; now: Date },
): Promise<void> {
  const at = now.toISOString();
  await sql`
    insert into posts (project_id, content, schedule_at, timezone, platforms, status, created_at)
    select ${projectId}::bigint, content, schedule_at, case when schedule_at is null then null else zone end,
      platforms,
      case when draft then 'DRAFT' when schedule_at <= ${at}::timestamptz then 'PUBLISHED' else 'SCHEDULED' end,
      created_at
    from (
      select draft, created_at, content, zone, platforms,
        case when draft and dateless then null
          else date_trunc('minute', created_at + delay * interval '400 days') end as schedule_at
      from (
        select random() < 0.125 as draft, random() < 0.5 as dateless, random() as delay,
          ${at}::timestamptz - interval '3 years' * (1 - number::float8 / ${count}::float8) as created_at,
          (${sql.val(SENTENCES)}::text[])[1 + number % ${SENTENCES.length}::int] || ' No. ' || number as content,
          (${sql.val(ZONES)}::text[])[1 + number % ${ZONES.length}::int] as zone,
          string_to_array((${sql.val(PLATFORM_SETS)}::text[])[1 + (random() * ${PLATFORM_SETS.length - 1})::int], ' ')
            as platforms
        from generate_series(${from}::int, ${to}::int) as number
      ) as drawn
    ) as dated`.execute(db);
}
