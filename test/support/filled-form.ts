import type { Running } from './bot.ts';

type Ana = ReturnType<Running['workspace']['as']>;
type PostForm = Awaited<ReturnType<Ana['modal']>>;

/** Presses [More options] in the form for a post, and waits for the fields that it shows. */
export async function showMoreOptions(person: Pick<Ana, 'sees'>, form: PostForm): Promise<void> {
  await form.press('More options');
  await person.sees('A prompt from /upnext prompt');
}

/** Presses [Add media] in the form for a post, and waits for the fields that it shows. */
export async function showMedia(person: Pick<Ana, 'sees'>, form: PostForm): Promise<void> {
  await form.press('Add media');
  await person.sees('Link to an image or video');
}

/** Opens the form for a post as Ana, and fills it in with valid values. The service must have exactly one project. */
export async function openFilledForm(startedBot: Running, changes: { text?: string; when?: string } = {}) {
  const ana = startedBot.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', changes.text ?? 'We open at nine');
  await form.choose('Platforms', ['X']);
  await form.fill('When', changes.when ?? '1 Dec 9am');
  return { ana, form };
}

/** Opens the filled-in form, and waits until it shows the time. */
export async function openShownForm(...call: Parameters<typeof openFilledForm>) {
  const opened = await openFilledForm(...call);
  await opened.ana.sees('Tue 1 Dec, 09:00');
  return opened;
}

/** Opens the filled-in form, and submits it. */
export async function submitFilledForm(...call: Parameters<typeof openFilledForm>) {
  const { ana, form } = await openFilledForm(...call);
  return { ana, form, ...(await form.submit()) };
}

/** Opens the filled-in form, submits it, and closes the view that answers it. */
export async function submitAndClose(...call: Parameters<typeof openFilledForm>) {
  const { view, ...submitted } = await submitFilledForm(...call);
  await view?.close();
  return submitted;
}

/** Opens a form, and continues the post that it offers. Returns the form with that post. */
export async function continuePost(person: Pick<Ana, 'type' | 'modal'>, title = 'Schedule a post') {
  await person.type('/schedule-post');
  await (await person.modal('Schedule a post')).press('Continue');
  return person.modal(title);
}

/** Gives X another text than LinkedIn gets. */
export async function giveXOwnText(person: Pick<Ana, 'sees'>, form: PostForm, text: string): Promise<void> {
  await form.choose('Platforms', ['X', 'LinkedIn']);
  await showMoreOptions(person, form);
  await form.choose('Different text for', ['X']);
  await person.sees('Text for X');
  await form.fill('Text for X', text);
}

/** Types a line whose time repeats, submits the form that it opens, and confirms the series. */
export async function startSeries(person: Pick<Ana, 'type' | 'modal' | 'sees'>, line: string) {
  await submitLine(person, line);
  await person.sees('[Start series]');
  await (await person.modal('New series')).submit();
  await person.sees('Saved.');
}

/** Types a line, and submits the form that it opens. */
export async function submitLine(person: Pick<Ana, 'type' | 'modal'>, line: string) {
  await person.type(line);
  return (await person.modal('Schedule a post')).submit();
}
