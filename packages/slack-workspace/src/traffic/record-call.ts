import type { HttpAnswer } from '../faults/apply-fault.ts';
import { getString } from '../json.ts';
import type { TrafficRecord } from '../protocol.ts';
import type { Site } from '../site.ts';

/** Longer labels are truncated. Those of unknown methods come from the app. */
const MAX_LABEL_LENGTH = 100;

/**
 * Records a call by the app with its answer, and returns the answer. `answerCall` returns undefined if the connection
 * was closed without one.
 */
export async function recordCall(
  site: Site,
  description: Pick<TrafficRecord, 'kind' | 'label' | 'call'> & { payload: unknown },
  answerCall: () => HttpAnswer | undefined | Promise<HttpAnswer | undefined>,
): Promise<HttpAnswer | undefined> {
  const record = site.traffic.start({
    ...description,
    direction: 'from-app',
    label: description.label.slice(0, MAX_LABEL_LENGTH),
  });
  try {
    const answer = await answerCall();
    if (answer) record.end({ ...describeOutcome(answer), answer: answer.body });
    else record.end({ outcome: 'failed', reason: 'the connection was closed without an answer' });
    return answer;
  } catch (error) {
    record.end({ outcome: 'failed', reason: 'the workspace failed' });
    throw error;
  }
}

function describeOutcome({ status, body }: HttpAnswer): Pick<TrafficRecord, 'outcome' | 'reason'> {
  const error = typeof body === 'string' || body.ok === true ? undefined : getString(body, 'error');
  const reason = error ?? (status === 200 ? undefined : `HTTP ${status}`);
  return reason === undefined ? { outcome: 'answered' } : { outcome: 'failed', reason };
}
