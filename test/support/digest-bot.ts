import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { createEncryption } from '../../src/access/access.ts';
import type { ApiClient } from '../../src/api/client.ts';
import type { Composer } from '../../src/digests/compose.ts';
import { createDigests, type Digests } from '../../src/digests/digests.ts';
import { DIGEST_PACE, type DigestPace } from '../../src/digests/pace.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { composePlainly } from './digest-machine.ts';
import { recordingApi } from './recording-api.ts';

interface Options {
  db: Kysely<BotSchema>;
  now: () => Date;
  slackFor: (workspace: string) => WebClient | undefined;
  compose?: Composer;
  pace?: Partial<DigestPace>;
  apiFor?: (workspace: string) => ApiClient;
}

/** Digests on the real clock, beside whatever Slack there is; `errors` is what they logged. */
export function digestsBeside(options: Options): { digests: Digests; errors: string[] } {
  const errors: string[] = [];
  const quiet = () => undefined;
  const { api } = recordingApi({ Items: [] });
  const digests = createDigests({
    db: options.db,
    encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
    compose: options.compose ?? composePlainly,
    pace: { ...DIGEST_PACE, ...options.pace },
    log: {
      ...{ debug: quiet, info: quiet, warn: quiet },
      error: (facts, message) => void errors.push(`${message} ${JSON.stringify(facts)}`),
    },
    now: options.now,
    apiFor: async (workspace) => options.apiFor?.(workspace) ?? api,
    slackFor: async (workspace) => options.slackFor(workspace),
  });
  return { digests, errors };
}
