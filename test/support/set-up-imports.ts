import { beforeEach } from 'vitest';
import { setUpBot } from './set-up-bot.ts';

/** A file to drop into a conversation, with these lines. */
export const csv = (lines: readonly string[], name = 'posts.csv') => [
  { name, bytes: new TextEncoder().encode(lines.join('\n')) },
];

/** The rows of a month, below “Time,Platforms,Project,Text”. */
export const MONTH = Array.from(
  { length: 31 },
  (_, index) =>
    `2026-12-${String(index + 1).padStart(2, '0')} 09:00,"LinkedIn, X",Harbour Coffee,Post ${index + 1}`,
);

/** Sets up the fixture for tests of imports, whose project keeps its posts editable. Ana drops files into her messages. */
export function setUpImports() {
  const { running, setPolicy, startBot } = setUpBot();
  beforeEach(async () => {
    // The app answers a file with several messages, and a script is faster than people.
    await startBot({ limits: false });
    await setPolicy({ leadMinutes: 60 });
  });
  const ana = () => running.workspace.as('Ana').inDirectMessage();
  return {
    running,
    setPolicy,
    startBot,
    ana,
    /** Drops a file with these lines into the direct message. */
    async drop(...lines: readonly string[]) {
      const dm = await ana();
      await dm.drop(csv(lines));
      return dm;
    },
    listHeld: async () =>
      (
        await running.db
          .selectFrom('held_post')
          .select(['state', 'publish_at'])
          .orderBy('publish_at')
          .execute()
      ).map(({ state, publish_at: time }) => `${state} ${time?.toISOString().slice(0, 16)}`),
  };
}
