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

/** Types a line, and returns the modal of this title that it opens. */
export async function askForForm(person: Pick<Person, 'type' | 'modal'>, line: string, title: string) {
  await person.type(line);
  return person.modal(title);
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

/** Presses a button, and returns the modal of this title that it opens. */
export async function pressForForm(person: Pick<Person, 'press' | 'modal'>, button: string, title: string) {
  await person.press(button);
  return person.modal(title);
}
