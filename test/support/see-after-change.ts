import { expect } from 'vitest';
import type { openFilledForm } from './filled-form.ts';

type Form = Awaited<ReturnType<typeof openFilledForm>>['form'];

/** Changes the platforms until the form shows a text: a busy machine drops a change, or is still fetching a file. */
export async function seeAfterChange(form: Pick<Form, 'choose' | 'text'>, text: string): Promise<void> {
  let changes = 0;
  const change = async () => {
    changes += 1;
    await form.choose('Platforms', changes % 2 ? ['LinkedIn'] : ['X']);
    return form.text();
  };
  await expect.poll(change, { interval: 500 }).toContain(text);
}
