import { type Kysely, sql } from 'kysely';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { HELD_REASONS, SENT_REASONS } from '../../src/posts/state-copy.ts';

/** How often something happened in simulations, by what it is. */
export type Reached = Readonly<Record<string, number>>;

/** The rules of the model that need something to have happened first, and may otherwise check nothing at all. */
export const RULES = [
  'somebody reads that a post is saved',
  'somebody is offered an unsaved post',
  'somebody reads that a project is stopped',
  'a project needs reviews',
  'a version is approved',
  'somebody asks again for an uncertain post',
  'a post is sent again',
  'a form is older than what is stored',
  'a post takes a slot',
  'a post has a picture',
  'the service fetches a picture',
  'a post has several texts',
  'somebody loses the role to schedule',
  'a series stands still',
  'an import is done',
  'a digest is sent',
  'somebody reads a version again',
  'a form is saved',
  'a post is moved',
  'a move is undone',
  'a post goes out that has changed',
  'a kept post needs reviews',
  'somebody takes a post over',
  'a post waits for a resumption',
  'a post is expected at its time',
] as const;
export type Rule = (typeof RULES)[number];

/**
 * Counts, in the database itself, what rows become: their states and reasons, the events of posts, and the deeds in the audit
 * log. What a transaction takes back isn't counted.
 */
export async function installCounters(db: Kysely<BotSchema>): Promise<void> {
  await sql`create table copies.reached (what text primary key, count integer not null)`.execute(db);
  await sql`create function copies.count_reached(name text) returns void language sql as
    $$insert into copies.reached values (name, 1)
      on conflict (what) do update set count = copies.reached.count + 1$$`.execute(db);
  await sql`create function copies.count_state() returns trigger language plpgsql as $$begin
    if tg_op = 'INSERT' then perform copies.count_reached(tg_table_name || ': → ' || new.state);
    elsif old.state <> new.state then perform copies.count_reached(tg_table_name || ': ' || old.state || ' → ' || new.state);
    end if;
    if new.reason is not null and (tg_op = 'INSERT' or new.reason is distinct from old.reason)
      then perform copies.count_reached(tg_table_name || ' reason: ' || new.reason);
    end if;
    return null;
  end$$`.execute(db);
  for (const { table } of CAPABILITIES)
    await sql`create trigger count_state after insert or update of state, reason on ${sql.table(table)}
      for each row execute function copies.count_state()`.execute(db);
  for (const [table, column] of [
    ['held_post_event', 'kind'],
    ['audit_entry', 'action'],
  ] as const) {
    await sql`create function ${sql.table(`copies.count_${table}`)}() returns trigger language plpgsql as ${sql.lit(
      `begin perform copies.count_reached(tg_table_name || ': ' || new.${column}); return null; end`,
    )}`.execute(db);
    await sql`create trigger count_row after insert on ${sql.table(table)}
      for each row execute function ${sql.table(`copies.count_${table}`)}()`.execute(db);
  }
}

/** Reads the counters, and begins them anew. */
export async function takeReached(db: Kysely<BotSchema>): Promise<Reached> {
  const { rows } = await sql<{
    what: string;
    count: number;
  }>`delete from copies.reached returning what, count`.execute(db);
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

export function addReached(...all: readonly Reached[]): Reached {
  const sum = new Map<string, number>();
  for (const [what, count] of all.flatMap((each) => Object.entries(each)))
    sum.set(what, (sum.get(what) ?? 0) + count);
  return Object.fromEntries([...sum].toSorted());
}

/** A rule that never had anything to check in so many seeds is broken, or the plans are. */
const MIN_SEEDS = 500;

/** The rules of the model that had nothing to check, after so many seeds that each should have. */
export function listUnmatched(reached: Reached, seeds: number): readonly Rule[] {
  return seeds < MIN_SEEDS ? [] : RULES.filter((rule) => reached[`rule: ${rule}`] === undefined);
}

/** Everything that simulations should reach: each transition of a lifecycle, each reason of a post, and each rule. */
export function listExpected(): string[] {
  const transitions = CAPABILITIES.flatMap(({ table, lifecycle, initialStates }) => [
    ...initialStates.map((state) => `${table}: → ${state}`),
    ...Object.entries(lifecycle).flatMap(([state, { nextStates }]) =>
      nextStates.filter((next) => next !== state).map((next) => `${table}: ${state} → ${next}`),
    ),
  ]);
  return [
    ...transitions,
    ...Object.keys(HELD_REASONS).map((reason) => `post reason: ${reason}`),
    ...Object.keys(SENT_REASONS).map((reason) => `submission reason: ${reason}`),
    ...RULES.map((rule) => `rule: ${rule}`),
  ];
}
