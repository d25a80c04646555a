import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listSections } from '../../../src/emulators/slack/coverage/coverage.ts';
import {
  listKnownEvents,
  listKnownMethods,
  listKnownTypes,
} from '../../../src/emulators/slack/coverage/known-to-slack.ts';
import { listExamples } from '../../../src/emulators/slack/page/examples/all-examples.js';
import { BLOCK_LIST_RULES } from '../../../src/emulators/slack/rules/block-list-rules.ts';
import { CROSS_FIELD_RULES } from '../../../src/emulators/slack/rules/cross-field-rules.ts';
import { FIELD_RULES } from '../../../src/emulators/slack/rules/find-problems.ts';
import { METHODS } from '../../../src/emulators/slack/web-api/methods.ts';
import { REQUIRED_SHAPES } from './required-shapes.ts';
import { EXAMPLES } from './rules/examples.ts';

const sections = listSections();
const coveredEntries = sections.flatMap((section) => section.covered);
const listNames = (title: string) =>
  sections.find((section) => section.title === title)?.covered.map(({ name }) => name);
const root = new URL('../../../', import.meta.url);
/** Titles of the tests that get their names from a list, by file. */
const EXAMPLE_TITLES: Record<string, readonly string[]> = {
  'slack/rules/every-rule.test.ts': Object.keys(EXAMPLES),
  'slack/rules/several-fields.test.ts': [...CROSS_FIELD_RULES, ...BLOCK_LIST_RULES].map(({ name }) => name),
  'slack/payload-shapes.test.ts': Object.keys(REQUIRED_SHAPES),
  'page/examples.test.ts': listExamples('').map(({ title }) => title),
};

describe('the table of covered functions', () => {
  it.each(coveredEntries)('every entry names an existing test: $name', ({ proofs }) => {
    expect(proofs.length).toBeGreaterThan(0);
    for (const [file, source] of proofs) {
      const exampleTitles = EXAMPLE_TITLES[file];
      if (exampleTitles) expect(exampleTitles).toContain(source);
      else expect(readFileSync(new URL(`test/emulators/${file}`, root), 'utf8')).toContain(source);
    }
  });

  it('the table has every method, every kind of object in the rules, and every type in @slack/types', () => {
    const names = coveredEntries.map(({ name }) => name);
    expect([...METHODS.keys(), ...Object.keys(FIELD_RULES)].filter((name) => !names.includes(name))).toEqual(
      [],
    );
    expect(listKnownTypes('blocks').filter((type) => !listNames('Blocks')?.includes(type))).toEqual([]);
  });

  it('every block and element has an example on the page', () => {
    const drawnSections = sections.filter(({ title }) => title === 'Blocks' || title === 'Elements');
    const entriesWithoutExample = drawnSections
      .flatMap((section) => section.covered)
      .filter(({ proofs }) => proofs.length < 2);
    expect(entriesWithoutExample).toEqual([]);
  });

  it('the table has every event that the emulator sends, and no event unknown to Slack', () => {
    const events = listNames('Events') ?? [];
    const sources = globSync('src/emulators/slack/**/*.ts', { cwd: root }).map((file) =>
      readFileSync(new URL(file, root), 'utf8'),
    );
    const sentEvents = sources.flatMap((source) =>
      [...source.matchAll(/sendEvent\(site, '(\w+)'/g)].map(([, name]) => name),
    );
    expect(sentEvents.length).toBeGreaterThan(2);
    expect(sentEvents.filter((name) => name === undefined || !events.includes(name))).toEqual([]);
    expect(events.filter((name) => !listKnownEvents().includes(name))).toEqual([]);
  });

  it('the table lists the functions of Slack that the emulator lacks', () => {
    const missingMethods = sections.find(({ title }) => title === 'Web API methods')?.missing ?? [];
    expect(missingMethods).toContain('reminders.add');
    expect(missingMethods.length + METHODS.size).toBe(listKnownMethods().length);
  });
});
