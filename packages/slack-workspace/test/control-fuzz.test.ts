import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createControlClient } from './support/control-client.ts';
import { openBolt } from './support/fixtures.ts';
import { HOSTILE_VALUES } from './support/hostile-values.ts';
import { addTodoListeners, TODO_MANIFEST } from './support/todo-app.ts';

const fixture = await openBolt({ manifest: TODO_MANIFEST, waitMs: 1 });
addTodoListeners(fixture.app);
const control = await createControlClient(fixture.workspace.controlUrl);

/** Bodies of calls that succeed, or nearly so. */
const BODIES: Record<string, object> = {
  open: { channel: '#general' },
  type: { text: '/todo' },
  fill: { fields: { Task: 'Milk', Due: '2026-12-01', Tags: ['home'], Notes: { files: [] } }, timeout_ms: 1 },
  press: { button: 'Add', timeout_ms: 1 },
  enter: { field: 'Task', timeout_ms: 1 },
  options: { menu: 'Priority', typed: 'a', timeout_ms: 1 },
  wait: { text: 'Milk', modal: 'New task', timeout_ms: 1 },
  drop: { files: [{ name: 'plan.csv', base64: 'YQ==' }], text: 'Our plan' },
  mention: { text: 'hello', in_thread_of: 'hello' },
  react: { message: 'hello', emoji: 'eyes' },
  shortcut: { name: 'Make a task', on_message: 'hello' },
  install: { url: 'http://127.0.0.1:9/', declined_scopes: [] },
  addPerson: { name: 'Zoe', role: 'guest', time_zone: 'UTC', locale: 'en' },
  changePerson: { name: 'Zoe', time_zone: 'UTC', locale: 'en' },
  addChannel: { name: 'launch', private: true, members: ['Ana'], has_app: false },
  changeChannel: { name: 'lift-off', archived: true },
  addMember: { person: 'Ben' },
  addTeam: { name: 'Books', people: [{ name: 'Rosa' }], channels: ['#posts'], installed: true },
  addGroup: { handle: 'baristas', members: ['Ana'], disabled: false },
  changeGroup: { members: ['Ben'], disabled: true },
  addEmoji: { picture: 'alias:eyes' },
  moveClock: { advance_seconds: 60 },
  setFaults: { seed: 1, webApi: [{ fault: 'status', status: 500, times: 1 }] },
  waitForCall: { method: 'views.open', timeout_ms: 1 },
  waitForConnection: { timeout_ms: 1 },
};

/** Leaves a field as it is in BODIES. */
const SAME = Symbol('same');

it('no random call of the control API fails inside the workspace', async () => {
  // Most calls open, fill or press something.
  const often = ['open', 'type', 'type', 'fill', 'fill', 'press'];
  const operations = Object.values(control.document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constant<unknown>(SAME) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
  );
  const call = fc.record({
    operation: fc.oneof(fc.constantFrom(...often), fc.constantFrom(...operations)),
    values: fc.array(value, { minLength: 8, maxLength: 8 }),
    person: fc.constantFrom('Ana', 'Ana', 'Ana', 'Ben', 'Lena', 'Zoe', 'nobody', '%', '..'),
    channel: fc.constantFrom('general', '#random', 'launch', 'D0', 'C0', '/'),
  });
  for (const { operation, values, person, channel } of fc.sample(call, { seed: 7, numRuns: 1_000 })) {
    const fields = Object.entries(BODIES[operation] ?? {}).map(([name, known], index): [string, unknown] => [
      name,
      name === 'timeout_ms' || values[index] === SAME ? known : values[index],
    ]);
    // The others stay, so that most calls get further than their person.
    const params = { person: operation === 'deactivatePerson' ? 'Zoe' : person, channel };
    const body = fields.length > 0 ? Object.fromEntries(fields) : undefined;
    const { status, body: answer } = await control.send(operation, params, body);
    expect([operation, body, status, status === 500 ? answer : '']).not.toContain(500);
  }
  expect((await control.call('reset')).app.name).toBe('Todo');
});
