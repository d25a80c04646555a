import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

/** What `npm start` gives to Node, without `node` and the entry point; tests read nobody's `.env`. */
export const NODE_FLAGS: readonly string[] = scripts.start
  .split(' ')
  .slice(1, -1)
  .filter((flag) => !flag.startsWith('--env-file'));
