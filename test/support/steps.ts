import { ActingError, type Actor } from 'slack-workspace-emulator';
import type { Running } from './bot.ts';

type Person = ReturnType<Running['workspace']['as']>;

/** Types a line, and waits until the person sees each of these texts. */
export async function ask(
  person: Pick<Person, 'type' | 'sees'>,
  line: string,
  ...texts: readonly string[]
): Promise<void> {
  await person.type(line);
  for (const text of texts) await person.sees(text);
}

/** Types a line, and returns the modal of this title that it, or this button of its answer, opens. */
export async function askForForm(
  person: Pick<Person, 'type' | 'press' | 'modal'>,
  line: string,
  title: string,
  button?: string,
) {
  await person.type(line);
  if (button !== undefined) await person.press(button);
  return person.modal(title);
}

/** Types a line, presses this button of its answer, and waits until the person sees each of these texts. */
export async function askAndPress(
  person: Pick<Person, 'type' | 'press' | 'sees'>,
  line: string,
  button: string,
  ...texts: readonly string[]
): Promise<void> {
  await person.type(line);
  await pressAndSee(person, button, ...texts);
}

/** Presses a button, and waits until the person sees each of these texts. */
export async function pressAndSee(
  person: Pick<Person, 'press' | 'sees'>,
  button: string,
  ...texts: readonly string[]
): Promise<void> {
  await person.press(button);
  for (const text of texts) await person.sees(text);
}

/** Presses a button, confirms its dialog, and waits until the person sees each of these texts. */
export async function confirmAndSee(
  person: Pick<Person, 'press' | 'sees'>,
  button: string,
  ...texts: readonly string[]
): Promise<void> {
  await person.press(button, { dialog: 'confirm' });
  await seeAll(person, ...texts);
}

/** Chooses an option of a menu, and waits until the person sees each of these texts. */
export async function chooseAndSee(
  person: Pick<Person, 'choose' | 'sees'>,
  menu: string,
  option: string,
  ...texts: readonly string[]
): Promise<void> {
  await person.choose(menu, option);
  await seeAll(person, ...texts);
}

/** Presses a button, and returns the modal of this title that it opens. */
export async function pressForForm(person: Pick<Person, 'press' | 'modal'>, button: string, title: string) {
  await person.press(button);
  return person.modal(title);
}

/** Waits until the person sees each of these texts. */
export async function seeAll(person: Pick<Person, 'sees'>, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await person.sees(text);
}

/** Presses a button, and confirms its dialog if it has one. For tests that press whatever there is. */
export async function pressAndConfirm(target: Pick<Actor, 'press'>, button: string): Promise<void> {
  await target.press(button).catch((error: unknown) => {
    if (!(error instanceof ActingError) || error.code !== 'unanswered_dialog') throw error;
    return target.press(button, { dialog: 'confirm' });
  });
}
