import type { Running } from './bot.ts';

/** Opens the form for a post as Ana, and fills it in with valid values. The service must have exactly one project. */
export async function filledForm(running: Running, changes: { text?: string; when?: string } = {}) {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', changes.text ?? 'We open at nine');
  await form.choose('Platforms', ['X']);
  await form.fill('When', changes.when ?? '1 Dec 9am');
  return { ana, form };
}
