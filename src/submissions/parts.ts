import type { Kysely } from 'kysely';
import type { Encryption } from '../access/encryption.ts';
import type { ApiClient } from '../api/client.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Pace } from './pace.ts';

/** What the bot works with. */
export interface Parts {
  api: ApiClient;
  db: Kysely<BotSchema>;
  encryption: Encryption;
  /** The service is the embedded one: what it accepts is published nowhere. */
  practice: boolean;
  pace: Pace;
}
