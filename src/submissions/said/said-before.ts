import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { later } from '../../delivery/later.ts';
import { isTransient } from '../../slack/slack-trouble.ts';
import type { Machine } from '../machine.ts';
import type { SubmissionRow } from '../sql/submissions.ts';

/** What a direct message carries, so that it can be found again. */
export const TOLD = 'submission_told';

/** The state of a submission that a message tells of. */
export function toldMark({ id, fence, state }: Pick<SubmissionRow, 'id' | 'fence' | 'state'>): string {
  return `${id} ${fence} ${state}`;
}

/** More than a person gets from a bot in a minute; beyond, it may be said twice. Apps may be given 15 at a time. */
const MESSAGES = 15;
/** Slack's clock and ours. */
const APART_MS = 60_000;

const carrier = z.object({
  metadata: z.object({ event_type: z.literal(TOLD), event_payload: z.object({ told: z.string() }) }),
});

/**
 * Whether the person has this message since `since`. Where that cannot be looked up they may hear it twice, which is
 * better than never; throws where Slack is busy.
 */
export async function wasSaid(
  machine: Pick<Machine, 'log'>,
  client: WebClient,
  row: SubmissionRow,
  since: Date,
): Promise<boolean> {
  try {
    const { channel } = await client.conversations.open({ users: row.asker });
    const history = await client.conversations.history({
      channel: channel?.id ?? '',
      oldest: String(later(since, -APART_MS).getTime() / 1000),
      limit: MESSAGES,
      include_all_metadata: true,
    });
    const marks = (history.messages ?? []).map(
      (one) => carrier.safeParse(one).data?.metadata.event_payload.told,
    );
    return marks.includes(toldMark(row));
  } catch (error) {
    if (isTransient(error)) throw error;
    machine.log.warn({ submission: row.id, err: error }, 'whether a person was told could not be looked up');
    return false;
  }
}
