import type { Kysely } from 'kysely';
import type { Digests } from '../digests/digests.ts';
import { startWakeUps } from '../jobs/wake-ups.ts';
import type { Log } from '../slack/feature.ts';
import type { BotSchema } from '../store/schema.ts';
import type { Submissions } from '../submissions/submissions.ts';

/**
 * Submissions and digests are woken by the shared alarm clock as well; where it cannot be had, their own scans find
 * what is due.
 */
export function wakeSubmissions(options: {
  db: Kysely<BotSchema>;
  submissions: Submissions;
  digests: Digests;
  log: Log;
}): { stop(): Promise<void> } {
  const { db, submissions, digests, log } = options;
  const sleepers = [submissions, digests];
  const onError = (error: unknown) => log.warn({ err: error }, 'the shared alarm clock');
  const onWake = () => {
    for (const sleeper of sleepers) sleeper.wakeUp();
  };
  const starting = startWakeUps({ db, queue: 'submissions', onWake, onError });
  starting.then((wakeUps) => {
    for (const sleeper of sleepers) sleeper.wakeBy((id, when) => wakeUps.at(id, when));
  }, onError);
  return {
    async stop() {
      for (const sleeper of sleepers) sleeper.wakeBy(() => undefined);
      const wakeUps = await starting.catch(() => undefined);
      await wakeUps?.stop();
    },
  };
}
