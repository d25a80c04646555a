import { CAPABILITIES } from '../app/capabilities.ts';
import { findSendingStop, resumeSending, stopAllSending } from '../engine/sending-stop.ts';
import { runOnDatabase } from '../start/command-database.ts';
import { failWithUsage, readArguments } from '../start/run.ts';

const MAX_REASON_LENGTH = 200;

const USAGE = `Usage: npm run stop-sending -- ["REASON"]
       npm run resume-sending

Stops all sending to services and all digests, in every instance, until you resume. New submissions are stored.

  REASON   why, up to ${MAX_REASON_LENGTH} characters

Settings: DATA_DIR or DATABASE_URL, and ENCRYPTION_KEYS, as for npm start.

Example: npm run stop-sending -- "wrong copy in the launch posts"`;

const { positionals } = readArguments(USAGE, { allowPositionals: true });
const [action, ...reasonWords] = positionals;
if (action !== 'stop' && action !== 'resume')
  failWithUsage(USAGE, 'The first argument must be stop or resume');
if (action === 'resume' && reasonWords.length > 0) failWithUsage(USAGE, 'resume-sending takes no REASON');

/**
 * `npm run stop-sending -- "reason"` stops all instances from sending digests and from sending anything to a service.
 * New submissions are still saved. `npm run resume-sending` ends the stop.
 */
await runOnDatabase(async ({ db, now, record }) => {
  if (action === 'stop') {
    await stopAllSending(db, CAPABILITIES, {
      reason: reasonWords.join(' ').slice(0, MAX_REASON_LENGTH),
      since: now,
    });
    const { since, reason } = (await findSendingStop(db)) ?? {};
    console.log(`All sending is stopped since ${since?.toISOString()}${reason ? `: ${reason}` : ''}.`);
    await record('operator stop-sending');
    console.log('Requests in flight end within 15 seconds. New submissions are saved.');
    console.log('To resume, run `npm run resume-sending`.');
  } else if (await resumeSending(db, CAPABILITIES, now)) {
    await record('operator resume-sending');
    console.log('Sending is resumed.');
  } else console.log('Sending was not stopped.');
});
