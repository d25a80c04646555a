import { failWithUsage, readArguments } from '../../src/start/usage.ts';
import { countRequestsInFlight } from '../support/explorer.ts';
import { openPracticePage } from '../support/practice-page.ts';
import { takeReadmePictures } from './readme-pictures.ts';
import { takeSurfacePictures } from './take-surfaces.ts';
import { takeWorkspacePictures } from './workspace-pictures.ts';

const USAGE = `Usage: npm run pictures [-- surfaces [NAME …]]

Takes the pictures of the READMEs from the practice workspace, and writes them to .github.

  surfaces   takes pictures of every surface instead, light, dark and narrow, and writes them to .cache/surfaces

Settings: CHROME_PATH, the browser where npm installs none.

Example: npm run pictures -- surfaces post-form home`;

readArguments(USAGE, { strict: false });
const [what, ...names] = process.argv.slice(2);
if (what !== undefined && what !== 'surfaces') failWithUsage(USAGE, `Unknown argument: ${what}`);
countRequestsInFlight();
const practice = await openPracticePage();
try {
  if (what === 'surfaces') await takeSurfacePictures(practice, names);
  else {
    await takeReadmePictures(practice);
    await takeWorkspacePictures();
  }
} finally {
  await practice.close();
}
