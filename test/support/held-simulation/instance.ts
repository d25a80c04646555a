import type { Kysely } from 'kysely';
import type { Permission } from '../../../src/access/access.ts';
import { createApiClient } from '../../../src/api/client.ts';
import { createHeldPosts } from '../../../src/held-posts/held-posts.ts';
import { HELD_POST_PACE } from '../../../src/held-posts/pace.ts';
import type { ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import type { BotSchema } from '../../../src/store/schema.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { createPostSubmissions } from '../post-submissions.ts';
import type { Random } from '../random.ts';
import type { createSimulatedService } from './simulated-service.ts';

/** Nothing is deleted during a simulation. */
const RETENTION_MS = 1_000 * 86_400_000;

/** What all instances and people of a simulation share. */
export interface World {
  policies: Map<string, ProjectPolicy>;
  random: Random;
  clock: { ms: number };
  service: ReturnType<typeof createSimulatedService>;
  permissions: Map<string, Permission>;
}

/** Creates an instance. Now and then it stops for good at a crash point, and another one takes its place. */
export function createInstance(db: Kysely<BotSchema>, { random, clock, service, permissions }: World) {
  const api = createApiClient({ baseUrl: 'http://service.invalid', token: 'unused' });
  const now = () => new Date(clock.ms);
  const start = () => {
    let kill = () => {};
    const killed = new Promise<void>((resolve) => {
      kill = resolve;
    });
    const maybeKill = async () => {
      if (!random.drawBoolean(0.002)) return;
      kill();
      // A killed process executes nothing more.
      await new Promise(() => {});
    };
    const submissions = createPostSubmissions({
      ...{ db, api, now, clock: now },
      kinds: [service.kind],
      pace: { ...PACE, retentionMs: RETENTION_MS, onCrashPoint: maybeKill },
      findApiClient: async () => api,
      checkPermission: async ({ user }) => permissions.get(user) ?? 'yes',
      takeOutcome: (row) => heldPosts.takeOutcome(row),
    });
    const heldPosts = createHeldPosts({
      ...{ db, submissions, now, clock: now },
      isEmulated: false,
      pace: { ...HELD_POST_PACE, retentionMs: RETENTION_MS, onCrashPoint: maybeKill },
      log: { debug() {}, info() {}, warn() {}, error() {} },
      findSlackClient: async () => undefined,
      approvers: {
        listRoleHolders: async () => ({ people: [], isComplete: true }),
        listGroupMembers: async () => [],
      },
    });
    return { submissions, heldPosts, killed, context: heldPosts.context };
  };
  const instance = {
    current: start(),
    async run() {
      const { heldPosts, submissions, killed } = instance.current;
      let isKilled = false;
      const work = (async () => {
        await heldPosts.runOnce();
        await submissions.context.delivery.poll.runOnce();
      })();
      await Promise.race([
        work,
        killed.then(() => {
          isKilled = true;
        }),
      ]);
      if (isKilled) instance.current = start();
    },
    async stop() {
      await instance.current.submissions.stop();
      await api.close();
    },
  };
  return instance;
}
