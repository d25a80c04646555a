import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    // Waits end as soon as their condition is met. Only what never happens takes this long.
    expect: { poll: { interval: 20, timeout: 120_000 } },
    include: ['test/**/*.test.ts'],
    // The computer's zone must not matter: this is one that nobody of the sample people lives in.
    env: { TZ: 'Pacific/Auckland' },
    // Only hanging tests reach it: a busy machine may take ten times as long as usual.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 3,
    isolate: false,
  },
});
