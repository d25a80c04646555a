import { mkdirSync } from 'node:fs';
import { acknowledgements } from './acknowledgements.ts';
import { languages } from './languages.ts';
import { millionPosts } from './million-posts.ts';
import { phrases } from './phrases.ts';
import { scrolling } from './scrolling.ts';
import { workspace } from './workspace.ts';

/** `npm run bench` measures everything; `npm run bench -- acknowledgements` one thing. */
const BENCHES: Record<string, () => Promise<void>> = {
  acknowledgements,
  'million-posts': millionPosts,
  workspace,
  scrolling,
  phrases,
  languages: () => languages(),
};

mkdirSync('.cache', { recursive: true });
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(1);
}
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${name}`);
  await bench();
}
