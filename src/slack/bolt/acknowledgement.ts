/** Slack waits 3 s for an acknowledgement; past this many ms the person would see an error instead of an answer. */
const DEADLINE_MS = 2_600;

/** The one answer that Slack takes to a request. */
export interface Acknowledgement {
  readonly given: boolean;
  /** False when Slack has had its answer already: what was to be said must go another way. */
  give(payload?: unknown): Promise<boolean>;
  /** Once the request is handled. */
  done(): void;
}

/**
 * Neither Socket Mode nor a forgotten handler may leave Slack waiting: at the deadline `fallback()` is given, the
 * same in both modes.
 */
export function acknowledgement(
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
    done: () => clearTimeout(timer),
  };
}
