/**
 * How long people and polls in tests wait for something, ms. `TEST_WAIT_MS`: a run of many files at once sets it higher,
 * because a busy machine may take ten times as long as usual.
 */
export const WAIT_MS = Number(process.env.TEST_WAIT_MS ?? 10_000);
