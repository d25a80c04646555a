import { openBotDatabase, type Running, startBot } from '../support/bot.ts';
import { watchFunctions } from '../support/called-functions.ts';
import { data } from '../support/scripted-service.ts';

/**
 * Counts the files and functions that a reader has to open to follow a post or a digest. These are the functions of
 * `src`, without emulators, that run while a person opens the form for a post, changes When, and submits, and while a
 * digest is sent. Each action runs once before it is measured, so one-time work doesn't count. `--files` lists files
 * and functions.
 */

type Touched = ReadonlySet<string>;
const isAppCode = (called: string) => !called.startsWith('src/emulators/');
const getFile = (called: string) => called.split('#')[0] ?? '';
/** Returns `features/schedule-post` for `src/features/schedule-post/form/x.ts`, and `forms` for `src/forms/x.ts`. */
const getModule = (file: string) => /^src\/(features\/[^/]+|[^/]+)/.exec(file)?.[1] ?? file;

export async function touched(args: readonly string[] = []): Promise<void> {
  const database = await openBotDatabase();
  const running = await startBot({ db: database.db, followsClock: true });
  const functions = watchFunctions();
  await functions.start();
  const recordCalls = async (act: () => Promise<unknown>): Promise<Touched> => {
    await functions.called();
    await act();
    return new Set([...(await functions.called())].filter(isAppCode));
  };
  try {
    const parts = await recordPost(running, recordCalls);
    const all = new Set(Object.values(parts).flatMap((part) => [...part]));
    const digest = await recordDigest(running, recordCalls);
    print({ ...parts, 'all three': all, 'a digest': digest });
    printByModule({ 'all three': all, 'a digest': digest });
    if (args.includes('--files')) printFiles(all);
  } finally {
    functions.stop();
    await running.close();
    await database.close();
  }
}

type RecordCalls = (act: () => Promise<unknown>) => Promise<Touched>;

async function recordPost(running: Running, recordCalls: RecordCalls): Promise<Record<string, Touched>> {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }]));
  running.service.on('POST /posts', data({ Id: 'a' }));
  const parts: Record<string, Touched> = {};
  for (const text of ['We open at eight', 'We open at nine']) {
    parts.opening = await recordCalls(async () => {
      await ana.type('/schedule-post');
      await ana.modal('Schedule a post');
    });
    const form = await ana.modal('Schedule a post');
    await form.fill('Text', text);
    await form.choose('Platforms', ['X']);
    parts['a change of When'] = await recordCalls(() => form.fill('When', 'in 3 days at 9am'));
    parts['a submit'] = await recordCalls(async () => {
      const { errors } = await form.submit();
      if (Object.keys(errors).length > 0) throw new Error(`the form was refused: ${JSON.stringify(errors)}`);
      await ana.sees(text);
    });
  }
  return parts;
}

async function recordDigest(running: Running, recordCalls: RecordCalls): Promise<Touched> {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  running.service.on('GET /upnext-post', data({ Id: 'a', Content: 'New roast', Platforms: ['X'] }));
  await ana.type('/upnext digest every day 9:00 in Europe/Berlin for Harbour Coffee');
  await ana.sees('The first one comes');
  let digest: Touched = new Set();
  const jump = (to: string) => {
    running.workspace.clock.set(new Date(to).getTime());
    running.bot.digests.handleClockChange();
  };
  const first = new Date(running.workspace.clock.now());
  for (const days of [1, 2]) {
    const day = new Date(first.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    digest = await recordCalls(async () => {
      const before = ana.messages().length;
      jump(`${day}T08:00:01Z`);
      const until = Date.now() + 60_000;
      while (ana.messages().length === before) {
        if (Date.now() > until) throw new Error(`the digest was not sent: ${running.logged.join('\n')}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  }
  return digest;
}

function print(paths: Record<string, Touched>): void {
  for (const [name, called] of Object.entries(paths)) {
    const files = new Set([...called].map(getFile)).size;
    console.log(
      `  ${name.padEnd(18)} ${String(files).padStart(4)} files ${String(called.size).padStart(5)} functions`,
    );
  }
}

function printByModule(paths: Record<string, Touched>): void {
  for (const [name, called] of Object.entries(paths)) {
    const modules = Map.groupBy(new Set([...called].map(getFile)), getModule);
    const sorted = [...modules].sort(([, a], [, b]) => b.length - a.length);
    console.log(`  ${name}: ${sorted.map(([module, files]) => `${module} ${files.length}`).join(', ')}`);
  }
}

function printFiles(called: Touched): void {
  const byFile = Map.groupBy(called, getFile);
  for (const file of [...byFile.keys()].sort())
    console.log(
      `  ${file}: ${byFile
        .get(file)
        ?.map((one) => one.slice(file.length + 1))
        .join(', ')}`,
    );
}
