import { ActingError, type Actor } from 'slack-workspace-emulator';

/** Presses a button, and confirms its dialog if it has one. For tests that press whatever there is. */
export async function pressAndConfirm(target: Pick<Actor, 'press'>, button: string): Promise<void> {
  await target.press(button).catch((error: unknown) => {
    if (!(error instanceof ActingError) || error.code !== 'unanswered_dialog') throw error;
    return target.press(button, { dialog: 'confirm' });
  });
}
