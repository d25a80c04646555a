import { randomUUID } from 'node:crypto';
import type { Outcome } from '../../../src/api/outcome.ts';
import { getSentText, type PostContent } from '../../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../../src/features/schedule-post/sent/post-submission.ts';
import type { SubmissionKind } from '../../../src/submissions/kind.ts';
import type { Random } from '../random.ts';

/** A request to create a post. */
interface SimulatedCall {
  text: string;
  /** Ms on the simulated clock. */
  at: number;
  publishAt: number;
  project: string;
  /** Whether the service stored the post. */
  isApplied: boolean;
}

/** How often the service answers in an unusual way. */
interface FaultShares {
  refused: number;
  /** The answer is lost; the service has stored the post or not. */
  unknown: number;
}

/** Creates a scheduling service in memory, with outages, refusals and lost answers. */
export function createSimulatedService(random: Random, readTime: () => number, faults: FaultShares) {
  const calls: SimulatedCall[] = [];
  const refusedTexts = new Set<string>();
  const inFlight = new Set<string>();
  const status = { isDown: false };

  async function send(content: PostContent): Promise<Outcome<unknown>> {
    const requestId = randomUUID();
    const text = getSentText(content);
    if (status.isDown) return { kind: 'not-applied', cause: 'connection-refused', requestId };
    const call = {
      text,
      at: readTime(),
      publishAt: new Date(content.moment?.instant ?? '').getTime(),
      project: content.project.id,
    };
    inFlight.add(content.project.id);
    // Lets other work run while the request is in flight.
    await new Promise((resolve) => setImmediate(resolve));
    inFlight.delete(content.project.id);
    if (refusedTexts.has(text) || random.drawBoolean(faults.refused)) {
      refusedTexts.add(text);
      calls.push({ ...call, isApplied: false });
      return { kind: 'refused', status: 400, requestId };
    }
    const isLost = random.drawBoolean(faults.unknown);
    const isApplied = !isLost || random.drawBoolean(0.5);
    calls.push({ ...call, isApplied });
    if (isLost) return { kind: 'unknown', cause: 'timed-out', requestId };
    return { kind: 'done', data: { post: { id: text } }, requestId };
  }

  const { unknownOutcome } = postSubmission;
  if (unknownOutcome.strategy !== 'reconcile') throw new Error('posts must be reconciled');
  const kind: SubmissionKind<PostContent> = {
    ...postSubmission,
    send: (_api, content) => send(content),
    unknownOutcome: {
      strategy: 'reconcile',
      computeEqualityKey: unknownOutcome.computeEqualityKey,
      async countEqual(_api, content) {
        const requestId = randomUUID();
        if (status.isDown) return { kind: 'not-applied', cause: 'connection-refused', requestId };
        const text = getSentText(content);
        const data = calls.filter((call) => call.isApplied && call.text === text).length;
        return { kind: 'done', data, requestId };
      },
    },
  };
  return { kind, calls, status, inFlight };
}

export type SimulatedService = ReturnType<typeof createSimulatedService>;
