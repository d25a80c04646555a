import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
// With vitest: import { afterAll as after, beforeAll as before, test } from 'vitest';
// With Jest: import { afterAll as after, beforeAll as before, test } from '@jest/globals';
import { after, before, test } from 'node:test';
// In your project: import { startWorkspace } from 'slack-workspace-emulator';
import { startWorkspace } from '../../src/slack.ts';
import { createTodoApp } from './todo-app.js';

const manifest = JSON.parse(readFileSync(new URL('../manifest.json', import.meta.url), 'utf8'));
let workspace;
let app;

before(async () => {
  workspace = await startWorkspace({ manifest });
  app = createTodoApp(workspace.boltOptions);
  await app.start();
});

after(async () => {
  await app.stop();
  await workspace.close();
});

test('a task is added with a command, and done with its button', async () => {
  const ana = workspace.as('Ana').in('#general');
  await ana.type('/todo Buy milk');
  await ana.sees('Buy milk');
  await ana.press('Done');
  await ana.sees('Done: Buy milk');
});

test('everybody in the channel sees a task', async () => {
  workspace.reset();
  await workspace.as('Ana').in('#general').type('/todo Buy bread');
  await workspace.as('Ben').in('#general').sees('Buy bread');
  assert.equal(workspace.app.calls('chat.postMessage').length, 1);
});
