import type { Running } from './bot.ts';

type Ana = ReturnType<Running['workspace']['as']>;
type PostForm = Awaited<ReturnType<Ana['modal']>>;

/** Presses [More options] in the form for a post, and waits for the fields that it shows. */
export async function showMoreOptions(person: Pick<Ana, 'sees'>, form: PostForm): Promise<void> {
  await form.press('More options');
  await person.sees('A prompt from /upnext prompt');
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
