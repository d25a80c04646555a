import type { Entry } from './history.ts';
import type { Plan } from './plan.ts';

/** Renders a plan, a step a line. */
export function renderPlan({ opening, steps, ...rest }: Plan): string {
  const settings = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [
    `Plan: ${settings.join(', ')}`,
    ...[...opening, ...steps].map(({ waitMs, step: { kind, ...details } }) => {
      const parts = Object.entries(details).map(([name, value]) => `${name} ${String(value)}`);
      return `  after ${(waitMs / 1000).toFixed(1)} s: ${kind} ${parts.join(', ')}`;
    }),
  ].join('\n');
}

/** Renders a history for its reader, in order, with what people read as quotes. */
export function renderHistory(history: readonly Entry[]): string {
  return history.map((entry) => `${formatTime(entry.at)}  ${renderEntry(entry)}`).join('\n');
}

function renderEntry(entry: Entry): string {
  switch (entry.kind) {
    case 'deed':
      return `${entry.workspace} ${entry.person} ${entry.text}`;
    case 'shown': {
      const place = entry.reader === '' ? entry.channel : entry.reader;
      const news = entry.isNew ? 'reads a new' : 'reads a changed';
      return `${entry.workspace} ${place} ${news} ${entry.surface} ${entry.id}\n${indent(entry.text)}`;
    }
    case 'created': {
      const time = entry.publishAt === undefined ? 'no time' : formatTime(entry.publishAt);
      const state = `${entry.isDraft ? 'a draft' : 'a post'}, ${entry.isApplied ? 'stored' : 'refused'}`;
      return `THE SERVICE gets ${state}: ${entry.content} (${entry.project}, ${entry.platforms.join()}, ${time})`;
    }
    case 'published':
      return `THE SERVICE publishes ${entry.content}${entry.picture ? ` (picture: ${entry.picture})` : ''}`;
    case 'note':
      return `* ${entry.text}`;
  }
}

const formatTime = (at: number) => new Date(at).toISOString().replace('T', ' ').slice(5, -1);
const indent = (text: string) =>
  text
    .split('\n')
    .map((line) => `                      | ${line}`)
    .join('\n');
