import { ActingError } from '../../src/emulators/slack/acting/acting-error.ts';
import type { Actor } from '../../src/emulators/slack/acting/actor.ts';

/** Presses a button, and confirms its dialog if it has one. For tests that press whatever there is. */
export async function pressAndConfirm(target: Pick<Actor, 'press'>, button: string): Promise<void> {
  await target.press(button).catch((error: unknown) => {
    if (!(error instanceof ActingError) || error.code !== 'unanswered_dialog') throw error;
    return target.press(button, { dialog: 'confirm' });
  });
}
