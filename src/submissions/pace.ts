/** How long things may take, ms. An argument, so that tests need not wait. */
export interface Pace {
  /** Slack waits 3 s for an acknowledgement; by then the service has answered or the person is told to wait. */
  answerMs: number;
  /** Committing a row; past it the person is told that nothing was saved. */
  saveMs: number;
  /** A view's update must not overtake the acknowledgement that replaced the view. */
  afterAcknowledgementMs: number;
  /** A form that is loading says by now that the service is slow. */
  slowMs: number;
  /** Longer than any call: a row that is still being sent then belongs to nobody any more. */
  sendingMs: number;
  /** Between two looks at a row that somebody else is sending. */
  lookMs: number;
}

export const PACE: Pace = {
  answerMs: 1_800,
  saveMs: 1_000,
  afterAcknowledgementMs: 500,
  slowMs: 4_000,
  sendingMs: 20_000,
  lookMs: 150,
};
