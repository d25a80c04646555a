import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, startWithBolt } from '../../support/workspace-bolt.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
/** An app that takes this long is still in time. */
const SLOW_MS = 2_000;

const form = {
  type: 'modal' as const,
  callback_id: 'form',
  title: plain('A form'),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input' as const,
      label: plain('City'),
      optional: true,
      element: { type: 'external_select' as const, action_id: 'city', min_query_length: 0 },
    },
    {
      type: 'actions' as const,
      elements: [{ type: 'button' as const, action_id: 'more', text: plain('More') }],
    },
  ],
};

describe('an external menu', () => {
  it('asks after three letters, unless it says otherwise; the app may offer 100 options', async () => {
    const running = await startWithBolt('socket');
    const asked: string[] = [];
    running.app.command('/form', async ({ ack, body, client }) => {
      await ack();
      const blocks = form.blocks.map((block) =>
        block.type === 'input'
          ? { ...block, element: { type: block.element.type, action_id: 'city' } }
          : block,
      );
      await client.views.open({ trigger_id: body.trigger_id, view: { ...form, blocks } });
    });
    running.app.options('city', async ({ ack, payload }) => {
      asked.push(payload.value);
      const count = Number(payload.value);
      await ack({
        options: Array.from({ length: count }, (_, n) => ({ text: plain(`${n}`), value: `${n}` })),
      });
    });
    await running.workspace.as('Ana').type('/form');
    const modal = await running.workspace.as('Ana').modal('A form');
    await expect(modal.search('City', '99')).rejects.toThrow('wants 3 letters');
    expect(await modal.search('City', '100')).toHaveLength(100);
    await expect(modal.search('City', '101')).rejects.toThrow('invalid_arguments');
    expect(asked).toEqual(['100', '101']);
    await running.stop();
  });
});

/** Ana's app is slow; Ben's never answers. */
describe('an acknowledgement after two seconds is taken, and none within three is told to the person', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startWithBolt('socket');
    const { app } = running;
    const slowly = async (person: string, acknowledge: () => Promise<void>) => {
      if (person !== 'U01ANAFERR') return;
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      await acknowledge();
    };
    app.command('/say', ({ ack, body }) => slowly(body.user_id, () => ack('Said')));
    app.command('/form', async ({ ack, body, client }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: form });
    });
    app.shortcut('new_thing', ({ ack, body }) => slowly(body.user.id, () => ack()));
    app.action('more', ({ ack, body }) => slowly(body.user.id, () => ack()));
    app.options('city', ({ ack, body }) =>
      slowly(body.user.id, () => ack({ options: [{ text: plain('Bergen'), value: 'b' }] })),
    );
    app.view('form', ({ ack, body }) => slowly(body.user.id, () => ack()));
  });
  afterAll(() => running.stop());

  const people = () => [running.workspace.as('Ana'), running.workspace.as('Ben')] as const;
  const opened = (name: string) =>
    running.workspace
      .as(name)
      .type('/form')
      .then(() => running.workspace.as(name).modal('A form'));

  it.concurrent('of a command', async () => {
    const [ana, ben] = people();
    await Promise.all([ana.type('/say'), ben.type('/say')]);
    expect(ana.read()).toContain('Said');
    expect(ana.read()).not.toContain('/say failed');
    expect(ben.read()).toContain('/say failed with the error "operation_timeout"');
  });

  it.concurrent('of a shortcut', async () => {
    const [ana, ben] = people();
    await Promise.all([
      ana.shortcut('New thing'),
      expect(ben.shortcut('New thing')).rejects.toThrow('operation_timeout'),
    ]);
    expect(ana.read()).not.toContain('New thing failed');
    expect(ben.read()).toContain('New thing failed with the error "operation_timeout"');
  });

  it.concurrent('of a press, of options, and of a submission, which stays open', async () => {
    const [inTime, late] = await Promise.all([opened('Ana'), opened('Ben')]);
    await Promise.all([
      inTime.press('More'),
      expect(late.press('More')).rejects.toThrow('operation_timeout'),
      expect(inTime.search('City', '')).resolves.toEqual(['Bergen']),
      expect(late.search('City', '')).rejects.toThrow('operation_timeout'),
    ]);
    const [sent, stayed] = await Promise.all([inTime.submit(), late.submit()]);
    expect(sent).toMatchObject({ closed: true, trouble: undefined });
    expect(stayed).toMatchObject({
      closed: false,
      errors: {},
      trouble: 'We had some trouble connecting. Try again?',
    });
  });
});
