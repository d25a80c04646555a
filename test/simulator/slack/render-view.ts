import { getRecords, getString, getText, isRecord, renderText, type ViewValues } from './read-blocks.ts';
import type { View } from './workspace.ts';

/** What a person reads in a view. `values` as in {@link renderText}. */
export function renderView({ content }: View, values?: ViewValues): string {
  const buttons = [getText(content, 'close'), getText(content, 'submit')].filter((label) => label !== '');
  const lines = [
    getText(content, 'title'),
    renderText(getRecords(content, 'blocks'), '', values),
    buttons.map((label) => `[${label}]`).join(' '),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

export function getTitle({ content }: View): string {
  return isRecord(content.title) ? getString(content.title, 'text') : '';
}
