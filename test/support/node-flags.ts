import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

/** The Node flags of `npm start`. Tests don't read `.env`. */
export const NODE_FLAGS: readonly string[] = scripts.start
  .split(' ')
  .slice(1, -1)
  .join(' ')
  .replace(' --require ./src/start/load-env.cjs', '')
  .split(' ');
