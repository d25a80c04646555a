import { WebClient } from '@slack/web-api';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { z } from 'zod';
import { createEncryption } from '../../../src/access/access.ts';
import { createApiClient } from '../../../src/api/client.ts';
import { migrations } from '../../../src/app/migrations.ts';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { ACCELERATED_PACE, createAcceleratedClock } from '../../support/accelerated-clock.ts';
import { openDialect } from '../../support/open-dialect.ts';
import { composeByDueDate, createRunnableDigests } from '../../support/start-digests.ts';
import { createTestClock } from '../../support/test-clock.ts';

/** Sends digests in a separate process on an accelerated clock, until it is killed. */
const options = z
  .object({
    database: z.string(),
    apiUrl: z.string(),
    token: z.string(),
    /** The real time and the accelerated time at the start, in ms since the epoch. */
    realStart: z.number(),
    clockStart: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const { dialect } = await openDialect(options.database);
const db = await openDatabase<BotSchema>({ dialect, migrations });
const client = new WebClient(options.token, {
  slackApiUrl: options.apiUrl,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  timeout: 1_000,
  logger: SILENT,
});
const api = createApiClient({ baseUrl: 'http://127.0.0.1:9', token: 'nobody' });
const digests = createRunnableDigests({
  db,
  encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
  compose: composeByDueDate,
  pace: ACCELERATED_PACE,
  log: { ...SILENT, error: (fields, message) => console.error(message, fields) },
  clock: createTestClock(() => new Date(), createAcceleratedClock(options)),
  findApiClient: async () => api,
  findSlackClient: async () => client,
});
digests.start();
process.stdout.write('started\n');
