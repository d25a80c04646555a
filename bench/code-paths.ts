import { type Running, startBot } from '../test/support/bot.ts';
import { openBotDatabase } from '../test/support/bot-database.ts';
import { createCallRecorder } from '../test/support/called-functions.ts';
import { data } from '../test/support/scripted-service.ts';

/**
 * Counts the files and functions of `src` that run for a post and for a digest. This
 * estimates how much code a developer has to read to follow them. A post is measured in three steps: opening its form,
 * changing When, and submitting. Each step runs once before it is measured, so one-time work doesn't count. `--files`
 * lists the files and functions.
 */

/** Names of functions, as `path#name`. */
type CalledFunctions = ReadonlySet<string>;
const getFile = (name: string) => name.split('#')[0] ?? '';
/** Returns `features/schedule-post` for `src/features/schedule-post/form/x.ts`, and `forms` for `src/forms/x.ts`. */
const getModule = (file: string) => /^src\/(features\/[^/]+|[^/]+)/.exec(file)?.[1] ?? file;

export async function countCodePaths(args: readonly string[] = []): Promise<void> {
  const database = await openBotDatabase();
  const startedBot = await startBot({ db: database.db, followsClock: true });
  const callRecorder = createCallRecorder({ reportsAgain: true });
  await callRecorder.start();
  const recordCalls = async (action: () => Promise<unknown>): Promise<CalledFunctions> => {
    await callRecorder.takeCalledFunctions();
    await action();
    return callRecorder.takeCalledFunctions();
  };
  try {
    const steps = await recordPost(startedBot, recordCalls);
    const all = new Set(Object.values(steps).flatMap((step) => [...step]));
    const digest = await recordDigest(startedBot, recordCalls);
    printCounts({ ...steps, 'all three': all, 'a digest': digest });
    printByModule({ 'all three': all, 'a digest': digest });
    if (args.includes('--files')) printFiles(all);
  } finally {
    callRecorder.stop();
    await startedBot.close();
    await database.close();
  }
}

type RecordCalls = (action: () => Promise<unknown>) => Promise<CalledFunctions>;

async function recordPost(
  startedBot: Running,
  recordCalls: RecordCalls,
): Promise<Record<string, CalledFunctions>> {
  const ana = startedBot.workspace.as('Ana').in('#harbour-coffee');
  startedBot.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }]));
  startedBot.service.on('POST /posts', data({ Id: 'a' }));
  const steps: Record<string, CalledFunctions> = {};
  for (const text of ['We open at eight', 'We open at nine']) {
    steps.opening = await recordCalls(async () => {
      await ana.type('/schedule-post');
      await ana.modal('Schedule a post');
    });
    const form = await ana.modal('Schedule a post');
    await form.fill('Text', text);
    await form.choose('Platforms', ['X']);
    steps['a change of When'] = await recordCalls(() => form.fill('When', 'in 3 days at 9am'));
    steps['a submit'] = await recordCalls(async () => {
      const { errors } = await form.submit();
      if (Object.keys(errors).length > 0) throw new Error(`the form was refused: ${JSON.stringify(errors)}`);
      await ana.sees(text);
    });
  }
  return steps;
}

async function recordDigest(startedBot: Running, recordCalls: RecordCalls): Promise<CalledFunctions> {
  const ana = startedBot.workspace.as('Ana').in('#harbour-coffee');
  startedBot.service.on('GET /upnext-post', data({ Id: 'a', Content: 'New roast', Platforms: ['X'] }));
  await ana.type('/upnext digest every day 9:00 in Europe/Berlin for Harbour Coffee');
  await ana.sees('The first digest comes on');
  let digest: CalledFunctions = new Set();
  const moveClock = (to: string) => {
    startedBot.workspace.clock.set(new Date(to).getTime());
    startedBot.bot.engine.handleClockChange();
  };
  const startDate = new Date(startedBot.workspace.clock.now());
  for (const days of [1, 2]) {
    const day = new Date(startDate.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    digest = await recordCalls(async () => {
      const countBefore = ana.messages().length;
      moveClock(`${day}T08:00:01Z`);
      const endsAt = Date.now() + 60_000;
      while (ana.messages().length === countBefore) {
        if (Date.now() > endsAt) throw new Error(`the digest was not sent: ${startedBot.logged.join('\n')}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }
  return digest;
}

function printCounts(paths: Record<string, CalledFunctions>): void {
  for (const [name, called] of Object.entries(paths)) {
    const files = new Set([...called].map(getFile)).size;
    console.log(
      `  ${name.padEnd(18)} ${String(files).padStart(4)} files ${String(called.size).padStart(5)} functions`,
    );
  }
}

function printByModule(paths: Record<string, CalledFunctions>): void {
  for (const [name, called] of Object.entries(paths)) {
    const modules = Map.groupBy(new Set([...called].map(getFile)), getModule);
    const sorted = [...modules].sort(([, a], [, b]) => b.length - a.length);
    console.log(`  ${name}: ${sorted.map(([module, files]) => `${module} ${files.length}`).join(', ')}`);
  }
}

function printFiles(called: CalledFunctions): void {
  const functionsByFile = Map.groupBy(called, getFile);
  for (const file of [...functionsByFile.keys()].sort())
    console.log(
      `  ${file}: ${functionsByFile
        .get(file)
        ?.map((name) => name.slice(file.length + 1))
        .join(', ')}`,
    );
}
