import { z } from 'zod';
import { findSendingStop } from '../engine/sending-stop.ts';
import { makeHandOversDueUntil } from '../held-posts/hand-over/hand-over.ts';
import { runOnDatabase } from '../start/command-database.ts';
import { failWithUsage, readArguments } from '../start/run.ts';

const USAGE = `Usage: npm run hand-over -- --until TIME

Hands over all held posts that are due until TIME, before a planned downtime. Running instances do it within seconds.
Posts in review still need their approvals. With the built-in database, stop Upnext first, and start it again afterwards:
the posts go over then.

  --until   the end of the downtime, with its zone, such as 2026-12-01T08:00Z

Settings: DATA_DIR or DATABASE_URL, and ENCRYPTION_KEYS, as for npm start.

Example: npm run hand-over -- --until 2026-12-01T08:00+01:00`;

/** Matches a date and time with a zone, because the zone of a server isn't that of its operator. */
const TIME_WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)$/i;

const { values } = readArguments(USAGE, { options: { until: { type: 'string' } } });
const { until: text = '' } = values;
// `Date` reads 31 November as 1 December.
const isValid = TIME_WITH_ZONE.test(text) && z.iso.date().safeParse(text.slice(0, 10)).success;
const until = new Date(isValid ? text : Number.NaN);
if (Number.isNaN(until.getTime()))
  failWithUsage(USAGE, '--until needs a time with its zone, such as 2026-12-01T08:00Z');

/** `npm run hand-over -- --until TIME` makes all held posts due that would go over until TIME. */
await runOnDatabase(async ({ db, now, close, record }) => {
  if (until <= now) {
    await close();
    failWithUsage(USAGE, `${until.toISOString()} has passed`);
  }
  const { handedOver, inReview } = await makeHandOversDueUntil(db, { until, now });
  if (handedOver > 0) await record('operator hand-over');
  console.log(`Held posts that are due now: ${handedOver}.`);
  if (await findSendingStop(db))
    console.log('Sending is stopped, so none goes over before `npm run resume-sending`.');
  if (inReview > 0) console.log(`Posts in review, which still need their approvals: ${inReview}.`);
  if (handedOver > 0)
    console.log(
      'Run Upnext before the downtime until upnext_held_posts_seconds_until_missed is longer than the downtime and upnext_held_posts{state="handed-over"} is 0.',
    );
});
