import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coverage } from '../../../src/emulators/slack/coverage/coverage.ts';
import {
  knownEvents,
  knownMethods,
  knownTypes,
} from '../../../src/emulators/slack/coverage/known-to-slack.ts';
import { allExamples } from '../../../src/emulators/slack/page/examples/all-examples.js';
import { KINDS } from '../../../src/emulators/slack/rules/problems.ts';
import { METHODS } from '../../../src/emulators/slack/web-api/methods.ts';
import { EXAMPLES } from './rules/examples.ts';

const sections = coverage();
const covered = sections.flatMap((section) => section.covered);
const namesIn = (title: string) =>
  sections.find((section) => section.title === title)?.covered.map(({ name }) => name);
const root = new URL('../../../', import.meta.url);

/** Tests that go through a list of examples name each by its example, not by itself. */
const LISTED: Record<string, readonly string[]> = {
  'slack/rules/every-rule.test.ts': Object.keys(EXAMPLES),
  'page/examples.test.ts': allExamples('').map(({ title }) => title),
};

describe('the table of what is covered', () => {
  it.each(covered)('names a test that there is for: $name', ({ proofs }) => {
    expect(proofs.length).toBeGreaterThan(0);
    for (const [file, says] of proofs) {
      const listed = LISTED[file];
      if (listed) expect(listed).toContain(says);
      else expect(readFileSync(new URL(`test/emulators/${file}`, root), 'utf8')).toContain(says);
    }
  });

  it('has every method, every kind of the rules, and every type that @slack/types knows', () => {
    const names = covered.map(({ name }) => name);
    expect([...METHODS.keys(), ...Object.keys(KINDS)].filter((name) => !names.includes(name))).toEqual([]);
    expect(knownTypes('blocks').filter((type) => !namesIn('Blocks')?.includes(type))).toEqual([]);
  });

  it('draws every block and element', () => {
    const shown = sections.filter(({ title }) => title === 'Blocks' || title === 'Elements');
    const undrawn = shown.flatMap((section) => section.covered).filter(({ proofs }) => proofs.length < 2);
    expect(undrawn).toEqual([]);
  });

  it('has every event that is sent, and none that Slack does not know', () => {
    const events = namesIn('Events') ?? [];
    const sources = globSync('src/emulators/slack/**/*.ts', { cwd: root }).map((file) =>
      readFileSync(new URL(file, root), 'utf8'),
    );
    const sent = sources.flatMap((text) =>
      [...text.matchAll(/sendEvent\(site, '(\w+)'/g)].map(([, name]) => name),
    );
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.filter((name) => name === undefined || !events.includes(name))).toEqual([]);
    expect(events.filter((name) => !knownEvents().includes(name))).toEqual([]);
  });

  it('lists what Slack has beyond it', () => {
    const missing = sections.find(({ title }) => title === 'Web API methods')?.missing ?? [];
    expect(missing).toContain('reactions.add');
    expect(missing.length + METHODS.size + 1).toBe(knownMethods().length);
  });
});
