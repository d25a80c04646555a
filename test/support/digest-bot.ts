import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { createEncryption } from '../../src/access/access.ts';
import type { ApiClient } from '../../src/api/client.ts';
import type { Composer } from '../../src/digests/digest-context.ts';
import { DIGEST_PACE, type DigestPace } from '../../src/digests/pace.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { createRecordingApi } from './recording-api.ts';
import { createRunnableDigests, type RunnableDigests } from './run-digests.ts';
import { composeTestMessage } from './start-digests.ts';
import { createTestClock } from './test-clock.ts';

interface Options {
  db: Kysely<BotSchema>;
  now: () => Date;
  findSlackClient: (workspace: string) => WebClient | undefined;
  compose?: Composer;
  pace?: Partial<DigestPace>;
  findApiClient?: (workspace: string) => ApiClient;
}

/** Creates digests that run on the real clock and the given Slack. `errors` are the logged errors. */
export function createRealTimeDigests(options: Options): { digests: RunnableDigests; errors: string[] } {
  const errors: string[] = [];
  const { api } = createRecordingApi({ Items: [] });
  const digests = createRunnableDigests({
    db: options.db,
    encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
    compose: options.compose ?? composeTestMessage,
    pace: { ...DIGEST_PACE, ...options.pace },
    log: { ...SILENT, error: (fields, message) => void errors.push(`${message} ${JSON.stringify(fields)}`) },
    clock: createTestClock(() => new Date(), options.now),
    findApiClient: async (workspace) => options.findApiClient?.(workspace) ?? api,
    findSlackClient: async (workspace) => options.findSlackClient(workspace),
  });
  return { digests, errors };
}
