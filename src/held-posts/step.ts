import { getStep } from '../engine/lifecycle.ts';
import { handOver } from './hand-over.ts';
import type { HeldPostContext } from './held-post-context.ts';
import type { State } from './lifecycle.ts';
import { checkOutcome } from './outcome.ts';
import { remindReviewers } from './review/remind-reviewers.ts';
import type { HeldPostRow } from './sql/held-posts.ts';

type Step = (context: HeldPostContext, row: HeldPostRow) => Promise<void>;

const STEPS: Partial<Record<State, Step>> = {
  held: handOver,
  'awaiting-review': remindReviewers,
  'handed-over': checkOutcome,
};

/** Runs the next step of a claimed row. */
export function runStep(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  return getStep(STEPS, row.state)(context, row);
}
