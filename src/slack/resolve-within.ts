/**
 * Resolves or rejects like `promise`, or resolves with the result of `onTimeout` after `timeoutMs`. Stops its timer,
 * because thousands of requests a minute would leave as many timers behind.
 */
export async function resolveWithin<Value, Fallback>(
  promise: Promise<Value>,
  timeoutMs: number,
  onTimeout: () => Fallback,
): Promise<Value | Fallback> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Fallback>((resolve) => {
    timer = setTimeout(() => resolve(onTimeout()), timeoutMs).unref();
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
