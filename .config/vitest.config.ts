import { defineConfig } from 'vitest/config';
import { WAIT_MS } from '../packages/slack-workspace/test/support/wait.ts';
import { LongestFirst } from '../test/support/longest-first.ts';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    // Waits end as soon as their condition is met. Only what never happens takes this long.
    expect: { poll: { interval: 20, timeout: WAIT_MS } },
    include: ['bench/**/*.test.ts', '{packages/*/,}test/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/postgres-global.ts'],
    // The computer's zone must not matter: this is one that nobody of the sample people lives in.
    env: { TZ: 'Pacific/Auckland' },
    // Only hanging tests reach it, for the same reason.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // More than the cores of a small machine, because tests wait for an answer, a clock or a page. A fourth worker costs
    // more time to start than it saves.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Node runs the files itself, as in production, and caches what it compiles. Vite's copies took a third more CPU time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--require', './src/start/prepare-node.cjs'],
    // The files of a worker share what they import: loading it for each took two fifths of the whole.
    isolate: false,
  },
});
