import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createApiClient } from '../../../src/api/client.ts';
import { postContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { openGiven } from '../../support/given-database.ts';
import { postingMachine, sendPost } from '../../support/posting.ts';
import { QUICK } from '../../support/sent-words.ts';

/**
 * A bot without Slack in a process of its own: sends what it is told to, goes on with what it finds, and kills itself
 * where it is told to. Says on standard output what a person would see, and how everything stands.
 */
const given = z
  .object({
    database: z.string(),
    service: z.string(),
    killAt: z.string().optional(),
    /** At the usual pace, and not a hundred times as fast. */
    usual: z.boolean().default(false),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const order = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('send'),
    formId: z.string(),
    content: postContent,
    /** The text is made so long. */
    length: z.number().default(0),
    /** Where this process ends. */
    killAt: z.string().optional(),
    /** The person has closed the form. */
    viewGone: z.boolean().default(false),
  }),
  z.object({ do: z.literal('state'), formId: z.string() }),
  z.object({ do: z.literal('stop') }),
]);

/** Written at once: what was said before the end is said. */
const say = (line: string) => void writeSync(1, `${line}\n`);
let killAt = given.killAt;
let viewGone = false;

async function at(point: string): Promise<void> {
  if (point !== killAt) return;
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
}

/** The migrations, the last of which may end the process after its work and before it is committed. */
function stoppable(): typeof migrations {
  const last = Object.keys(migrations).sort().at(-1) ?? '';
  const up: (typeof migrations)[string]['up'] = async (on) => {
    await migrations[last]?.up(on);
    await at('migrating');
  };
  return { ...migrations, [last]: { up } };
}

const { dialect, close } = await openGiven(given.database);
const db = await openDatabase<BotSchema>({ dialect, migrations: stoppable() });
const limits = given.usual ? {} : { callMs: 1_000, connectMs: 500 };
const api = createApiClient({ baseUrl: given.service, token: 'token', ...limits });
const seen = () => viewGone;
/** Longer than a busy machine needs for one call, shorter than it needs for a start. */
const SCALED = { ...QUICK, leaseMs: 1_000, beginMs: 500 };
const submissions = postingMachine({
  db,
  api,
  pace: { ...(given.usual ? PACE : SCALED), at },
  say,
  viewGone: seen,
  onError: (message, facts) => console.error(message, facts),
});

async function state(formId: string): Promise<void> {
  const rows = await db
    .selectFrom('submission')
    .select(['state', 'why', 'fence', 'tell_at'])
    .where('origin', '=', formId)
    .execute();
  say(`state ${JSON.stringify(rows.map((row) => ({ ...row, tell_at: row.tell_at !== null })))}`);
}

submissions.start();
say('started');
/** What was sent before is not to come to the next one's point. */
let sending: Promise<unknown> = Promise.resolve();
for await (const line of createInterface({ input: process.stdin })) {
  const asked = order.parse(JSON.parse(line));
  if (asked.do === 'stop') break;
  if (asked.do === 'state') await state(asked.formId);
  else {
    if (asked.killAt !== undefined) await sending;
    ({ killAt, viewGone } = { killAt: asked.killAt, viewGone: asked.viewGone });
    const { content, length } = asked;
    const typed = { ...content.typed, text: content.typed.text.padEnd(length, ' .') };
    const form = { formId: asked.formId, say, viewGone: seen };
    sending = Promise.all([sending, sendPost(submissions, { ...content, typed }, form)]);
  }
}
await submissions.stop();
await db.destroy();
await close();
process.exit(0);
