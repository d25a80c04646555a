import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestWorkspace } from './support/workspace.ts';

type Started = Awaited<ReturnType<typeof startTestWorkspace>>;

let started: Started;
beforeAll(async () => {
  started = await startTestWorkspace();
});
afterAll(() => started.workspace.close());

/** Calls the method without a token, as Slack allows. */
async function validate(body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${started.workspace.apiUrl}blocks.validate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, unknown>;
}

const text = { type: 'plain_text', text: 'Hello' };
const wrongText = { type: 'invalid', text: 'Hello' };
const enumError = {
  code: 'failed_constraint',
  message: 'unsupported type: invalid',
  constraint: { type: 'enum', expected: ['plain_text', 'mrkdwn'] },
};

describe('blocks.validate', () => {
  it('blocks that Slack accepts are valid, also as a form', async () => {
    const blocks = [{ type: 'section' as const, text: { type: 'plain_text' as const, text: 'Hello' } }];
    expect(await validate({ blocks })).toEqual({ ok: true });
    expect(await started.client.blocks.validate({ blocks })).toMatchObject({ ok: true });
  });

  it('an error has a pointer from the blocks on, and the values that are allowed', async () => {
    expect(await validate({ blocks: [{ type: 'section', text: wrongText }] })).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [{ ...enumError, pointer: '/0/text/type' }],
    });
  });

  it('a message is validated with its attachments', async () => {
    const section = { type: 'section', text: wrongText };
    const message = { blocks: [section], attachments: [{ blocks: [section] }] };
    expect(await validate({ message })).toEqual({
      ok: false,
      error: 'invalid_message',
      errors: [
        { ...enumError, pointer: '/blocks/0/text/type' },
        { ...enumError, pointer: '/attachments/0/blocks/0/text/type' },
      ],
    });
  });

  it('all parts of a view are validated, including its title', async () => {
    const view = { type: 'modal', title: { type: 'plain_text', text: 'x'.repeat(25) }, blocks: [] };
    expect(await validate({ view })).toEqual({
      ok: false,
      error: 'invalid_view',
      errors: [
        { code: 'failed_constraint', message: 'must be less than 25 characters', pointer: '/title/text' },
      ],
    });
  });

  it.each([
    ['nothing', {}],
    ['two things', { blocks: [], view: {} }],
    ['a text that is not JSON', { blocks: 'oops' }],
    ['too many characters', { blocks: [{ type: 'section', text: { ...text, text: 'x'.repeat(100_000) } }] }],
  ])('%s is refused', async (_, body) => {
    expect(await validate(body)).toMatchObject({ ok: false, error: 'invalid_arguments' });
  });
});
