/** Slack waits 3 s for an acknowledgement and then shows an error. The rest is for the network. */
const DEADLINE_MS = 2_600;

/** The acknowledgement of one request. Slack accepts only one. */
export interface Acknowledgement {
  readonly given: boolean;
  /** False if the request was already acknowledged, so that the caller must answer in another way. */
  give(payload?: unknown): Promise<boolean>;
  /** Stops the deadline when the request has been handled. */
  stopDeadline(): void;
}

/**
 * Makes sure that every request is acknowledged in time, over Socket Mode and HTTP alike: at the deadline, `fallback()`
 * is sent.
 */
export function createAcknowledgement(
  ack: (payload?: unknown) => Promise<void>,
  fallback: () => unknown,
  onFailure: (error: unknown) => void,
): Acknowledgement {
  let given = false;
  const give = async (payload?: unknown) => {
    if (given) return false;
    given = true;
    clearTimeout(timer);
    await ack(payload);
    return true;
  };
  const timer = setTimeout(() => void give(fallback()).catch(onFailure), DEADLINE_MS);
  return {
    get given() {
      return given;
    },
    give,
    stopDeadline: () => clearTimeout(timer),
  };
}
