/**
 * Resolves or rejects like `work`, or resolves with `late` after `ms`. The work goes on, and its later result is lost
 * unless the caller waits for it again. Stops its timer, because thousands of requests a minute would leave as many
 * timers behind.
 */
export function within<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined>;
export function within<Value, Late>(ms: number, work: Promise<Value>, late: Late): Promise<Value | Late>;
export async function within<Value, Late>(
  ms: number,
  work: Promise<Value>,
  late?: Late,
): Promise<Value | Late | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Late | undefined>((resolve) => {
    timer = setTimeout(() => resolve(late), ms).unref();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
