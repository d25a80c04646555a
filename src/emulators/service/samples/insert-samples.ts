import type { Kysely } from 'kysely';
import { toInstant } from '../posts/schedule-date.ts';
import type { ServiceSchema } from '../schema.ts';
import { writeLog } from '../write-log.ts';
import { harbourCoffee } from './harbour-coffee.ts';
import { nightMarketBooks } from './night-market-books.ts';
import type { SamplePost, SampleProject } from './sample-project.ts';

const DAY_MS = 86_400_000;

/** Inserts the two sample projects into an empty database, in one transaction. Their dates are relative to `now`. */
export async function insertSamples(db: Kysely<ServiceSchema>, now: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const some = await transaction.selectFrom('projects').select('id').limit(1).executeTakeFirst();
    if (some !== undefined) return;
    for (const sample of [nightMarketBooks, harbourCoffee]) await insertProject(transaction, sample, now);
  });
}

async function insertProject(db: Kysely<ServiceSchema>, sample: SampleProject, now: Date): Promise<void> {
  const created = { created_at: new Date(now.getTime() - 14 * DAY_MS) };
  const { name, description } = sample;
  const projects = db.insertInto('projects').values({ name, description, ...created });
  const { id: projectId } = await projects.returning('id').executeTakeFirstOrThrow();
  const common = { project_id: projectId, ...created };
  const templates = await db
    .insertInto('templates')
    .values(sample.templates.map((template) => ({ ...common, ...template })))
    .returning('id')
    .execute();
  await db
    .insertInto('prompts')
    .values(
      sample.prompts.map(({ promptText, ...prompt }) => ({ ...common, ...prompt, prompt_text: promptText })),
    )
    .execute();
  const changed = { ...common, updated_at: created.created_at };
  await db
    .insertInto('sources')
    .values(sample.sources.map((source) => ({ ...changed, ...source })))
    .execute();
  await db
    .insertInto('users')
    .values(sample.users.map((user) => ({ ...changed, ...toUserRow(user) })))
    .execute();
  const posts = sample.posts.map((post, at) => ({
    project_id: projectId,
    ...toPostRow(post, sample.zone, now),
    template_id: post.template === undefined ? null : (templates[post.template]?.id ?? null),
    created_at: new Date(now.getTime() - (sample.posts.length - at) * DAY_MS - 10 * DAY_MS),
  }));
  await db.insertInto('posts').values(posts).execute();
  await db.insertInto('webhooks').values({ project_id: projectId, url: sample.webhook }).execute();
  const message = `The sample project ${name} was set up.`;
  await writeLog(db, now, { projectId, event: 'project.created', message });
}

function toUserRow({ firstName, lastName, email, phoneNumber, role }: SampleProject['users'][number]) {
  return {
    first_name: firstName,
    last_name: lastName,
    email,
    email_key: email.toLowerCase(),
    phone_number: phoneNumber ?? null,
    role,
    status: 'ACTIVE',
  };
}

function toPostRow({ content, media, platforms, at }: SamplePost, zone: string, now: Date) {
  const scheduleAt = at && new Date(computeInstant(at, zone, now));
  return {
    content,
    media: media ?? null,
    prompt_id: null,
    schedule_at: scheduleAt ?? null,
    timezone: scheduleAt === undefined ? null : zone,
    platforms,
    status: scheduleAt === undefined ? 'DRAFT' : scheduleAt <= now ? 'PUBLISHED' : 'SCHEDULED',
  };
}

/** The instant, in ms, of a local time a number of days from today in the zone. */
function computeInstant([days, time]: readonly [number, string], zone: string, now: Date): number {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now);
  return toInstant({ wall: Date.parse(`${today}T${time}:00Z`) + days * DAY_MS, offset: undefined }, zone);
}
