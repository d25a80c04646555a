import { writeFileSync } from 'node:fs';

/** Writes a file of facts about Slack, with a line for each method, event or payload. */
export function writeFacts(file: URL, facts: object): void {
  const sections = Object.entries(facts).map(([name, value]) => {
    if (typeof value !== 'object') return `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
    const lines = Object.entries(value).map(
      ([key, fact]) => `${JSON.stringify(key)}: ${JSON.stringify(fact)}`,
    );
    return `${JSON.stringify(name)}: {\n${lines.join(',\n')}\n}`;
  });
  writeFileSync(file, `{\n${sections.join(',\n')}\n}\n`);
}
