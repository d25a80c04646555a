import { startBrowser } from 'slack-workspace-emulator/test-support/browser';
import { openPracticePage } from '../test/support/practice-page.ts';
import { countRequestsInFlight } from '../test/support/requests-in-flight.ts';
import { takeReadmePictures } from './readme-pictures.ts';
import { takeSurfacePictures } from './take-surfaces.ts';
import { takeWorkspacePictures } from './workspace-pictures.ts';

/** Takes the pictures of the READMEs or, if `what` is `surfaces`, of the named surfaces or of all. */
export async function takePictures(what: 'surfaces' | undefined, names: readonly string[]): Promise<void> {
  countRequestsInFlight();
  const practice = await openPracticePage({ openBrowser: startBrowser, takesFiles: true });
  try {
    if (what === 'surfaces') await takeSurfacePictures(practice, names);
    else await takeReadmePictures(practice);
  } finally {
    await practice.close();
  }
  // Afterwards, because closing the bot checks the messages of all apps in this process.
  if (what === undefined) await takeWorkspacePictures();
}
