import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../../src/handlers/schema.ts';

/** What a post that was sent at once is while its submission is in a state, written down apart from the source. */
const EXPECTED_STATE = sql`case
  when d.state = 'confirmed' then 'delivered'
  when d.state = 'discarded' then 'dropped'
  when d.state in ('refused', 'gave-up') then 'needs-person (' || d.state || ')'
  when d.state = 'blocked' then 'needs-person (' || d.reason || ')'
  when d.state = 'unsure' then 'unsure (' || d.reason || ')'
  else 'handed-over' end`;

/** Without the content that the app's end in a workspace has deleted, nobody can decide about a post. */
const IS_GONE = sql`(p.state = 'dropped' and d.content is null)`;

/**
 * Checks, in the database itself and at the end of each transaction, that a post that was sent at once is what its submission
 * says, and that a new submission of a post has exactly one post: its own, or the held post that was handed over.
 */
export async function installPostChecks(db: Kysely<BotSchema>): Promise<void> {
  await sql`create table copies.post_violation (text text not null)`.execute(db);
  await sql`create function copies.check_state(post_id text, delivery text) returns void language sql begin atomic
    insert into copies.post_violation
      select 'post ' || p.id || ' is ' || p.state || coalesce(' (' || p.reason || ')', '') || ', and its submission '
        || coalesce(concat_ws(' ', d.state, d.reason), 'missing')
      from post p left join submission d on d.id = p.submission
      where p.at_once and (p.id = post_id or p.submission = delivery) and ${IS_GONE} is not true
        and p.state || coalesce(' (' || p.reason || ')', '') is distinct from ${EXPECTED_STATE};
    end`.execute(db);
  await addCheck(db, 'post', 'perform copies.check_state(new.id, null);');
  await addCheck(
    db,
    'submission',
    `perform copies.check_state(null, new.id);
    if tg_op = 'INSERT' and new.kind = 'post' and new.origin not like 'void %' and 1 <> (
      select count(*) from post p where p.submission = new.id or p.id = new.origin
        or (p.submission = new.origin and not p.at_once)) then
      insert into copies.post_violation values ('submission ' || new.id || ' doesn’t have exactly one post');
    end if;`,
  );
}

async function addCheck(db: Kysely<BotSchema>, table: 'post' | 'submission', body: string): Promise<void> {
  const name = sql.table(`copies.check_${table}`);
  await sql`create function ${name}() returns trigger language plpgsql as ${sql.lit(
    `begin ${body} return null; end`,
  )}`.execute(db);
  await sql`create constraint trigger check_posts after insert or update on ${sql.table(table)}
    deferrable initially deferred for each row execute function ${name}()`.execute(db);
}

/** Reads what was wrong with posts, and forgets it. */
export async function takePostViolations(db: Kysely<BotSchema>): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`delete from copies.post_violation returning text`.execute(db);
  return [...new Set(rows.map(({ text }) => text))];
}
