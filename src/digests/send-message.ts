import type { WebClient } from '@slack/web-api';
import { later } from '../delivery/later.ts';
import { INTERNAL_READERS } from '../slack/audience.ts';
import { afterSending } from './after-sending.ts';
import { sealAfterwards } from './afterwards.ts';
import type { ComposedMessage } from './compose.ts';
import { composeNow } from './compose-now.ts';
import { type Digest, isPersonal, isSharedWith } from './digest.ts';
import { keptWhy, NO_FILE } from './kept-marks.ts';
import type { LastPosted } from './last-posted.ts';
import { isTooLate } from './lateness.ts';
import type { Machine } from './machine.ts';
import { waitOf } from './pace.ts';
import { pauseBecause, pauseShared } from './pause-because.ts';
import { NOT_SENT, pictureBlock, postMessage, sentOf } from './post-message.ts';
import type { Ticket } from './sending-limits.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';
import { uploadPicture } from './upload-picture.ts';

/** While sending is stopped: how soon to look again, ms. */
const HALTED_MS = 30_000;

/** What a step works on: a row in the caller's hands, and its settings as they are now. */
export interface InHand {
  row: OccurrenceRow;
  /** Undefined where it was removed. */
  digest: Digest | undefined;
  /** When the last one of this digest was posted. */
  since: Date | undefined;
  /** What the last one gave to remember. */
  memory: string | undefined;
  /** Whoever runs the app has stopped all sending. */
  isHalted: boolean;
}

/** Sends the message of what is `due`, if it is still to be sent. */
export async function sendMessage(
  machine: Machine,
  { row, digest, since, memory, isHalted }: InHand,
): Promise<void> {
  if (!digest) return void (await machine.delivery.transition(row, 'paused', { reason: 'removed' }));
  if (digest.state === 'paused' && row.asked_at === null) {
    return void (await machine.delivery.transition(row, 'paused', { reason: 'asked' }));
  }
  const base = row.asked_at ?? row.due_at;
  if (isTooLate(machine.pace, { since: base, zone: digest.zone, now: machine.now() })) {
    return void (await machine.delivery.transition(row, 'missed', { reason: 'late' }));
  }
  if (isHalted) return putOff(machine, row, HALTED_MS);
  const client = await machine.slackFor(row.workspace);
  if (!client) return pauseBecause(machine, row, { workspace: row.workspace }, 'no-access');
  if (client === 'unknown') return checkLater(machine, row);
  const readers = isPersonal(digest) ? INTERNAL_READERS : await machine.shared.readersOf(row, client);
  if (readers === 'unknown') return checkLater(machine, row);
  if (readers.isShared && !isSharedWith(digest, readers.outsiders)) {
    await pauseShared(machine, row, readers.outsiders);
    machine.wake(machine.clock());
    return void (await machine.delivery.transition(row, 'paused'));
  }
  const ticket = machine.limits.enter(row);
  if ('waitMs' in ticket) return putOff(machine, row, ticket.waitMs);
  let isSent = false;
  const once: Ticket = {
    leave(sent) {
      isSent ||= sent;
    },
  };
  try {
    await composeAndSend(machine, { row, digest, since, memory, client, ticket: once });
  } finally {
    ticket.leave(isSent);
  }
}

interface Going {
  row: OccurrenceRow;
  digest: Digest;
  since: Date | undefined;
  memory: string | undefined;
  client: WebClient;
  ticket: Ticket;
}

async function composeAndSend(machine: Machine, going: Going): Promise<void> {
  const { row } = going;
  const composed = await composeNow(machine, going);
  await machine.pace.at?.('after-compose');
  switch (composed.kind) {
    case 'message':
      return withPicture(machine, going, composed);
    case 'silent':
      return void (await machine.delivery.transition(
        row,
        'silent',
        {},
        { note: { memory: composed.memory } satisfies LastPosted },
      ));
    case 'gone':
      return pauseBecause(machine, row, { workspace: row.workspace, id: row.digest }, 'project-gone');
    case 'later': {
      const next_at = later(machine.clock(), waitOf(machine.pace.serviceWaitsMs, row.attempts));
      const { retrying_since, reason } = composed;
      await machine.delivery.transition(row, 'due', {
        reason,
        retrying_since,
        next_at,
        attempts: row.attempts + 1,
      });
    }
  }
}

/** The picture is uploaded once, and its id kept before anything is sent. */
async function withPicture(machine: Machine, going: Going, message: ComposedMessage): Promise<void> {
  const { row, client } = going;
  const { picture } = message;
  if (!picture || row.file !== null) return send(machine, going, message);
  try {
    const file = await uploadPicture(client, picture, machine.fetch);
    await machine.pace.at?.('after-upload');
    const kept = await machine.delivery.renew(row, { file });
    if (kept) await send(machine, { ...going, row: kept.row }, message);
  } catch (error) {
    const sent = sentOf(error);
    if (sent.kind === 'later') {
      machine.limits.hold(row.workspace, sent.waitMs);
      return putOff(machine, row, sent.waitMs);
    }
    machine.log.warn({ occurrence: row.id, err: error }, 'a picture could not be uploaded');
    const isLast = row.attempts + 1 >= machine.pace.retryMs.length;
    const next_at = later(machine.clock(), waitOf(machine.pace.retryMs, row.attempts));
    await machine.delivery.transition(row, 'due', {
      attempts: row.attempts + 1,
      next_at,
      ...(isLast && { file: NO_FILE }),
    });
  }
}

/** `sending` is committed before the request goes out: a crash from then on is looked into, never repeated. */
async function send(machine: Machine, going: Going, message: ComposedMessage): Promise<void> {
  const { row, client, ticket } = going;
  const { text, blocks, picture } = message;
  const file = picture && row.file !== null && row.file !== NO_FILE ? row.file : undefined;
  const shown =
    picture && file !== undefined ? [...(blocks ?? []), pictureBlock(file, picture)] : (blocks ?? []);
  const isPlain = row.reason === 'plain' || shown.length === 0;
  await machine.pace.at?.('before-sending');
  const sending = await machine.delivery.send(row, 'sending', {
    ...(row.reason === 'plain' && { reason: 'plain' }),
    attempts: row.attempts + 1,
    // The service has answered.
    retrying_since: null,
    sending_at: machine.now(),
    afterwards: sealAfterwards(machine, row.workspace, message),
  });
  if (!sending) return;
  await machine.pace.at?.('after-sending');
  const posting = {
    channel: row.channel,
    message: isPlain ? { text } : { text, blocks: shown },
    occurrence: row.id,
  };
  const sent = sending.permit.mayBegin() ? await postMessage(client, posting) : NOT_SENT;
  ticket.leave(sent.kind === 'posted' || sent.kind === 'unknown');
  await machine.pace.at?.('before-result');
  await afterSending(machine, sending.row, sent, {
    ...{ hasPicture: file !== undefined, isPlain },
    memory: message.memory,
  });
  await machine.pace.at?.('after-result');
}

/** Whether it may be posted there could not be found out. */
async function checkLater(machine: Machine, row: OccurrenceRow): Promise<void> {
  const next_at = later(machine.clock(), waitOf(machine.pace.serviceWaitsMs, row.attempts));
  await machine.delivery.transition(row, 'due', {
    reason: 'not-checked',
    next_at,
    attempts: row.attempts + 1,
  });
}

/** Not now, and through no fault of its own. */
async function putOff(machine: Machine, row: OccurrenceRow, ms: number): Promise<void> {
  await machine.delivery.transition(row, 'due', { ...keptWhy(row), next_at: later(machine.clock(), ms) });
}
