import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createApiClient } from '../../../src/api/client.ts';
import { migrations } from '../../../src/app/migrations.ts';
import { postContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { openDialect } from '../../support/open-dialect.ts';
import { createPostSubmissions, sendPost } from '../../support/post-submissions.ts';
import { QUICK_PACE } from '../../support/word-submissions.ts';

/**
 * A bot without Slack in a separate process. It submits the texts that it receives, continues with stored submissions,
 * and kills itself at a given crash point. It prints what a person would see, and the states of all submissions.
 */
const options = z
  .object({
    database: z.string(),
    service: z.string(),
    killAt: z.string().optional(),
    /** Whether to use the production pace instead of one a hundred times as fast. Defaults to false. */
    usesProductionPace: z.boolean().default(false),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const commandSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('send'),
    formId: z.string(),
    content: postContent,
    /** The channel in which the form was opened. */
    channel: z.string().optional(),
    /** Length in characters to which the text is padded. */
    length: z.number().default(0),
    /** The crash point at which this process kills itself. */
    killAt: z.string().optional(),
    /** Whether the author has closed the form. */
    isViewClosed: z.boolean().default(false),
  }),
  z.object({ do: z.literal('state'), formId: z.string() }),
  z.object({ do: z.literal('stop') }),
]);

/** Writes synchronously, so that no line is lost when the process is killed. */
const print = (line: string) => void writeSync(1, `${line}\n`);
let killAt = options.killAt;
let isViewClosed = false;

async function killAtCrashPoint(point: string): Promise<void> {
  if (point !== killAt) return;
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
}

/** Returns the migrations. The last one can kill the process after its statements and before its commit. */
function createKillableMigrations(): typeof migrations {
  const last = Object.keys(migrations).sort().at(-1) ?? '';
  const up: (typeof migrations)[string]['up'] = async (on) => {
    await migrations[last]?.up(on);
    await killAtCrashPoint('migrating');
  };
  return { ...migrations, [last]: { up } };
}

const { dialect, close } = await openDialect(options.database);
const db = await openDatabase<BotSchema>({ dialect, migrations: createKillableMigrations() });
const limits = options.usesProductionPace ? {} : { maxCallMs: 1_000, maxConnectMs: 500 };
const api = createApiClient({ baseUrl: options.service, token: 'token', ...limits });
/**
 * The lease is longer than a call takes on a busy machine, and shorter than the start of a process. A request shows its
 * result before the author is notified of it, on a busy machine too.
 */
const SCALED_PACE = { ...QUICK_PACE, leaseMs: 1_000, notificationDelayMs: 1_500, maxStartDelayMs: 500 };
const submissions = createPostSubmissions({
  db,
  api,
  pace: { ...(options.usesProductionPace ? PACE : SCALED_PACE), onCrashPoint: killAtCrashPoint },
  onShown: print,
  isViewClosed: () => isViewClosed,
  onError: (message, fields) => console.error(message, fields),
});

async function printState(formId: string): Promise<void> {
  const rows = await db
    .selectFrom('submission')
    .select(['state', 'reason', 'fence', 'notify_at'])
    .where('origin', '=', formId)
    .execute();
  print(`state ${JSON.stringify(rows.map((row) => ({ ...row, notify_at: row.notify_at !== null })))}`);
}

submissions.start();
print('started');
// The app, too, writes its compile cache right after its start, because a killed process doesn't write it.
flushCompileCache();
/**
 * Settles when all earlier submissions have settled. A command with a crash point waits for this, so that no other
 * submission reaches the crash point.
 */
let sending: Promise<unknown> = Promise.resolve();
for await (const line of createInterface({ input: process.stdin })) {
  const command = commandSchema.parse(JSON.parse(line));
  if (command.do === 'stop') break;
  if (command.do === 'state') await printState(command.formId);
  else {
    if (command.killAt !== undefined) await sending;
    ({ killAt, isViewClosed } = { killAt: command.killAt, isViewClosed: command.isViewClosed });
    const { content, channel, length } = command;
    const values = { ...content.values, text: content.values.text.padEnd(length, ' .') };
    const form = { formId: command.formId, channel, onShown: print, isViewClosed: () => isViewClosed };
    sending = Promise.all([sending, sendPost(submissions, { ...content, values }, form)]);
  }
}
await submissions.stop();
await db.destroy();
await close();
process.exit(0);
