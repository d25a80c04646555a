import { describe, expect, it } from 'vitest';
import { createButtonRow, createInput, createModal, createPlainText } from './support/blocks.ts';
import { openBolt } from './support/fixtures.ts';

/** A delay that is within Slack's limit for acknowledgements (3 s). */
const SLOW_MS = 2_000;

const createForm = (searching: { min_query_length?: number } = {}) => {
  const city = { type: 'external_select' as const, action_id: 'city', ...searching };
  const blocks = [createInput('City', city, { optional: true }), createButtonRow('more', 'More')];
  return createModal('A form', blocks, { callback_id: 'form' });
};

describe('a select menu whose options come from the app', () => {
  it('a search starts after three letters by default, and the app may return 100 options', async () => {
    const fixture = await openBolt();
    const queries: string[] = [];
    fixture.app.command('/form', async ({ ack, body, client }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: createForm() });
    });
    fixture.app.options('city', async ({ ack, payload }) => {
      queries.push(payload.value);
      const count = Number(payload.value);
      await ack({
        options: Array.from({ length: count }, (_, index) => ({
          text: createPlainText(`${index}`),
          value: `${index}`,
        })),
      });
    });
    await fixture.workspace.as('Ana').type('/form');
    const modal = await fixture.workspace.as('Ana').modal('A form');
    await expect(modal.search('City', '99')).rejects.toThrow('searches for 3 letters or more');
    expect(await modal.search('City', '100')).toHaveLength(100);
    await expect(modal.search('City', '101')).rejects.toThrow('invalid_arguments');
    expect(queries).toEqual(['100', '101']);
  });
});

/** The app acknowledges Ana's requests after `SLOW_MS`, and Ben's never. */
const fixture = await openBolt();
const { app } = fixture;
const acknowledgeSlowly = async (person: string, acknowledge: () => Promise<void>) => {
  if (person !== 'U01ANAFERR') return;
  await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  await acknowledge();
};
app.command('/say', ({ ack, body }) => acknowledgeSlowly(body.user_id, () => ack('Said')));
app.command('/form', async ({ ack, body, client }) => {
  await ack();
  await client.views.open({ trigger_id: body.trigger_id, view: createForm({ min_query_length: 0 }) });
});
app.shortcut('new_thing', ({ ack, body }) => acknowledgeSlowly(body.user.id, () => ack()));
app.action('more', ({ ack, body }) => acknowledgeSlowly(body.user.id, () => ack()));
app.options('city', ({ ack, body }) =>
  acknowledgeSlowly(body.user.id, () => ack({ options: [{ text: createPlainText('Bergen'), value: 'b' }] })),
);
app.view('form', ({ ack, body }) => acknowledgeSlowly(body.user.id, () => ack()));

describe('an acknowledgement after two seconds is accepted, and after three seconds the person sees an error', () => {
  const getBothPeople = () => [fixture.workspace.as('Ana'), fixture.workspace.as('Ben')] as const;
  const openForm = (name: string) =>
    fixture.workspace
      .as(name)
      .type('/form')
      .then(() => fixture.workspace.as(name).modal('A form'));

  it.concurrent('for a command', async () => {
    const [ana, ben] = getBothPeople();
    await Promise.all([ana.type('/say'), ben.type('/say')]);
    expect(ana.read()).toContain('Said');
    expect(ana.read()).not.toContain('/say failed');
    expect(ben.read()).toContain('/say failed with the error "operation_timeout"');
  });

  it.concurrent('for a shortcut', async () => {
    const [ana, ben] = getBothPeople();
    await Promise.all([
      ana.shortcut('New thing'),
      expect(ben.shortcut('New thing')).rejects.toThrow('operation_timeout'),
    ]);
    expect(ana.read()).not.toContain('New thing failed');
    expect(ben.read()).toContain('New thing failed with the error "operation_timeout"');
  });

  it.concurrent('for a button press, a search and a submission, whose form stays open', async () => {
    const [anaForm, benForm] = await Promise.all([openForm('Ana'), openForm('Ben')]);
    await Promise.all([
      anaForm.press('More'),
      expect(benForm.press('More')).rejects.toThrow('operation_timeout'),
      expect(anaForm.search('City', '')).resolves.toEqual(['Bergen']),
      expect(benForm.search('City', '')).rejects.toThrow('operation_timeout'),
    ]);
    const [anaResult, benResult] = await Promise.all([anaForm.submit(), benForm.submit()]);
    expect(anaResult).toMatchObject({ closed: true, trouble: undefined });
    expect(benResult).toMatchObject({
      closed: false,
      errors: {},
      trouble: 'We had some trouble connecting. Try again?',
    });
  });
});
