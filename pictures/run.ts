import { failWithUsage, readArguments } from '../src/start/run.ts';

const USAGE = `Usage: npm run pictures [-- surfaces [NAME …]]

Takes the pictures of the READMEs from the practice workspace, and writes them to .github.

  surfaces   takes pictures of every surface instead, light, dark and narrow, and writes them to .cache/surfaces

Settings: CHROME_PATH, the browser where npm installs none.

Example: npm run pictures -- surfaces post-form home`;

readArguments(USAGE, { strict: false });
const [what, ...names] = process.argv.slice(2);
if (what !== undefined && what !== 'surfaces') failWithUsage(USAGE, `Unknown argument: ${what}`);
// Imported late, so that a wrong argument is reported at once.
const { takePictures } = await import('./take-pictures.ts');
await takePictures(what, names);
