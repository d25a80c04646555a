import { stateField } from '../blocks/element-state.ts';
import { isRecord, type Json, recordIn, recordsIn, stringIn, wordsIn } from '../json.ts';
import type { ElementState, Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelById, personById } from '../state/directory.ts';
import { visibleMrkdwn } from './visible-mrkdwn.ts';

interface Reading {
  site: Site;
  reader: Person;
  values: ViewValues;
}

function words(reading: Reading, object: Json | undefined): string {
  const text = object && stringIn(object, 'text');
  if (text === undefined) return '';
  return object?.type === 'mrkdwn' ? visibleMrkdwn(reading.site, reading.reader, text) : text;
}

/** One chosen thing: an option by its text, a person or conversation by name. */
function choice(site: Site, value: unknown): string {
  if (isRecord(value)) return wordsIn(value, 'text') ?? '';
  const text = String(value);
  const channel = channelById(site, text);
  return personById(site, text)?.realName ?? (channel ? `#${channel.name}` : text);
}

/** What an element holds, in the words that stand in it. */
export function shownState(site: Site, state: ElementState | undefined): string {
  const field = state && stateField(state.type);
  const value = field === undefined ? undefined : state?.[field];
  if (value === null || value === undefined) return '';
  return (Array.isArray(value) ? value : [value]).map((entry) => choice(site, entry)).join(', ');
}

function elementText(reading: Reading, block: Json, element: Json): string {
  const label = wordsIn(element, 'text');
  if (element.type === 'button' || element.type === 'workflow_button') return `[${label ?? ''}]`;
  if (element.type === 'overflow') return '[More options]';
  if (element.type === 'image') return stringIn(element, 'alt_text') ?? '';
  if (element.type === 'plain_text' || element.type === 'mrkdwn') return words(reading, element);
  const state = reading.values[stringIn(block, 'block_id') ?? '']?.[stringIn(element, 'action_id') ?? ''];
  const shown = shownState(reading.site, state);
  const listed = element.type === 'checkboxes' || element.type === 'radio_buttons';
  const offered = listed ? recordsIn(element, 'options').map((option) => wordsIn(option, 'text') ?? '') : [];
  return [...offered, `(${shown === '' ? (wordsIn(element, 'placeholder') ?? '') : shown})`].join(' ');
}

function deepText(value: unknown): string {
  if (Array.isArray(value)) return value.map(deepText).join('');
  if (!isRecord(value)) return '';
  const emoji = value.type === 'emoji' ? `:${stringIn(value, 'name')}:` : '';
  return emoji + (stringIn(value, 'text') ?? '') + deepText(value.elements);
}

function blockText(reading: Reading, block: Json): string {
  const inside = (key: string) => {
    const element = recordIn(block, key);
    return element ? elementText(reading, block, element) : '';
  };
  switch (block.type) {
    case 'input':
      return [
        words(reading, recordIn(block, 'label')),
        inside('element'),
        words(reading, recordIn(block, 'hint')),
      ].join('\n');
    case 'section':
      return [
        words(reading, recordIn(block, 'text')),
        ...recordsIn(block, 'fields').map((field) => words(reading, field)),
        inside('accessory'),
      ].join('\n');
    case 'actions':
    case 'context':
      return recordsIn(block, 'elements')
        .map((element) => elementText(reading, block, element))
        .join(' ');
    case 'image':
      return [words(reading, recordIn(block, 'title')), stringIn(block, 'alt_text') ?? ''].join('\n');
    case 'markdown':
      return stringIn(block, 'text') ?? '';
    case 'rich_text':
      return deepText(block.elements);
    case 'table':
      return (Array.isArray(block.rows) ? block.rows : [])
        .map((row: unknown) => (Array.isArray(row) ? row.map(deepText).join(' | ') : ''))
        .join('\n');
    default:
      return words(reading, recordIn(block, 'text'));
  }
}

/** Blocks as a person reads them, one thing on a line; buttons in brackets, what fields hold in parentheses. */
export function visibleText(reading: Reading, blocks: readonly Json[]): string {
  return blocks
    .flatMap((block) => blockText(reading, block).split('\n'))
    .filter((line) => line.trim() !== '')
    .join('\n');
}
