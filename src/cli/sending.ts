import { parseArgs } from 'node:util';
import { readSettings } from '../config/config.ts';
import { currentHalt, resumeSending, stopSending } from '../delivery/halt.ts';
import { keepOut } from '../observability/redact.ts';
import { openCommandDatabase } from '../start/command-database.ts';
import { run } from '../start/run.ts';
import { secretsOf } from '../start/secrets-of.ts';
import { StartError } from '../start/start-error.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';

const LONGEST_REASON = 200;

/**
 * `npm run stop-sending -- "why"`: from then on no instance sends anything to a service or posts a digest; what people
 * submit is kept. `npm run resume-sending`: it goes on.
 */
async function start(): Promise<undefined> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [what, ...words] = positionals;
  if (what !== 'stop' && what !== 'resume') throw new StartError('stop or resume?');
  const settings = readSettings(process.env);
  keepOut(...secretsOf(settings));
  const { db, close } = await openCommandDatabase(settings);
  if (what === 'stop') {
    await stopSending(db, { reason: words.join(' ').slice(0, LONGEST_REASON), since: new Date() });
    const { since, reason } = (await currentHalt(db)) ?? {};
    console.log(`All sending is stopped since ${since?.toISOString()}${reason ? `: ${reason}` : ''}.`);
    console.log('What is on its way this moment ends within 15 seconds. What people submit is kept.');
    console.log('`npm run resume-sending` lets it go on.');
  } else if (await resumeSending(db, new Date())) console.log('Sending goes on.');
  else console.log('Nothing was stopped.');
  await close();
}

await run(() => withoutStatementLimit(start));
